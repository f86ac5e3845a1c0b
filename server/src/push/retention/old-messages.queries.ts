import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { Deleted, DeleteStep } from '../records/copies.ts'

/** Finished transactional messages of which no notification is left. `last`: how far it looked; null: nothing is old. */
export async function deleteMessages(db: Db, step: DeleteStep): Promise<Deleted> {
  const { rows } = await sql<Deleted>`
    with listed as materialized (
      select message_id, created_at < ${step.before} as is_old,
        type = 'non_promotional' and audience = 'users' and status in ('completed', 'stopped') as may_go
      from messages where message_id > ${step.after} order by message_id limit ${step.limit}),
    gone as (
      delete from messages m using listed l
      where m.message_id = l.message_id and l.is_old and l.may_go
        and not exists (select from notifications n where n.message_id = m.message_id)
      returning 1)
    select (select count(*) from gone) as deleted, (select max(message_id) from listed where is_old) as last`.execute(
    db,
  )
  return must(rows[0], 'count of deleted messages')
}
