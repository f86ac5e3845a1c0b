import type { FaultStep } from '../../../simulator/src/script.ts'
import { readAudience } from '../people.ts'
import type { Random } from '../../../server/test/support/random.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

// Leases do not end here, so only the script makes outcomes unknown.
const LONG_LEASE = { PUSH_LEASE_SECONDS: '20' }

/** One request in ten is accepted and answered 504, and nothing else fails: every duplicate is known in advance. */
export const gateway: Scenario = {
  name: 'gateway',
  about: 'accepted, then 504, on one request in ten',
  worldOptions: ({ users }) => ({ users: atLeast(users), settings: { ...LONG_LEASE, PUSH_TIMEOUT_SECONDS: '10' } }),
  run: (world) => runScript(world, 'exact', () => [{ match: 'send', every: 10, times: 0, status: 504, accept: true }]),
}

/** All kinds of wrong answers, mixed. */
export const answers: Scenario = {
  name: 'answers',
  about: 'resets, half and wrong bodies, wrong counts, errors of single messages, 429, mixed',
  worldOptions: ({ users }) => ({ users: atLeast(users), settings: LONG_LEASE }),
  run: (world) => runScript(world, 'bounded', () => mixed(world.random)),
}

/** Enough requests that a script applies to some. */
function atLeast(users: number): number {
  return Math.max(users, 800)
}

async function runScript(world: World, duplicates: 'exact' | 'bounded', script: () => FaultStep[]): Promise<Finding> {
  const { web, token } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  world.provider.script(script())
  const messageIds: number[] = []
  for (let campaign = 0; campaign < 3; campaign++) messageIds.push(await startCampaign(world, web, token))
  await drain(world, messageIds)
  const { scriptedFaults, sendRequests, duplicates: doubles } = world.provider.state()
  const notes = [`${scriptedFaults} of ${sendRequests} requests met a fault; the provider counts ${doubles} duplicates`]
  const faults = scriptedFaults === 0 ? ['the script met no request'] : []
  // A refusal may remove a device, so a later campaign may notify fewer.
  const rules = duplicates === 'exact' ? { messageIds, audience, duplicates } : { messageIds, duplicates }
  return toFinding(world, rules, { faults, notes })
}

function mixed(random: Random): FaultStep[] {
  const single = {
    0: 'MessageRateExceeded',
    3: 'DeviceNotRegistered',
    5: 'MessageTooBig',
    7: 'ExpoError',
    9: 'NewError',
  }
  const kinds: FaultStep[] = [
    { status: 504, accept: true },
    { status: 503 },
    { status: 500, accept: true },
    { cut: 'before-read' },
    { cut: 'after-read', accept: true },
    { cut: 'after-read' },
    { cut: 'mid-body' },
    { body: 'truncated' },
    { body: 'garbage' },
    { body: 'html' },
    { body: 'empty' },
    { body: 'fewer' },
    { body: 'more' },
    { body: 'duplicate-ids' },
    { body: 'object' },
    { body: 'huge' },
    { delayMs: 1_200, accept: true },
    { ticketErrors: single },
    { ticketErrors: single },
    { status: 429, headers: { 'Retry-After': '1' } },
    { status: 429 },
  ]
  return kinds.map((kind) => ({ match: 'send', times: 0, probability: 0.02, seed: random.between(1, 1e9), ...kind }))
}
