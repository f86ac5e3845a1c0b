import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'

export type ServerFacts = {
  version: string
  versionNumber: number
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  synchronousStandbyNames: string
  autovacuum: string
  trackCounts: string
  jit: string
  maxConnections: number
  reservedConnections: number
  connections: number
  isEncrypted: boolean
  standbys: number
  synchronousStandbys: number
  /** The role cannot read the details of these sessions. */
  hiddenStandbys: number
  /** `off`, `on` or `always`. */
  archiveMode: string
  /** The newest try to archive a piece of the log failed. */
  archiveFails: boolean
  bufferBytes: number
  bytes: number
  transactionAge: number
}

export async function findServerFacts(db: Db): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_version_num')::int as "versionNumber",
      current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('synchronous_standby_names') as "synchronousStandbyNames",
      current_setting('autovacuum') as autovacuum, current_setting('track_counts') as "trackCounts",
      current_setting('jit') as jit, current_setting('max_connections')::int as "maxConnections",
      current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true), '0')::int as "reservedConnections",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
      (select count(*)::int from pg_stat_replication) as standbys,
      (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')) as "synchronousStandbys",
      (select count(*)::int from pg_stat_replication where sync_state is null) as "hiddenStandbys",
      current_setting('archive_mode') as "archiveMode",
      (select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) from pg_stat_archiver)
        as "archiveFails",
      pg_size_bytes(current_setting('shared_buffers')) as "bufferBytes",
      pg_database_size(current_database()) as bytes,
      (select age(datfrozenxid) from pg_database where datname = current_database()) as "transactionAge"`.execute(db)
  return must(rows[0], 'facts of the server')
}

export type TableFacts = { name: string; rows: number; dead: number; isAnalyzed: boolean; isVacuumed: boolean }

/** `isVacuumed`: autovacuum is not switched off for it. */
export async function listTableFacts(db: Db): Promise<TableFacts[]> {
  const { rows } = await sql<TableFacts>`
    select s.relname as name, s.n_live_tup as rows, s.n_dead_tup as dead,
      coalesce(s.last_analyze, s.last_autoanalyze) is not null or c.reltuples >= 0 as "isAnalyzed",
      not coalesce(c.reloptions, '{}') && array['autovacuum_enabled=false', 'autovacuum_enabled=off'] as "isVacuumed"
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = 'public' order by s.relname`.execute(db)
  return rows
}

export async function findSchemaFacts(
  db: Db,
): Promise<{ indexes: string[]; unusable: string[]; disabledTriggers: string[] }> {
  const { rows } = await sql<{ indexes: string[]; unusable: string[]; disabledTriggers: string[] }>`
    select
      coalesce((select json_agg(indexname) from pg_indexes where schemaname = 'public'), '[]') as indexes,
      coalesce((select json_agg(c.relname) from pg_index i join pg_class c on c.oid = i.indexrelid
        where not (i.indisvalid and i.indisready) and c.relnamespace = 'public'::regnamespace), '[]') as unusable,
      coalesce((select json_agg(t.tgname) from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where t.tgenabled in ('D', 'R') and not t.tgisinternal and c.relnamespace = 'public'::regnamespace), '[]')
        as "disabledTriggers"`.execute(db)
  return must(rows[0], 'facts of the schema')
}

export async function findSendingFacts(db: Db) {
  const providers = await db.selectFrom('provider_state').select(['provider', 'breaker', 'breaker_code']).execute()
  const alerts = await db.selectFrom('alerts').select(['code', 'detail']).where('resolved_at', 'is', null).execute()
  return { providers, alerts }
}
