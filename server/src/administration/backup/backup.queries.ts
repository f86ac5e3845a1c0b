import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { must } from '../../platform/shared/must.ts'
import { UNFINISHED } from '../../push/records/statuses.queries.ts'
import type { BackupFacts } from './backup-file.ts'

/** `snapshot`: its name, by which others read at the same moment. */
export type Snapshot = Omit<BackupFacts, 'format' | 'app_version' | 'client_version'> & { snapshot: string }

/** The snapshot lasts as long as `tx`. */
export async function takeSnapshot(tx: Tx): Promise<Snapshot> {
  // The transaction is idle while others read.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  const { rows } = await sql<Snapshot & { taken: Date }>`
    select pg_export_snapshot() as snapshot, now() as taken,
      split_part(current_setting('server_version'), ' ', 1) as server_version,
      current_database() as database,
      (select json_agg(name order by name) from schema_migrations) as migrations,
      (select json_build_object('entries', audit_id, 'head', hash) from audit_head) as audit,
      (select count(*) from messages where status in ${UNFINISHED}) as unfinished`.execute(tx)
  const { taken, ...found } = must(rows[0], 'snapshot')
  return { ...found, taken_at: taken.toISOString() }
}

/** `relations`: tables, views and sequences that are not an extension's. */
export async function findTarget(db: Db): Promise<{ server_version: string; relations: number }> {
  const { rows } = await sql<{ server_version: string; relations: number }>`
    select split_part(current_setting('server_version'), ' ', 1) as server_version, count(c.oid) as relations
    from (values (1)) one
    left join pg_class c on c.relnamespace in (
        select oid from pg_namespace where nspname <> 'information_schema' and nspname !~ '^pg_')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and d.deptype = 'e')
    `.execute(db)
  return must(rows[0], 'target')
}

/** Moves every sequence past `by` more numbers: numbers given out after the backup must not come to mean something
 * else. Each server of a divided database has its own. */
export async function advanceSequences(db: Db, by: number): Promise<void> {
  const advance = `select count(setval(format('%I.%I', schemaname, sequencename)::regclass,
      least(max_value, coalesce(last_value, start_value) + increment_by * ${by}::bigint)))
    from pg_sequences where schemaname = 'public'`
  if (countHomes(db) === 1) return void (await sql.raw(advance).execute(db))
  const failed = sql<{ result: string }>`select result from run_command_on_all_nodes(${advance}) where not success`
  for (const { result } of (await failed.execute(db)).rows)
    throw new Error(`A server does not advance its ids: ${result}`)
}

export async function findAuditEnd(db: Db): Promise<BackupFacts['audit']> {
  const { rows } = await sql<{ entries: number; head: string }>`
    select audit_id as entries, hash as head from audit_head`.execute(db)
  return rows[0] ?? null
}

/** A restored database has no statistics. */
export async function analyze(db: Db): Promise<void> {
  await sql`analyze`.execute(db)
}
