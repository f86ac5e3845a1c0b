// For CI: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../local-postgres/src/free-port.ts'
import type { Deps } from '../src/deps.ts'
import type { Config } from '../src/platform/config/config.ts'
import { serveMetrics } from '../src/service.ts'
import { createExpoProvider } from '../src/push/provider/expo/expo.ts'
import type { Provider } from '../src/push/provider/provider.ts'
import { describeProvider } from './support/memory-provider.ts'
import { openLink } from './support/link.ts'
import { startRealTime, type RealTime } from './support/real-time.ts'
import { sendToUsers } from './support/send.ts'

// A loop of these workers promises to come around within the lease and the time limit of a request: 1.5 s.
const QUICK = { LOOP_LATE_SECONDS: 1, PUSH_LEASE_SECONDS: 1, PUSH_TIMEOUT_SECONDS: 0.5, PUSH_RETRY_DELAY_SECONDS: 1 }
const SURELY_LATE_MS = 4_000
// An answer takes its time on a busy machine, and one that comes too late is a push that may be doubled.
const PATIENT = { ...QUICK, PUSH_LEASE_SECONDS: 3, PUSH_TIMEOUT_SECONDS: 2 }
const PATIENTLY_LATE_MS = 8_000

let real: RealTime
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await real.close()
})

/** The health checks of a process. */
async function readHealth(deps: Deps) {
  const server = await serveMetrics({ ...deps, config: { ...deps.config, METRICS_PORT: await freePort() } })
  if (server === undefined) throw new Error('No health checks are served.')
  ends.push(server.close)
  return async (path: '/live' | '/ready') => {
    const answer = await fetch(`${server.url}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
}

async function push({ deps, given }: RealTime): Promise<void> {
  const { userId } = await given.user({ devices: [{}] })
  await sendToUsers(deps, {
    userIds: [userId],
    content: { title: 'a', text: 'b' },
    promotional: false,
    senderId: null,
    origin: 'test',
  })
}

test('a worker whose provider never answers is live and ready, and so is one without work', async () => {
  real = await startRealTime(QUICK)
  const ask = await readHealth(await real.work())
  real.simulator.script([{ match: 'send', times: 0, delayMs: 600_000 }])
  await push(real)
  const statuses = new Set<number>()
  for (const until = performance.now() + SURELY_LATE_MS; performance.now() < until; await sleep(100)) {
    statuses.add((await ask('/live')).status)
    statuses.add((await ask('/ready')).status)
  }
  expect(real.simulator.log().length).toBeGreaterThan(0)
  expect([...statuses]).toEqual([200])
})

test('a worker that keeps tickets because the database is unreachable is live, and not ready', async () => {
  real = await startRealTime(PATIENT)
  const url = new URL(real.databaseUrl)
  const link = await openLink(Number(url.port))
  ends.push(link.close)
  const ask = await readHealth(await real.work({ DATABASE_URL: Object.assign(url, { port: String(link.port) }).href }))
  real.simulator.script([{ match: 'send', delayMs: 300 }])
  await push(real)
  await expect.poll(() => real.simulator.log().length, { interval: 5 }).toBe(1)
  link.down()
  await expect.poll(async () => (await ask('/ready')).status).toBe(503)
  const statuses = new Set<number>()
  for (const until = performance.now() + PATIENTLY_LATE_MS; performance.now() < until; await sleep(100))
    statuses.add((await ask('/live')).status)
  expect([...statuses]).toEqual([200])
  link.flow()
  const stored = real.deps.db.selectFrom('notifications').select(['is_send', 'possible_duplicates'])
  await expect.poll(() => stored.execute()).toEqual([{ is_send: true, possible_duplicates: 0 }])
})

test('a worker with a lane that stands still is not live, and names the lane', async () => {
  // It breaks the rule of its port: it neither answers nor gives up.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const stuck = (config: Config): Provider => ({
    ...createExpoProvider(config),
    submit: async (pushes) => {
      await released
      const outcomes = pushes.map(() => ({ kind: 'refused' as const, code: 'ProviderError' as const, retry: false }))
      return { outcomes, wasSent: pushes.map(() => false), health: { kind: 'healthy' } }
    },
  })
  real = await startRealTime(QUICK, (config) => [describeProvider(stuck(config))])
  const deps = await real.work()
  const ask = await readHealth(deps)
  expect((await ask('/live')).status).toBe(200)
  await push(real)
  await expect.poll(async () => (await ask('/live')).status, { interval: 100 }).toBe(503)
  expect((await ask('/live')).text).toBe('the loop expo transactional does not come around\n')
  expect(deps.loops.count()).toBeGreaterThan(5)
  release()
  await expect.poll(async () => (await ask('/live')).status, { interval: 100 }).toBe(200)
})
