import { sql } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'
import type { AuditTables } from '../tables/audit-tables.ts'
import type { Details, Link } from './chain.ts'

const CHAIN_LOCK = 7_206_001

export type ChainEnd = { audit_id: number; hash: string }

/**
 * The end of the log is locked until `tx` ends. The stored end counts too, so that cutting off the last entries leaves
 * a gap.
 */
export async function lockChainEnd(tx: Tx): Promise<ChainEnd | undefined> {
  await sql`select pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(tx)
  const { rows } = await sql<ChainEnd>`
    select audit_id, hash from audit_head
    union all (select audit_id, hash from audit_log order by audit_id desc limit 1)
    order by audit_id desc limit 1`.execute(tx)
  return rows[0]
}

export async function insertLinks(tx: Tx, links: readonly Link[]): Promise<void> {
  await tx.insertInto('audit_log').values(links).execute()
}

export async function insertDetails(tx: Tx, details: readonly (Details & { audit_id: number })[]): Promise<void> {
  if (details.length === 0) return
  const rows = details.map((detail) => ({ ...detail, content: JSON.stringify(detail.content) }))
  await tx.insertInto('audit_details').values(rows).execute()
}

export async function storeHead(tx: Tx, head: ChainEnd & { key_id: string; mac: string }): Promise<void> {
  await tx
    .insertInto('audit_head')
    .values(head)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(head))
    .execute()
}

/** `mac`: of the entry as text, under the key, because whoever can write the table could forge one. */
type Waiting = { entry: string; key_id: string; mac: string }

export async function insertWaiting(tx: Tx, { entry, key_id, mac }: Waiting): Promise<void> {
  await sql`insert into audit_waiting (entry, key_id, mac) values (${entry}, ${key_id}, ${mac})`.execute(tx)
}

export async function isAnyWaiting(db: Db, keyIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`select from audit_waiting where key_id = any(${keyIds}::text[]) limit 1`.execute(db)
  return rows.length > 0
}

/** The keys of entries that wait, but for these. */
export async function listWaitingKeys(db: Db, known: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key_id: string }>`
    select distinct key_id from audit_waiting where key_id <> all(${known}::text[]) order by 1`.execute(db)
  return rows.map((row) => row.key_id)
}

/** The first by their ids. */
export async function takeWaiting(
  tx: Tx,
  keyIds: readonly string[],
  limit: number,
): Promise<(Waiting & { waiting_id: number })[]> {
  const { rows } = await sql<Waiting & { waiting_id: number }>`
    with taken as (
      delete from audit_waiting where waiting_id in (
        select waiting_id from audit_waiting where key_id = any(${keyIds}::text[]) order by waiting_id limit ${limit})
      returning *)
    select * from taken order by waiting_id`.execute(tx)
  return rows
}

/** Those of these people whose accounts are not purged. */
export async function listPresent(tx: Tx, userIds: number[]): Promise<number[]> {
  if (userIds.length === 0) return []
  const rows = await tx.selectFrom('users').select('user_id').where('user_id', 'in', userIds).execute()
  return rows.map((row) => row.user_id)
}

export function findHead(db: Db | Tx) {
  return db.selectFrom('audit_head').selectAll().executeTakeFirst()
}

/** The end of the log if it has moved since the last call. */
export async function takeUnloggedHead(db: Db): Promise<ChainEnd | undefined> {
  return db
    .updateTable('audit_head')
    .set((column) => ({ told_id: column.ref('audit_id') }))
    .where('audit_id', '<>', sql<number>`told_id`)
    .returning(['audit_id', 'hash'])
    .executeTakeFirst()
}

export function listKeys(db: Db | Tx) {
  return db.selectFrom('audit_keys').selectAll().orderBy('registered_at').orderBy('key_id').execute()
}

export async function insertKey(tx: Tx, row: AuditTables['audit_keys']): Promise<void> {
  await tx
    .insertInto('audit_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists people whose details were deleted with their account, or entries whose details were. */
export async function listForgotten(
  db: Db | Tx,
  { action, what }: { action: string; what: 'user_ids' | 'audit_ids' },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select jsonb_array_elements(d.content -> 'after' -> ${what})::bigint as id
    from audit_log l join audit_details d on d.audit_id = l.audit_id and d.part = 'change'
    where l.action = ${action}`.execute(db)
  return rows.map((row) => row.id)
}

const NOBODYS_A_ROUND = 5_000

export async function deleteOriginsWithoutAccount(db: Db, before: Date): Promise<void> {
  await sql`
    delete from audit_details where part = 'origin' and audit_id in (
      select d.audit_id from audit_details d join audit_log l on l.audit_id = d.audit_id
      where d.part = 'origin' and d.subject_id is null and l.at < ${before}
      order by d.audit_id limit ${NOBODYS_A_ROUND})`.execute(db)
}

export type WhichEntries = { isSignIn: boolean; signIns: readonly string[]; spared: readonly string[] }

/** Oldest first, up to `limit`; returns how many. */
export async function deleteDetailsBefore(tx: Tx, which: WhichEntries, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from audit_details where (audit_id, part) in (
      select d.audit_id, d.part from audit_details d join audit_log l on l.audit_id = d.audit_id
      where d.audit_id <= (select audit_id from audit_log where at < ${before} order by at desc, audit_id desc limit 1)
        and l.at < ${before} and (l.action = any(${which.signIns}::text[])) = ${which.isSignIn}
        and l.action <> all(${which.spared}::text[])
      order by d.audit_id limit ${limit})`.execute(tx)
  return Number(numAffectedRows)
}

export async function listForgottenKinds(db: Db | Tx, action: string): Promise<{ kind: string; before: string }[]> {
  const { rows } = await sql<{ kind: string; before: string }>`
    select d.content -> 'after' ->> 'kind' as kind, max(d.content -> 'after' ->> 'before') as before
    from audit_log l join audit_details d on d.audit_id = l.audit_id and d.part = 'change'
    where l.action = ${action} group by 1`.execute(db)
  return rows
}

/** The digests stay, so the chain stays valid. */
export async function deleteUserDetails(tx: Tx, userIds: number[], auditIds: number[]): Promise<void> {
  await sql`delete from audit_details where subject_id = any(${userIds})`.execute(tx)
  await sql`delete from audit_details where audit_id = any(${auditIds}) and part = 'change'`.execute(tx)
}

export async function listLinksAfter(
  db: Db | Tx,
  auditId: number,
  limit: number,
): Promise<(Link & { details: Details[] })[]> {
  const { rows } = await sql<Link & { details: Details[] }>`
    select l.*, coalesce(d.details, '[]') as details
    from (select * from audit_log where audit_id > ${auditId} order by audit_id limit ${limit}) l
    left join lateral (
      select jsonb_agg(jsonb_build_object('part', part, 'subject_id', subject_id, 'salt', salt, 'content', content))
        as details
      from audit_details where audit_id = l.audit_id) d on true
    order by l.audit_id`.execute(db)
  return rows
}
