import { setTimeout as sleep } from 'node:timers/promises'
import { openLink, type Direction, type Link } from '../../../server/test/support/link.ts'
import { startArrivals } from '../arrivals.ts'
import type { Finding, Scenario } from '../scenario.ts'
import { runWithFault, type Service } from '../with-fault.ts'
import type { Plan, World, WorldOptions } from '../world.ts'

// A process waits at most 35 s for data from PostgreSQL (ADR 9); its other limits are shorter.
const PAST_EVERY_LIMIT_MS = 37_000
// A small run has no time for that; this is longer than all limits but that of a statement.
const SMALL_KILLS = 5
const SMALL_MS = 9_000
const SETTLES_WITHIN_MS = 10_000

const worldOptions = ({ users }: Plan): WorldOptions => ({
  settings: {
    PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 3), 100)),
    PUSH_TIMEOUT_SECONDS: '2',
    PUSH_LEASE_SECONDS: '8',
  },
  provider: { latencyMs: 600 },
})

/** Every process loses its link to PostgreSQL, in one direction or both, without a reset. */
export const frozenDatabase: Scenario = {
  name: 'frozen-database',
  about: 'the links of all processes to PostgreSQL fall silent for longer than every limit',
  worldOptions,
  run: (world) => {
    const frozenMs = world.plan.kills < SMALL_KILLS ? SMALL_MS : PAST_EVERY_LIMIT_MS
    return runFrozen(world, 'DATABASE_URL', world.databaseUrl, frozenMs)
  },
}

/** Every worker loses its link to the provider, in one direction or both, without a reset. */
export const frozenProvider: Scenario = {
  name: 'frozen-provider',
  about: 'the links of all workers to the provider fall silent for longer than a request and a lease may last',
  worldOptions,
  run: (world) => runFrozen(world, 'EXPO_BASE_URL', world.provider.url, SMALL_MS),
}

/** `setting` names the address that processes reach through our link; the link freezes for `frozenMs`. */
async function runFrozen(world: World, setting: string, address: string, frozenMs: number): Promise<Finding> {
  const url = new URL(address)
  const link = await openLink(Number(url.port))
  url.port = String(link.port)
  try {
    return await runWithFault(
      world,
      { duplicates: 'bounded', settings: { [setting]: url.href.replace(/\/$/, '') } },
      async (service) => freeze(world, service, link, frozenMs),
    )
  } finally {
    link.flow()
    await link.close()
  }
}

async function freeze(world: World, { webs, token }: Service, link: Link, frozenMs: number) {
  const direction = chooseDirection(world.plan.seed)
  link.stall(direction)
  await sleep(frozenMs)
  link.flow()
  const from = performance.now()
  // Stuck work must not block a new call.
  const one = await startArrivals(world, token, () => webs.map((web) => web.url))
  const { faults } = await one.stop()
  const ms = Math.round(performance.now() - from)
  return {
    faults: [...faults, ...(ms > SETTLES_WITHIN_MS ? [`a send took ${ms} ms after the silence`] : [])],
    notes: [`silent for ${frozenMs} ms (${direction}); a send was taken ${ms} ms later`],
  }
}

/** Three seeds in a row cover all three. */
function chooseDirection(seed: number): Direction {
  const directions: Direction[] = ['both', 'questions', 'answers']
  return directions[seed % directions.length] ?? 'both'
}
