import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { between } from '../../platform/lists/list-rows.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import { defineList } from '../../platform/lists/define-list.queries.ts'
import type { RecordEntry } from './record.ts'

export type AuditFilter = {
  actorId?: number | undefined
  peopleIds?: number[] | undefined
  action?: string | undefined
  entity?: string | undefined
  entityId?: number | undefined
  requestId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** `id` is the place in the log, and `at` is the time that the writer's clock had. */
export type AuditOrder = 'id' | 'at'

type Columns = 'audit_id' | 'at' | 'actor_id' | 'actor_role' | 'action' | 'entity' | 'entity_id' | 'hash'

export type AuditRow = Pick<Selectable<Tables['audit_log']>, Columns | 'times'> & {
  actor_name: string | null
  change: { before: unknown; after: unknown } | null
  origin: { ip: string; user_agent: string | null; request_id?: string | null } | null
}

export const auditLog = defineList<AuditFilter, AuditOrder, AuditRow>(
  {
    table: 'audit_log',
    alias: 'l',
    id: 'audit_id',
    orders: { id: { keys: [sql`l.audit_id`], isUnique: true }, at: { keys: [sql`l.at`] } },
    toConditions: (filter) => [
      filter.actorId !== undefined && sql`l.actor_id = ${filter.actorId}`,
      filter.peopleIds && sql`l.actor_id = any(${filter.peopleIds})`,
      filter.action !== undefined && sql`l.action = ${filter.action}`,
      filter.entity !== undefined && sql`l.entity = ${filter.entity}`,
      filter.entityId !== undefined && sql`l.entity_id = ${filter.entityId}`,
      filter.requestId !== undefined && ofRequest(filter.requestId),
      ...between(sql`l.at`, filter.from, filter.to),
    ],
  },
  (chosen, order) => sql`
    select l.audit_id, l.at, l.actor_id, u.name as actor_name, l.actor_role, l.action, l.entity, l.entity_id, l.hash,
      l.times,
      change.content as change, origin.content as origin
    from (${chosen}) chosen
    join audit_log l on l.audit_id = chosen.audit_id
    left join users u on u.user_id = l.actor_id
    left join audit_details change on change.audit_id = l.audit_id and change.part = 'change'
    left join audit_details origin on origin.audit_id = l.audit_id and origin.part = 'origin'
    order by ${order}`,
)

/** The newest `limit` entries of a record with a change, the oldest first. Changes of purged people are gone. */
export async function listEntityEntries(
  db: Db,
  { entity, entityId }: { entity: string; entityId: number },
  limit: number,
): Promise<RecordEntry[]> {
  const { rows } = await sql<RecordEntry>`
    select * from (
      select l.audit_id, l.at, c.content -> 'before' as before, c.content -> 'after' as after
      from audit_log l
      join audit_details c on c.audit_id = l.audit_id and c.part = 'change'
      where l.entity = ${entity} and l.entity_id = ${entityId}
      order by l.entity desc, l.entity_id desc, l.audit_id desc
      limit ${limit}) newest
    order by audit_id`.execute(db)
  return rows
}

/** The entries of readings of these people's chats: each has a reason, which may be about both sides. */
export async function listReadings(tx: Tx, userIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ audit_id: number }>`
    select l.audit_id from (
      select swap_id from swaps where requester_id = any(${userIds})
      union select swap_id from swaps where owner_id = any(${userIds})) s
    join audit_log l on l.entity = 'swap' and l.entity_id = s.swap_id and l.action = 'swap.messages.read'`.execute(tx)
  return rows.map((row) => row.audit_id)
}

function ofRequest(requestId: string): RawBuilder<boolean> {
  // The ids are looked up first: with a condition on each entry the planner would walk through the log.
  return sql`l.audit_id = any(array(
    select audit_id from audit_details where part = 'origin' and content ->> 'request_id' = ${requestId}))`
}
