import { sql, type RawBuilder } from 'kysely'
import { asRows } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { recipientsOf, type UserRange } from './audience.queries.ts'
import {
  copiesAsColumns,
  endCode,
  isOfPartition,
  isOpen,
  outcomeColumns,
  recipientsAndCopies,
  type Packing,
} from './copies.queries.ts'
import type {
  ChangeAt,
  CopyMove,
  CopyOfUser,
  DeviceEvent,
  NewCopies,
  OpenedCount,
  Resubmission,
  Resubmitted,
  StoredOutcome,
  StoredReceipt,
  UnknownCopy,
  UnsentCopy,
  WaitingCopy,
} from './copies.ts'
import type { CountChange } from './counts.queries.ts'

const OF_USER = { notificationId: 'bigint', userId: 'bigint' } as const
const OF_REQUEST = { ...OF_USER, submissionId: 'bigint' } as const

/** Of devices of `provider` (undefined: any), in requests of `perRequest`; with `expired` ended, without a request. */
export async function insertCopies(
  tx: Tx,
  batchIds: number[],
  { users, expired, now, ...packing }: { users: UserRange; expired: boolean; now: Date } & Packing,
): Promise<NewCopies[]> {
  if (batchIds.length === 0) return []
  const { rows } = await sql<NewCopies>`
    with ${recipientsAndCopies(batchIds, users, { ...packing, now })},
    stored as (
      insert into notifications (notification_id, message_id, batch_id, user_id, mobile_devices_id, submission_id,
        attempts, error_message, possible_duplicates, settled_at, message_at, created_at, updated_at)
      select notification_id, message_id, batch_id, user_id, device_id,
        case when not ${expired}::boolean then submission_id end, (not ${expired}::boolean)::int,
        case when ${expired}::boolean then case when is_restored then 'OutcomeUnknown' else 'MessageExpired' end end,
        (is_restored and not ${expired}::boolean)::int,
        case when ${expired}::boolean then ${now}::timestamptz end, message_at, ${now}, ${now}
      from copies)
    ${copiesAsColumns()}`.execute(tx)
  return rows
}

/** By another provider, later: they wait for their first attempt. */
export async function insertWaitingCopies(tx: Tx, copies: WaitingCopy[], now: Date): Promise<void> {
  await sql`
    insert into notifications (message_id, batch_id, user_id, mobile_devices_id, message_at, error_message,
      created_at, updated_at)
    select c.message_id, c.batch_id, c.user_id, c.device_id, m.created_at,
      case when m.restored_at is not null then 'OutcomeUnknown' end,
      ${now}::timestamptz, ${now}
    from ${asRows(copies, { messageId: 'bigint', batchId: 'bigint', userId: 'bigint', deviceId: 'bigint' })}
      c(message_id, batch_id, user_id, device_id)
    join messages m on m.message_id = c.message_id`.execute(tx)
}

/** Only the returned copies may be sent: an earlier answer is seen here, a later one finds the copy claimed. */
export async function resubmitNotifications(tx: Tx, again: Resubmission[], at: ChangeAt): Promise<Resubmitted[]> {
  if (again.length === 0) return []
  const { rows } = await sql<Resubmitted>`
    update notifications n set attempts = least(n.attempts + 1, 32767), submission_id = r.submission_id,
      error_message = null, updated_at = ${at.now},
      possible_duplicates = n.possible_duplicates + (n.error_message is not distinct from 'OutcomeUnknown')::int
    from ${asRows(again, { ...OF_REQUEST, before: 'bigint' })} as r(notification_id, user_id, submission_id, before)
    where n.notification_id = r.notification_id and n.user_id = r.user_id and ${isOfPartition(at.made)} and ${isOpen()}
    returning n.notification_id as "notificationId", n.message_id as "messageId",
      n.possible_duplicates - r.before as possible_duplicates`.execute(tx)
  return rows
}

/** Fenced by the submission: a copy that another attempt holds, or that has ended, does not change. */
export async function storeOutcomes(
  tx: Tx,
  outcomes: StoredOutcome[],
  { delivered, made, now }: ChangeAt & { delivered: boolean },
): Promise<CountChange[]> {
  if (outcomes.length === 0) return []
  const { rows } = await sql<CountChange>`
    with changed as (
      update notifications n set ${outcomeColumns(delivered, now)}
      from ${asRows(outcomes, { ...OF_REQUEST, ticketId: 'text', code: 'text', final: 'boolean', unsent: 'boolean' })}
        as r(notification_id, user_id, submission_id, ticket_id, code, final, unsent)
      where n.notification_id = r.notification_id and n.user_id = r.user_id and n.submission_id = r.submission_id
        and ${isOfPartition(made)} and ${isOpen()}
      returning n.message_id, n.is_send, n.is_delivered, n.settled_at)
    select message_id as "messageId", count(*) filter (where is_send) as sent,
      count(*) filter (where is_delivered) as delivered,
      count(*) filter (where not is_send and settled_at is not null) as failed
    from changed group by message_id`.execute(tx)
  return rows
}

export async function endUnsent(tx: Tx, unsent: UnsentCopy[], { made, now }: ChangeAt): Promise<CountChange[]> {
  if (unsent.length === 0) return []
  return end(
    tx,
    now,
    sql`r.code`,
    sql`from ${asRows(unsent, { ...OF_USER, code: 'text' })} as r(notification_id, user_id, code)
      where n.notification_id = r.notification_id and n.user_id = r.user_id and ${isOfPartition(made)}`,
  )
}

