import type { Direct } from '../../simulator/src/direct/doubles.ts'
import { startSimulator, type Simulator } from '../../simulator/src/server.ts'
import { must } from '../../server/src/platform/shared/must.ts'
import type { SimulatorOptions } from '../../simulator/src/settings.ts'

/** A push that the provider accepted. */
export type Accepted = ReturnType<Simulator['log']>[number]

/** The simulator, which can disappear and return at the same address; it remembers what it accepted. */
export type Provider = Pick<Simulator, 'url' | 'script' | 'clearScript' | 'setToken' | 'advance' | 'state'> & {
  /** What PUSH_PROVIDERS_FILE names; undefined where there is Expo's service alone. */
  providersFile: string | undefined
  /** Apple's, Google's and a browser's service; throws where there is none. */
  direct(): Direct
  /** All pushes that were ever accepted, but the first `since`. */
  accepted(since?: number): Accepted[]
  /** Refuses new connections and resets open ones. Expo's service alone can come back: browsers would be forgotten. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export async function startProvider(options: SimulatorOptions): Promise<Provider> {
  const start = async (port: number) => startSimulator({ ratePerSecond: 0, receiptDelayMs: 0, ...options, port })
  let simulator = await start(0)
  const { url } = simulator
  const earlier: Accepted[] = []
  const goAway = async () => {
    await simulator.close()
    earlier.push(...simulator.log())
    simulator.reset()
  }
  return {
    url,
    providersFile: simulator.providersFile,
    direct: () => must(simulator.direct, 'doubles of the providers'),
    script: (steps) => simulator.script(steps),
    clearScript: () => simulator.clearScript(),
    setToken: (token, rule) => simulator.setToken(token, rule),
    advance: (ms) => simulator.advance(ms),
    state: () => simulator.state(),
    accepted: (since = 0) => [...earlier.slice(since), ...simulator.log(since - earlier.length)],
    goAway,
    comeBack: async () => {
      simulator = await start(Number(new URL(url).port))
    },
    close: () => simulator.close(),
  }
}
