import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { countOrEstimate } from '../../db/count.ts'
import type { Role } from '../../db/tables.ts'
import type { Details, Link } from './chain.ts'

const CHAIN_LOCK = 7_206_001

/** The end of the chain, which nobody else can move until `tx` ends; undefined when it is empty. */
export async function lockChainEnd(tx: Tx): Promise<{ audit_id: number; hash: string } | undefined> {
  await sql`select pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(tx)
  return tx.selectFrom('audit_log').select(['audit_id', 'hash']).orderBy('audit_id', 'desc').limit(1).executeTakeFirst()
}

/** Appends a link with its details. */
export async function insertLink(tx: Tx, link: Link, details: Details[]): Promise<void> {
  await tx.insertInto('audit_log').values(link).execute()
  if (details.length === 0) return
  const rows = details.map((detail) => ({
    ...detail,
    audit_id: link.audit_id,
    content: JSON.stringify(detail.content),
  }))
  await tx.insertInto('audit_details').values(rows).execute()
}

/** Forgets what the log tells about people; the digests stay, and with them the chain. */
export async function deleteDetailsOf(tx: Tx, userIds: number[]): Promise<void> {
  await tx
    .deleteFrom('audit_details')
    .where('subject_id', '=', sql<number>`any(${userIds})`)
    .execute()
}

/** Up to `limit` links after one, in order, each with the details that are still there. */
export async function listLinksAfter(
  db: Db,
  auditId: number,
  limit: number,
): Promise<(Link & { details: Pick<Details, 'part' | 'salt' | 'content'>[] })[]> {
  const { rows } = await sql<Link & { details: Pick<Details, 'part' | 'salt' | 'content'>[] }>`
    select l.*, coalesce(d.details, '[]') as details
    from (select * from audit_log where audit_id > ${auditId} order by audit_id limit ${limit}) l
    left join lateral (
      select jsonb_agg(jsonb_build_object('part', part, 'salt', salt, 'content', content)) as details
      from audit_details where audit_id = l.audit_id) d on true
    order by l.audit_id`.execute(db)
  return rows
}

export type AuditFilter = {
  actorId?: number | undefined
  action?: string | undefined
  entity?: string | undefined
  entityId?: number | undefined
  requestId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export type AuditRow = {
  audit_id: number
  at: Date
  actor_id: number | null
  actor_name: string | null
  actor_role: Role | null
  action: string
  entity: string | null
  entity_id: number | null
  request_id: string | null
  hash: string
  change: { before: unknown; after: unknown } | null
  origin: { ip: string; user_agent: string | null } | null
}

/** A page of the log with what may still be told of each entry. */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  page: { perPage: number; offset: number; order: 'asc' | 'desc' },
): Promise<AuditRow[]> {
  const order = page.order === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql<AuditRow>`
    select l.audit_id, l.at, l.actor_id, u.name as actor_name, l.actor_role, l.action, l.entity, l.entity_id, l.request_id, l.hash,
      change.content as change, origin.content as origin
    from (${matching(filter)} order by audit_id ${order} limit ${page.perPage} offset ${page.offset}) l
    left join users u on u.user_id = l.actor_id
    left join audit_details change on change.audit_id = l.audit_id and change.part = 'change'
    left join audit_details origin on origin.audit_id = l.audit_id and origin.part = 'origin'
    order by l.audit_id ${order}`.execute(db)
  return rows
}

/** How many entries match; an estimate above 100,000. */
export function countAudit(db: Db, filter: AuditFilter) {
  return countOrEstimate(db, matching(filter))
}

function matching(filter: AuditFilter) {
  const conditions = [
    sql`true`,
    ...(filter.actorId === undefined ? [] : [sql`actor_id = ${filter.actorId}`]),
    ...(filter.action === undefined ? [] : [sql`action = ${filter.action}`]),
    ...(filter.entity === undefined ? [] : [sql`entity = ${filter.entity}`]),
    ...(filter.entityId === undefined ? [] : [sql`entity_id = ${filter.entityId}`]),
    ...(filter.requestId === undefined ? [] : [sql`request_id = ${filter.requestId}`]),
    ...(filter.from === undefined ? [] : [sql`at >= ${filter.from}`]),
    ...(filter.to === undefined ? [] : [sql`at < ${filter.to}`]),
  ]
  return sql`select * from audit_log where ${sql.join(conditions, sql` and `)}`
}
