import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Runner, Tx } from '../../platform/db/connect.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { toCoordinator } from '../../platform/db/transaction.ts'
import { messagesIn } from '../records/home.queries.ts'
import { listMessageStatuses } from '../records/messages.queries.ts'
import { RUNNING } from '../records/statuses.queries.ts'
import { OF_MESSAGE, WORK, type DueWork } from './work.queries.ts'

// Where more messages run than these, each home is asked which of them have something to do there.
export const NAMED_AT_MOST = 1_000

/** Conditions on work `w` of a home, and on its message `m`. */
type Wish = { work: RawBuilder<unknown>; message: RawBuilder<unknown> }

/**
 * Messages with such work that run, as the coordinator knows: those of the first 1,000 of which any do, in the order of
 * work. `offset 0`: a message is looked up for each, in place of all that the home has.
 */
export async function listRunning(
  { own, coordinator, home }: { own: Runner; coordinator: Runner; home: number },
  { work, message }: Wish,
): Promise<number[]> {
  for (let after = -1; ;) {
    const { rows } = await sql<{ message_id: number; first: number }>`
      select w.message_id, w.first from (
        select message_id, min(work_id) as first from work w
        where w.home = ${home} and ${work} group by message_id having min(work_id) > ${after}) w
      cross join lateral (
        select from ${messagesIn(own, home)} m where m.message_id = w.message_id and ${message} offset 0) m
      order by w.first limit ${NAMED_AT_MOST}`.execute(own)
    const running = await onlyRunning(
      coordinator,
      rows.map((row) => row.message_id),
    )
    const last = rows.at(NAMED_AT_MOST - 1)
    if (running.length > 0 || last === undefined) return running
    after = last.first
  }
}

async function onlyRunning(coordinator: Runner, messageIds: readonly number[]): Promise<number[]> {
  const statuses = await listMessageStatuses(coordinator, [...messageIds])
  return [...statuses].flatMap(([id, status]) => (status === 'queued' || status === 'sending' ? [id] : []))
}

/** `at once`: of transactional messages and those to inboxes alone; `ahead`: of other campaigns. */
export type Undecided = 'at once' | 'ahead'

/** Locks the first of those above `after`, in the order of ids. */
export async function lockUndecidedWork(
  tx: Tx,
  { home, which, after, limit }: { home: number; which: Undecided; after: number; limit: number },
  now: Date,
): Promise<DueWork[]> {
  const isFirst = sql`(m.lane = 'transactional' or m.is_inbox_only) = ${which === 'at once'}`
  const isUndecided = sql`w.provider is null and w.due_at <= ${now} and w.work_id > ${after}`
  return lockRunning(tx, home, { work: isUndecided, message: isFirst, plain: sql`m.sleeps_until is null`, limit })
}

/** Locks the first of those above `after`, in the order of ids. */
export async function lockOverdueWork(
  tx: Tx,
  home: number,
  { after, limit }: { after: number; limit: number },
  now: Date,
): Promise<DueWork[]> {
  return lockRunning(tx, home, { work: sql`w.work_id > ${after}`, message: sql`m.expires_at <= ${now}`, limit })
}

/** `plain`: a condition on the message that only a plain database can ask, where the statement reads messages. */
async function lockRunning(
  tx: Tx,
  home: number,
  { work, message, plain = sql`true`, limit }: Wish & { plain?: RawBuilder<unknown>; limit: number },
): Promise<DueWork[]> {
  const runs =
    countHomes(tx) === 1
      ? sql`m.status in ${RUNNING} and ${plain}`
      : isAmong(await listRunning({ own: tx, coordinator: toCoordinator(tx), home }, { work, message }))
  const { rows } = await sql<DueWork>`
    select ${WORK}, ${OF_MESSAGE} from ${messagesIn(tx, home)} m
    join work w on w.home = ${home} and w.message_id = m.message_id
    where ${runs} and ${message} and ${work}
    order by w.work_id limit ${limit}
    for update of w skip locked`.execute(tx)
  return rows
}

export function isAmong(messageIds: readonly number[]) {
  return sql`m.message_id = any(${int8Array(messageIds)}::bigint[])`
}
