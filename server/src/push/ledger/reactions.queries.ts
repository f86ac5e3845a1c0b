import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { CopyOfUser, DeviceEvent } from '../records/copies.ts'
import { PLACES } from './ledger.ts'
import { HOME } from './home.queries.ts'

/** `opened`: copies of the message, 0 when it was opened before. */
export type OpenedCount = { messageId: number; opened: number }

/** Of a copy: its message and phone. */
function target({ notificationId, userId }: CopyOfUser) {
  return sql`
    target as materialized (
      select c.message_id, c.mobile_devices_id, m.created_at as made_at,
        (select count(*) from copies_of(b) own where own.user_id = ${userId}) as copies
      from batches b cross join lateral copies_of(b) c join messages m on m.message_id = b.message_id
      where b.home = ${HOME} and b.batch_id = ${Math.floor(notificationId / PLACES)}
        and c.notification_id = ${notificationId} and c.user_id = ${userId})`
}

/** Also the user's other copies of its message (decision B18); undefined: the user has no such notification. */
export async function openCopies(tx: Tx, copy: CopyOfUser, now: Date): Promise<OpenedCount | undefined> {
  const { rows } = await sql<OpenedCount>`
    with ${target(copy)},
    opened as (
      insert into reactions as r (user_id, message_id, made_at, opened_at)
      select ${copy.userId}::bigint, message_id, made_at, ${now}::timestamptz from target
      on conflict (home, user_id, message_id, device_id) do nothing returning 1)
    select message_id as "messageId", case when exists (select from opened) then copies else 0 end as opened
    from target`.execute(tx)
  return rows[0]
}

/** Of messages made up to `until`, newest first. */
export async function openSome(
  tx: Tx,
  userId: number,
  { until, limit, now }: { until: Date; limit: number; now: Date },
): Promise<OpenedCount[]> {
  const user = sql`${userId}::bigint`
  const { rows } = await sql<OpenedCount>`
    with chosen as materialized (
      select e.made_at, e.message_id from entries_of(${user}) e
      where e.made_at <= ${until} and not exists (
        select from reactions r
        where r.home = ${HOME} and r.user_id = ${user} and r.message_id = e.message_id and r.device_id = 0)
      order by e.made_at desc, e.message_id desc limit ${limit}),
    opened as (
      insert into reactions (user_id, message_id, made_at, opened_at)
      select ${user}, message_id, made_at, ${now}::timestamptz from chosen
      on conflict do nothing returning message_id)
    select o.message_id as "messageId", (
      select count(*) from (
        select b from batches b
        where b.message_id = o.message_id and b.first_user <= ${user}
        order by b.first_user desc limit 1) held
      cross join lateral copies_of(held.b) c where c.user_id = ${user}) as opened
    from opened o`.execute(tx)
  return rows
}

/** The first time counts; false when the user has no such notification. */
export async function markOnDevice(tx: Tx, copy: CopyOfUser, event: DeviceEvent, now: Date): Promise<boolean> {
  const column = sql.ref(event === 'shown' ? 'shown_at' : 'dismissed_at')
  const { numAffectedRows = 0n } = await sql`
    with ${target(copy)}
    insert into reactions as r (user_id, message_id, device_id, made_at, ${column})
    select ${copy.userId}::bigint, message_id, mobile_devices_id, made_at, ${now}::timestamptz from target
    on conflict (home, user_id, message_id, device_id) do update set ${column} = coalesce(r.${column}, ${now})`.execute(
    tx,
  )
  return numAffectedRows > 0n
}

export async function deleteReactions(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from reactions where ctid = any(array(select ctid from reactions where made_at < ${before} limit ${limit}))`.execute(
    db,
  )
  return Number(numAffectedRows)
}
