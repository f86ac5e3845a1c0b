import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { EventKind } from '../../platform/events/event-kinds.ts'
import { isOpen } from '../records/copies.queries.ts'
import type { QuietHours } from './quiet-hours.ts'

export type Rechecked = {
  message_id: number
  title: string
  body: string
  data: Record<string, unknown> | null
  /** Its event is over, or a later message to the same person replaces it. */
  stale: boolean
}

/** The transaction has the batches of the messages locked; `isStale` checks what a message is `about`. */
export async function recheckMessages(
  tx: Tx,
  messageIds: number[],
  isStale: (about: RawBuilder<unknown>) => RawBuilder<boolean>,
): Promise<Rechecked[]> {
  const { rows } = await sql<Rechecked>`
    select m.message_id, m.title, m.body, m.data,
      coalesce(${isStale(sql`m.about`)}, false) or (m.merge_key is not null and exists (
        select from messages later
        where later.recipient_id = m.recipient_id and later.merge_key = m.merge_key
          and later.started_at > m.started_at)) as stale
    from messages m where m.message_id = any(${int8Array(messageIds)}::bigint[])`.execute(tx)
  return rows
}

export type PushPreferences = {
  batch_id: number
  user_id: number
  muted: EventKind[]
  quiet: QuietHours | null
  quiet_except: EventKind[]
}

/** In a tried batch only users with an unsent copy; without `offset 0` the planner may read all copies. */
export async function listPreferences(tx: Tx, batchIds: number[]): Promise<PushPreferences[]> {
  const { rows } = await sql<PushPreferences>`
    select b.batch_id, p.user_id, p.muted, p.quiet_except,
      case when p.quiet_start is not null
        then json_build_object('start', p.quiet_start, 'end', p.quiet_end, 'zone', u.time_zone) end as quiet
    from (
      select batch_id, message_id, claim, user_ids,
        (select created_at from messages where message_id = batches.message_id) as message_at
      from batches where batch_id = any(${int8Array(batchIds)}::bigint[]) offset 0) b
    cross join lateral unnest(b.user_ids) r(user_id)
    join push_preferences p on p.user_id = r.user_id
    join users u on u.user_id = p.user_id
    where exists (select from push_preferences) and (b.claim is null or exists (
      select from notifications n
      where n.user_id = r.user_id and n.message_id = b.message_id and n.batch_id = b.batch_id
        and n.message_at = b.message_at and ${isOpen()} offset 0))
    order by b.batch_id, p.user_id`.execute(tx)
  return rows
}
