import { sql, type RawBuilder } from 'kysely'
import type { DbPool } from '../../platform/db/connect.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { inOneMessage, unlessTooLong, type Source } from '../../platform/db/one-message.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import { unionOfHomes } from '../records/home.queries.ts'
import { RUNNING } from '../records/statuses.queries.ts'

/** Counts end here: so many, or more. */
export const COUNTED_AT_MOST = 20_000

const PATIENCE_MS = 500

/** `oldest`: for how many seconds; 0 when nothing is due. */
type Queue = { due: number; oldest: number }

export type LaneQueue = Queue & { lane: Lane }

/** Copies that wait for a provider, in up to 20,000 pieces of work, and when the first is due of those that wait for no
 * paused platform. */
export type Waiting = { provider: string; copies: number; nextAt: Date | null }

/** Batches of running messages by lane, requests whose receipts are due, and what waits for each provider. */
export type Queues = { lanes: LaneQueue[]; receipts: Queue; waiting: Waiting[] }

type Bounds = { now: Date; most: number; pool: DbPool }

/** The age of a column of times, in seconds. */
export function toAge(time: string, now: Date): RawBuilder<unknown> {
  return sql`coalesce(greatest(extract(epoch from ${now}::timestamptz - ${sql.raw(time)}), 0), 0)::float8`
}

/** Gives a `LaneQueue` for each lane; reads by index. */
export function lanesDue({ now, most, pool }: Bounds): RawBuilder<unknown> {
  const limit = sql`${most}::int`
  const lanes = sql`unnest(array['transactional', 'campaign']) with ordinality lanes (lane, place)`
  // Where there are several homes, the coordinator knows which messages run.
  const ofHome = (home: number) => sql`
    select message_id, min(due_at) as due_at, count(*) as n from work
    where home = ${home} and due_at <= ${now}::timestamptz group by message_id`
  const dueOf = (home: number) => sql`
    select lanes.lane as of_lane, due.due_at, 1 as n from ${lanes} cross join lateral (
      select b.due_at from (
        select message_id from messages m
        where m.status in ${RUNNING} and m.lane = lanes.lane and m.sleeps_until is null
        order by m.created_at, m.message_id limit ${limit}) m
      cross join lateral (
        select due_at from work
        where home = ${home} and message_id = m.message_id and due_at <= ${now}::timestamptz
        order by due_at limit ${limit}) b
      limit ${limit}) due`
  const due =
    countHomes(pool) === 1
      ? dueOf(0)
      : sql`
        select m.lane as of_lane, due_at, n from (${unionOfHomes(pool, ofHome)}) w join messages m using (message_id)
        where m.status in ${RUNNING}`
  return sql`
    select lane, least(coalesce(sum(n), 0), ${most}::int)::int as due, ${toAge('min(due_at)', now)} as oldest
    from ${lanes} left join (${due}) due on of_lane = lane
    group by lane, place order by place`
}

/** Gives `provider` and `next_receipt_at`; reads by index. */
export function receiptsDue({ now, most, pool }: Bounds): RawBuilder<unknown> {
  const dueOf = (home: number) => sql`
    select provider, next_receipt_at from requests where home = ${home} and next_receipt_at <= ${now}::timestamptz
    order by next_receipt_at limit ${most}::int`
  return unionOfHomes(pool, dueOf)
}

/** Undefined when the database takes longer than half a second for a statement. */
export async function findQueues(
  source: Source,
  { now, most = COUNTED_AT_MOST }: { now: Date; most?: number },
): Promise<Queues | undefined> {
  const bounds = { now, most, pool: source.pool }
  const receipts = sql`
    select least(count(*), ${most}::int)::int as due, ${toAge('min(next_receipt_at)', now)} as oldest
    from (${receiptsDue(bounds)}) due`
  const statements = [lanesDue(bounds), receipts, waitingCopies(bounds)]
  const options = { name: 'findQueues', plans: 'by any index', patienceMs: PATIENCE_MS } as const
  const found = await unlessTooLong(inOneMessage(source, statements, options))
  if (found === undefined) return undefined
  const [lanes, ofReceipts, waiting] = found as [LaneQueue[], Queue[], Waiting[]]
  return { lanes, receipts: must(ofReceipts[0], 'count of receipts'), waiting }
}

function waitingCopies({ most, pool }: Bounds): RawBuilder<unknown> {
  const waitingIn = (home: number) => sql`
    select p.provider as of, w.* from provider_state p cross join lateral (
      select cardinality(places) as copies, due_at, platform from work
      where home = ${home} and provider = p.provider order by due_at limit ${most}::int) w`
  return sql`
    select p.provider, coalesce(sum(w.copies), 0)::int as copies,
      min(w.due_at) filter (where w.platform is null) as "nextAt"
    from provider_state p left join (${unionOfHomes(pool, waitingIn)}) w on w.of = p.provider
    group by p.provider`
}