/** `code` null: the code of its last attempt. */
export async function endUnsentOfBatches(
  tx: Tx,
  batchIds: number[],
  code: string | null,
  now: Date,
): Promise<CountChange[]> {
  if (batchIds.length === 0) return []
  return end(
    tx,
    now,
    sql`coalesce(${code}::text, n.error_message)`,
    sql`from ${recipientsOf(batchIds)} r
      where n.user_id = r.user_id and n.message_id = r.message_id and n.batch_id = r.batch_id
        and n.message_at = r.message_at`,
  )
}

/** What is in flight, also by a claim that commits meanwhile, settles by itself: it has a request and no error. */
export async function endUnsentToDevice(
  tx: Db | Tx,
  device: { userId: number; deviceId: number },
  code: string,
  now: Date,
): Promise<CountChange[]> {
  return end(
    tx,
    now,
    sql`${code}::text`,
    sql`where n.user_id = ${device.userId} and n.mobile_devices_id = ${device.deviceId}
      and (n.error_message is not null or n.submission_id is null)`,
  )
}

async function end(
  tx: Db | Tx,
  now: Date,
  code: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<CountChange[]> {
  const { rows } = await sql<CountChange>`
    with changed as (
      update notifications n set error_message = ${endCode(code)}, settled_at = ${now}, updated_at = ${now}
      ${which} and ${isOpen()}
      returning n.message_id)
    select message_id as "messageId", count(*) as failed from changed group by message_id`.execute(tx)
  return rows
}

/** Of given-up requests, or of none. */
export async function markUnknown(tx: Tx, copies: UnknownCopy[], now: Date): Promise<void> {
  if (copies.length === 0) return
  await sql`
    update notifications n set error_message = 'OutcomeUnknown', updated_at = ${now}
    from ${asRows(copies, OF_REQUEST)} as r(notification_id, user_id, submission_id)
    where n.notification_id = r.notification_id and n.user_id = r.user_id
      and n.submission_id is not distinct from r.submission_id and ${isOpen()}`.execute(tx)
}

export async function moveCopies(tx: Tx, moves: CopyMove[]): Promise<void> {
  if (moves.length === 0) return
  await sql`
    update notifications n set batch_id = r.to_batch
    from ${asRows(moves, { userId: 'bigint', from: 'bigint', to: 'bigint' })} as r(user_id, from_batch, to_batch)
      join batches b on b.batch_id = r.from_batch
      join messages m on m.message_id = b.message_id
    where n.user_id = r.user_id and n.message_id = b.message_id and n.batch_id = b.batch_id
      and n.message_at = m.created_at
      and ${isOpen()}`.execute(tx)
}

/** Spec: receipt processing. */
export async function storeReceipts(tx: Tx, receipts: StoredReceipt[], at: ChangeAt): Promise<CountChange[]> {
  if (receipts.length === 0) return []
  const { rows } = await sql<CountChange>`
    with changed as (
      update notifications n set is_delivered = r.delivered, error_message = r.code, settled_at = ${at.now},
        updated_at = ${at.now}
      from ${asRows(receipts, { ...OF_USER, delivered: 'boolean', code: 'text' })}
        as r(notification_id, user_id, delivered, code)
      where n.notification_id = r.notification_id and n.user_id = r.user_id and ${isOfPartition(at.made)}
        and case when n.ticket_id is not null and n.is_delivered is null then true else false end
      returning n.message_id, n.is_delivered)
    select message_id as "messageId", count(*) filter (where is_delivered) as delivered,
      count(*) filter (where not is_delivered) as failed
    from changed group by message_id`.execute(tx)
  return rows
}

/** Also the user's other copies of its message (decision B18); undefined: the user has no such notification. */
export async function openCopies(tx: Tx, target: CopyOfUser, now: Date): Promise<OpenedCount | undefined> {
  const { rows } = await sql<OpenedCount>`
    with target as (
      select message_id from notifications
      where notification_id = ${target.notificationId} and user_id = ${target.userId} and deleted_at is null),
    changed as (
      update notifications n set is_open = true, opened_at = ${now}, updated_at = ${now}
      from target where n.user_id = ${target.userId} and n.message_id = target.message_id and not n.is_open
      returning 1)
    select message_id as "messageId", (select count(*) from changed) as opened from target`.execute(tx)
  return rows[0]
}

/** Of messages made up to `until`, newest first. */
export async function openSome(
  tx: Tx,
  userId: number,
  { until, limit, now }: { until: Date; limit: number; now: Date },
): Promise<OpenedCount[]> {
  const { rows } = await sql<OpenedCount>`
    with chosen as (
      select notification_id from notifications
      where user_id = ${userId} and not is_open and deleted_at is null and coalesce(message_at, created_at) <= ${until}
      order by coalesce(message_at, created_at) desc, message_id desc limit ${limit} for no key update),
    changed as (
      update notifications n set is_open = true, opened_at = ${now}, updated_at = ${now}
      where n.user_id = ${userId} and n.notification_id in (select notification_id from chosen) and not n.is_open
      returning n.message_id)
    select message_id as "messageId", count(*) as opened from changed group by message_id`.execute(tx)
  return rows
}

/** The first time counts; false when the user has no such notification. */
export async function markOnDevice(tx: Tx, target: CopyOfUser, event: DeviceEvent, now: Date): Promise<boolean> {
  const column = sql.ref(event === 'shown' ? 'shown_at' : 'dismissed_at')
  const { numAffectedRows = 0n } = await sql`
    update notifications set ${column} = coalesce(${column}, ${now}), updated_at = ${now}
    where notification_id = ${target.notificationId} and user_id = ${target.userId} and deleted_at is null`.execute(tx)
  return numAffectedRows > 0n
}
