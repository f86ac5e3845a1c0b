import { setTimeout as sleep } from 'node:timers/promises'
import { holdAt } from '../holds.ts'
import { readAudience } from '../people.ts'
import type { Process } from '../processes.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { sendToAll } from '../api.ts'
import { until } from '../../../server/test/support/until.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

/**
 * A worker is frozen for longer than its lease and wakes up. Its late writes are fenced, and it does not send what it
 * had not begun; only requests that were being written may still arrive, one for each in flight.
 */
export const freeze: Scenario = {
  name: 'freeze',
  about: 'SIGSTOP of a worker past its lease, then SIGCONT: fenced',
  worldOptions: ({ users }) => ({
    settings: { PUSH_RATE_PER_SECOND: String(Math.max(users, 400)) },
    provider: { latencyMs: 200 },
  }),
  run,
}

const SETTLE_MS = 1_500
// Every lane has stopped at the hold by then, or waits for an answer.
const ALL_STAND_MS = 500

async function run(world: World): Promise<Finding> {
  const { web, token, workers } = await startService(world, 1)
  const audience = await readAudience(world.pool)
  const [sleeper] = workers
  if (!sleeper) throw new Error('there is no worker')
  const midway = await startCampaign(world, web, token)
  const first = await overslept(world, sleeper, [midway])
  const beforeCall = await frozenBeforeCall(world, { web, token, sleeper })
  const messageIds = [midway, beforeCall.messageId]
  const finding = await toFinding(world, { messageIds, audience, duplicates: 'bounded' })
  const notes = [
    `with answers under way: ${first.arrived} pushes arrived after it woke`,
    `before its calls: ${beforeCall.arrived} pushes arrived after it woke`,
  ]
  const changed = first.changed + beforeCall.changed
  const faults = [
    ...(changed === 0 ? [] : [`${changed} settled notifications were changed by the worker that overslept`]),
    ...(beforeCall.arrived === 0 ? [] : [`${beforeCall.arrived} pushes were submitted on leases that were over`]),
  ]
  return { figures: finding.figures, faults: [...finding.faults, ...faults], notes }
}

/** Freezes the worker at the statement between its claim and its call. */
async function frozenBeforeCall(world: World, service: { web: Process; token: string; sleeper: Process }) {
  const hold = await holdAt(world, 'after the claim, before the call')
  const messageId = await sendToAll(service.web.url, service.token)
  await hold.reached()
  await sleep(ALL_STAND_MS)
  service.sleeper.freeze()
  await hold.release()
  return { messageId, ...(await overslept(world, service.sleeper, [messageId])) }
}

/** Freezes the worker until another has done its work, wakes it, and returns what changed. */
async function overslept(world: World, sleeper: Process, messageIds: number[]) {
  sleeper.freeze()
  const other = await world.startWorker()
  await drain(world, messageIds)
  const before = await listTickets(world)
  const accepted = world.provider.accepted().length
  sleeper.thaw()
  await sleep(SETTLE_MS)
  await until('the provider was quiet', 10_000, async () => (await inFlight(world)) === 0)
  const after = await listTickets(world)
  await other.terminate()
  return {
    changed: [...before].filter(([id, ticket]) => after.get(id) !== ticket).length,
    arrived: world.provider.accepted().length - accepted,
  }
}

async function listTickets({ pool }: World): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ id: number; fate: string }>(
    `select notification_id::int as id, concat_ws(' ', ticket_id, error_message, attempts) as fate from notifications`,
  )
  return new Map(rows.map((row) => [row.id, row.fate]))
}

async function inFlight({ pool }: World): Promise<number> {
  const { rowCount } = await pool.query('select from requests where outcome is null')
  return rowCount ?? 0
}
