import { createSessions } from '../../server/src/identity/sessions/sessions.ts'
import { configWith } from '../../server/src/platform/config/config.ts'
import { queryBuilder, withPool } from '../../server/src/platform/db/connect.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'
import { until } from '../../server/test/support/until.ts'
import type { Cluster } from './cluster.ts'
import type { Traders } from './proposals.ts'
import type { Accepted } from './provider.ts'
import { JWT_SECRET, type World } from './world.ts'

// The id of a notification is the batch's times this, and its place there.
const COPIES_A_BATCH = 1024

export async function listHomesOf({ pool }: World, { port }: Cluster): Promise<number[]> {
  const { rows } = await pool.query<{ home: number }>(
    `select home from generate_series(0, (select homes from division) - 1) home
     join pg_dist_placement p on shardid = get_shard_id_for_distribution_column('batches', home)
     join pg_dist_node using (groupid) where nodeport = $1 order by home`,
    [port],
  )
  return rows.map(({ home }) => home)
}

/** Waits until each message has all its batches, those of lost homes when their server is back. */
export async function untilDecided({ pool }: World): Promise<void> {
  await until('each message had its batches', 60_000, async () => {
    const { rowCount } = await pool.query('select from messages where coordinated_at is null')
    return rowCount === 0
  })
}

type Person = { userId: number; token: string; home: number }

/** People who want pushes, once for each of their phones. */
async function listPeople({ pool }: World): Promise<Person[]> {
  const { rows } = await pool.query<Person>(
    `select u.user_id::int as "userId", d.token, (u.user_id >> 9)::int % (select homes from division)::int as home
     from users u join mobile_devices d on d.user_id = u.user_id and d.removed_at is null
     where deleted_at is null and status = 'active' and exists (
       select from user_settings s where s.user_id = u.user_id and s.setting_value = '1' and s.deleted_at is null)
     order by 1`,
  )
  return rows
}

/** Waits until each phone of people of other homes has its push of a campaign. `waiting`: how many had not before. */
export async function untilOthersHave(
  world: World,
  { messageId, lost }: { messageId: number; lost: number[] },
  withinMs = 60_000,
) {
  const from = performance.now()
  const others = (await listPeople(world)).filter(({ home }) => !lost.includes(home))
  const countWaiting = async () => {
    const reached = await readReached(world, messageId, new Set(others.map(({ home }) => home)))
    return others.filter(({ token }) => !reached.has(token)).length
  }
  const waiting = await countWaiting()
  await until('people of other homes had their pushes', withinMs, async () => (await countWaiting()) === 0)
  return { ms: Math.round(performance.now() - from), pushes: others.length, waiting }
}

/** The phones that have their push of a message, of people of these homes, whose servers alone are asked. */
async function readReached({ pool, provider }: World, messageId: number, homes: Set<number>): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: number }>(
    `select batch_id::int as id from batches where home in (${[...homes].join(', ')}) and message_id = $1`,
    [messageId],
  )
  const batches = new Set(rows.map(({ id }) => id))
  const isOfMessage = ({ notification_id: id }: Accepted) => batches.has(Math.floor(Number(id) / COPIES_A_BATCH))
  return new Set(provider.accepted().flatMap((one) => (isOfMessage(one) ? [one.token] : [])))
}

/** Waits until the person, of a home that is there, has the push of each of this many swaps. */
export async function untilToldOfSwaps(world: World, { userId }: { userId: number }, swaps: number): Promise<void> {
  const { token, home } = (await listPeople(world)).find((person) => person.userId === userId)!
  // What waited for a home is given to it by the next sweep.
  await until('the owner had the pushes of the swaps', 150_000, async () => {
    const { rows } = await world.pool.query<{ id: number }>(
      `select message_id::int as id from messages where event = 'swap_status' and recipient_id = $1`,
      [userId],
    )
    const reached = await Promise.all(rows.map(({ id }) => readReached(world, id, new Set([home]))))
    return reached.filter((tokens) => tokens.has(token)).length === swaps
  })
}

/** One person of the lost homes and two of others, signed in. */
export async function openSessions(
  world: World,
  lost: number[],
): Promise<Record<'lost' | 'other' | 'another', Holder>> {
  const log = createLog('silent')
  const people = await listPeople(world)
  const isLost = ({ home }: Person) => lost.includes(home)
  const one = people.find(isLost)!
  const other = people.find((person) => !isLost(person))!
  const another = people.findLast((person) => !isLost(person))!
  return withPool(world.databaseUrl, { max: 1, log }, async (pool) => {
    const clock = { now: () => Date.now() }
    const sessions = createSessions({ db: queryBuilder(pool), pool, clock, config: configWith({ JWT_SECRET }), log })
    const open = async ({ userId }: Person) => ({ userId, token: (await sessions.open({ userId })).token })
    return { lost: await open(one), other: await open(other), another: await open(another) }
  })
}
type Holder = Traders['owner']
