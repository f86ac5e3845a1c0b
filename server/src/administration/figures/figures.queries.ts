import { sql } from 'kysely'
import { inOneMessage, type Source } from '../../platform/db/one-message.ts'
import { must } from '../../platform/shared/must.ts'
import type { BreakerState } from '../../platform/tables/tables.ts'
import { everyHome } from '../../push/records/home.queries.ts'
import { RUNNING } from '../../push/records/statuses.queries.ts'
import { toAge, COUNTED_AT_MOST, lanesDue, receiptsDue, type LaneQueue } from '../../push/status/queues.queries.ts'

const PATIENCE_MS = 2_000

/** Ages and times are in seconds. */
export type InstallationFigures = {
  lanes: LaneQueue[]
  providers: { provider: string; breaker: BreakerState; pace_ahead: number; receipts: number; oldest_receipt: number }[]
  alerts: string[]
  uncoordinated: number
  oldest_uncoordinated: number
  /** Requests in flight, and those of them whose lease is over. */
  in_flight: number
  abandoned: number
  mails: number
  oldest_mail: number
  /** Only urgent writes count. */
  oldest_badge_write: number
  /** They made no progress for so long; 0: none runs. */
  idle_export: number
  idle_bulk: number
  /** The planner's statistics say so, as of the last VACUUM or ANALYZE. */
  sessions: number
  audit_entries: number
  /** Seconds since the last piece of the log was archived; null: PostgreSQL archives none. */
  archive_age: number | null
  standbys: number
  needs_standby: boolean
  /** The server keeps so much of its log for the standby that is furthest behind. Null: there is no slot, or this
   * server is a standby itself. */
  retained_bytes: number | null
}

/** One message to the database, with two seconds; then it throws the code 57014. Each count stops at 20,000 rows. */
export async function findInstallationFigures(source: Source, now: Date): Promise<InstallationFigures> {
  const at = sql`${now}::timestamptz`
  const most = sql`${COUNTED_AT_MOST}::int`
  const bounds = { now, most: COUNTED_AT_MOST, pool: source.pool }
  const providers = sql`
    select p.provider, p.breaker, greatest(extract(epoch from p.pace_free_at - ${at}), 0)::float8 as pace_ahead,
      least(count(due.next_receipt_at), ${most})::int as receipts, ${toAge('min(due.next_receipt_at)', now)} as oldest_receipt
    from provider_state p left join (${receiptsDue(bounds)}) due on due.provider = p.provider
    group by p.provider, p.breaker, p.pace_free_at`
  const running = sql`
    select count(*)::int as uncoordinated, ${toAge('min(created_at)', now)} as oldest_uncoordinated from (
      select created_at from messages
      where status in ${RUNNING} and coordinated_at is null and audience <> 'users' limit ${most}) open`
  const flying = sql`
    select count(*)::int as in_flight, (count(*) filter (where lease_until < ${at}))::int as abandoned from (
      select lease_until from requests where home in ${everyHome(source.pool)} and outcome is null
      order by lease_until limit ${most}) open`
  const mails = sql`
    select count(*)::int as mails, ${toAge('min(created_at)', now)} as oldest_mail from (
      select created_at from mails where status = 'waiting' order by due_at limit ${most}) waiting`
  const badges = sql`
    select ${toAge('min(due_at)', now)} as oldest_badge_write from (
      (select due_at from badge_nodes where due_at is not null order by due_at limit 1)
      union all
      (select changed_at from unread where home in ${everyHome(source.pool)} and unwritten <> 0::bit(64)
        order by block limit 1)) due`
  const idle = sql`
    select (select ${toAge('min(coalesce(progress_at, started_at, requested_at))', now)} from exports
        where status in ('queued', 'running')) as idle_export,
      (select ${toAge('min(coalesce(progress_at, started_at, created_at))', now)} from bulk_changes
        where status = 'running') as idle_bulk`
  // Any role sees these columns.
  const server = sql`
    select case when current_setting('archive_mode') <> 'off' then
        (select ${toAge('coalesce(last_archived_time, stats_reset)', now)} from pg_stat_archiver) end as archive_age,
      (select count(*)::int from pg_stat_replication) as standbys,
      current_setting('synchronous_standby_names') <> '' as needs_standby,
      case when not pg_is_in_recovery() then
        (select max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))::float8 from pg_replication_slots) end
          as retained_bytes`
  const figures = sql`
    select (select json_agg(l) from (${lanesDue(bounds)}) l) as lanes,
      (select json_agg(p) from (${providers}) p) as providers,
      (select coalesce(json_agg(code), '[]') from alerts where resolved_at is null) as alerts, running.*, flying.*,
        mails.*, badges.*, idle.*, server.*,
      (select greatest(reltuples, 0)::float8 from pg_class where oid = 'sessions'::regclass) as sessions,
      coalesce((select audit_id from audit_head), 0)::int8 as audit_entries
    from (${running}) running, (${flying}) flying, (${mails}) mails, (${badges}) badges, (${idle}) idle,
      (${server}) server`
  const wishes = { name: 'findInstallationFigures', plans: 'by any index', patienceMs: PATIENCE_MS } as const
  const [rows = []] = await inOneMessage(source, [figures], wishes)
  return must((rows as InstallationFigures[])[0], 'figures of the installation')
}
