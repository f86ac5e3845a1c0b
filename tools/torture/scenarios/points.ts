import { MESSAGE, sendToAll, sendToNamed } from '../api.ts'
import { holdAt, holdTable, type Hold, type Statement } from '../holds.ts'
import type { Process } from '../processes.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { until } from '../../../server/test/support/until.ts'
import { drain, startService, type World } from '../world.ts'

/** The only worker is killed at each named point of its path, and another takes over. */
export const points: Scenario = {
  name: 'points',
  about: 'kill -9 of a worker at each named point of the path',
  worldOptions: () => ({ settings: { PUSH_RATE_PER_SECOND: '100000' } }),
  run,
}

/** Kills the worker at one point while the message is being sent; returns the message's id. */
type Point = {
  name: string
  sentBefore: boolean
  holdsTable?: true
  reach(world: World, send: () => Promise<number>): Promise<Stand>
}
type Stand = { messageId: number; release(): Promise<void> }

const ANSWER_MS = 300
const REACH_SOON_MS = 3_000
const TRIES = 10

const POINTS: Point[] = [
  standingAt('the coordinator, a page written and not committed', false),
  standingAt('transaction 1, copies written and not committed', false),
  standingAt('after the claim, before the call', false),
  { name: 'the bytes sent, no answer yet', sentBefore: true, reach: afterTheBytes },
  { name: 'the answer there, transaction 2 not begun', sentBefore: true, holdsTable: true, reach: beforeTransaction2 },
  standingAt('transaction 2, tickets written and not committed', true),
  { name: 'after transaction 2', sentBefore: false, holdsTable: true, reach: afterTransaction2 },
]

type Sender = { web: Process; token: string; userIds: number[] }

async function run(world: World): Promise<Finding> {
  const { web, token, workers } = await startService(world, 1)
  const sender = { web, token, userIds: await somebody(world) }
  let [worker] = workers
  const messageIds: number[] = []
  const faults: string[] = []
  const notes: string[] = []
  const { kills } = world.plan
  // A table of a Citus is held too late: the answers come first.
  const able = world.workerUrls.length === 0 ? POINTS : POINTS.filter(({ holdsTable }) => !holdsTable)
  const rounds = Array.from({ length: Math.ceil(kills / able.length) }, () => able).flat()
  for (const point of kills < able.length ? world.random.some(able, kills) : rounds) {
    world.time.pause(true)
    const { messageId, release } = await point.reach(world, () => send(point, sender))
    await worker?.kill()
    await release()
    world.provider.clearScript()
    world.time.pause(false)
    worker = await world.startWorker()
    await drain(world, [messageId])
    messageIds.push(messageId)
    const { figures } = await toFinding(world, { messageIds: [messageId], duplicates: 'bounded' })
    notes.push(`${point.name}: ${figures.duplicated} duplicates of ${figures.accepted}`)
    if (figures.duplicated > 0 !== point.sentBefore)
      faults.push(`killed at "${point.name}": ${figures.duplicated} duplicates`)
  }
  return toFinding(world, { messageIds, duplicates: 'bounded' }, { faults, notes })
}

/** One request of several batches, so that there is only one claim; to everyone where the coordinator must die. */
async function send(point: Point, { web, token, userIds }: Sender): Promise<number> {
  if (point.name.startsWith('the coordinator')) return sendToAll(web.url, token)
  const body = { ...MESSAGE, user_ids: userIds, promotional: true }
  return sendToNamed(web.url, token, body)
}

/** Two batches of users, some without a phone, so that the pace is partly given back. */
async function somebody({ pool }: World): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select user_id::int as id from users order by user_id limit 95')
  return rows.map((row) => row.id)
}

/**
 * `sentBefore`: requests must have been sent. On a busy machine the connection to the provider may come too late, and
 * the worker stops at the statement with nothing accepted. Then another message is sent.
 */
function standingAt(name: Statement, sentBefore: boolean): Point {
  const reach = async (world: World, sending: () => Promise<number>) => {
    for (let tries = 1; ; tries++) {
      const before = world.provider.accepted().length
      const hold = await holdAt(world, name)
      const messageId = await sending()
      const { release } = await whenReached(hold)
      if (!sentBefore || world.provider.accepted().length > before) return { messageId, release }
      await release()
      world.time.pause(false)
      await drain(world, [messageId])
      world.time.pause(true)
      if (tries === TRIES) throw new Error('nothing was ever accepted before the hold')
    }
  }
  return { name, sentBefore, reach }
}

async function whenReached(hold: Hold): Promise<{ release(): Promise<void> }> {
  await hold.reached()
  return { release: hold.release }
}

async function afterTheBytes(world: World, sending: () => Promise<number>): Promise<Stand> {
  world.provider.script([{ match: 'send', delayMs: 60_000, times: 0 }])
  const messageId = await countAccepted(world, sending)
  return { messageId, release: () => Promise.resolve() }
}

/**
 * Transaction 2 first reads the status of its messages. The table can be held only while the answer is on its way. On a
 * busy machine that may be too late; then the message is over, and another one is sent.
 */
async function beforeTransaction2(world: World, sending: () => Promise<number>): Promise<Stand> {
  for (let tries = 1; ; tries++) {
    world.provider.script([{ match: 'send', delayMs: ANSWER_MS }])
    const messageId = await countAccepted(world, sending)
    const hold = await holdTable(world, 'messages')
    const isReached = await hold.reached(REACH_SOON_MS).then(
      () => true,
      () => false,
    )
    if (isReached) return { messageId, release: hold.release }
    await hold.release()
    await drain(world, [messageId])
    if (tries === TRIES) throw new Error('transaction 2 was always faster than the hold')
  }
}

/** The first step after transaction 2 reads the breaker. */
async function afterTransaction2(world: World, sending: () => Promise<number>): Promise<Stand> {
  world.provider.script([{ match: 'send', delayMs: ANSWER_MS }])
  const messageId = await countAccepted(world, sending)
  const hold = await holdTable(world, 'provider_state')
  await until('transaction 2 was committed', 10_000, async () => {
    const { rows } = await world.pool.query(
      `select work_id from work where message_id = $1
       union all select request_id from requests where $1 = any(message_ids) and outcome is null`,
      [messageId],
    )
    return rows.length === 0
  })
  return { messageId, ...(await whenReached(hold)) }
}

async function countAccepted({ provider }: World, sending: () => Promise<number>): Promise<number> {
  const before = provider.accepted().length
  const messageId = await sending()
  await until('a push was accepted', 20_000, () => provider.accepted().length > before)
  return messageId
}
