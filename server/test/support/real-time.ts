import { startSimulator, type Simulator } from '../../../simulator/src/server.ts'
import { configWith, type Config } from '../../src/platform/config/config.ts'
import { createDeps, type Deps } from '../../src/deps.ts'
import type { ListInstances } from '../../src/push/provider/registry.ts'
import { withFirstProvider, type TestDeps } from './providers.ts'
import { createLog } from '../../src/platform/shared/log.ts'
import { startWorker } from '../../src/worker.ts'
import { createGiven, type Given } from './given.ts'
import { cloneTemplate } from './service.ts'

/** A database and a provider on which processes run by the true clock, as in production. */
export type RealTime = {
  /** The parts of a process that only sends. */
  deps: TestDeps
  given: Given
  simulator: Simulator
  databaseUrl: string
  /** Starts a worker, whose settings may differ; gives its parts. */
  work(settings?: Partial<Config>): Promise<Deps>
  close(): Promise<void>
}

/** Starts them. Closing ends the workers first. */
export async function startRealTime(settings: Partial<Config> = {}, registry?: ListInstances): Promise<RealTime> {
  const database = await cloneTemplate()
  const simulator = await startSimulator({ port: 0, ratePerSecond: 0, receiptDelayMs: 0 })
  const ends: (() => Promise<void>)[] = []
  const start = async (own: Partial<Config>) => {
    const config = configWith({
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      DATABASE_POOL: 8,
      JWT_SECRET: 'a key for signing that only the tests know, 64 bytes of it or more',
      EXPO_BASE_URL: simulator.url,
      PUSH_RATE_PER_SECOND: 0,
      RATE_LIMITS: 'off',
      ...settings,
      ...own,
    })
    const { deps, close } = await createDeps(config, createLog('silent'), registry && { registry })
    ends.unshift(close)
    return deps
  }
  const deps = withFirstProvider(await start({ PROCESS: 'web' }))
  const work = async (own: Partial<Config> = {}) => {
    const parts = await start({ PROCESS: 'worker', ...own })
    const worker = await startWorker(parts)
    ends.unshift(async () => {
      parts.lifecycle.draining = true
      await worker.stop()
    })
    return parts
  }
  const close = async () => {
    for (const end of ends) await end()
    await simulator.close()
    await database.drop()
  }
  return { deps, given: createGiven(deps), simulator, databaseUrl: database.url, work, close }
}
