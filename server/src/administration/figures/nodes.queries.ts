import { sql } from 'kysely'
import { inOneMessage, type Source } from '../../platform/db/one-message.ts'

const PATIENCE_MS = 2_000
const CONNECT_MS = 1_000

/** `node`: its number at the Citus, 0 of the coordinator. What a node says is null while it cannot be reached. */
export type NodeFacts = {
  node: number
  address: string
  /** A worker has homes; the coordinator has none. */
  holds_homes: boolean
  homes: number
  version: string | null
  recovers_every: string | null
  /** The role that settles prepared transactions, if it keeps connections: it ends with one to a lost server. */
  kept_by: string | null
  /** In seconds; 0: no transaction is prepared. */
  oldest_prepared: number | null
  standbys: number | null
}

export type DivisionFacts = { nodes: NodeFacts[]; pool_size: string; modify_mode: string }

/** Asks a divided database for its servers. Throws when the coordinator does not answer. */
export async function findDivisionFacts(source: Source): Promise<DivisionFacts> {
  const question = `select json_build_object('version', substring(citus_version() from '[0-9.]+'),
    'recovers_every', current_setting('citus.recover_2pc_interval'),
    'oldest_prepared', coalesce((select extract(epoch from max(clock_timestamp() - prepared))::float8
      from pg_prepared_xacts where database = current_database()), 0),
    'standbys', (select count(*) from pg_stat_replication),
    'kept_by', (select rolname from pg_extension join pg_roles r on r.oid = extowner
      where extname = 'citus' and '0' is distinct from (
        select substring(setting from '=(.*)') from pg_db_role_setting cross join unnest(setconfig) setting
        where setrole = r.oid and setting like 'citus.max_cached_conns_per_worker=%'
          and setdatabase in (0, (select oid from pg_database where datname = current_database()))
        order by setdatabase desc limit 1)))`
  const nodes = sql`
    with of_nodes as (
      select p.groupid, count(*)::int as homes
      from generate_series(0, (select homes from division) - 1) home
      join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('batches', home)
      group by p.groupid)
    select n.groupid as node, n.nodename || ':' || n.nodeport as address, n.shouldhaveshards as holds_homes,
      coalesce(o.homes, 0) as homes, said.*
    from pg_dist_node n
    left join run_command_on_all_nodes(${question}, give_warning_for_connection_errors => true) r on r.nodeid = n.nodeid
    left join of_nodes o on o.groupid = n.groupid
    cross join json_to_record(case when r.success then r.result::json else '{}' end)
      as said(version text, recovers_every text, oldest_prepared float8, standbys int, kept_by text)
    where n.noderole = 'primary' order by n.groupid`
  const limit = sql`select set_config('citus.node_connection_timeout', ${String(CONNECT_MS)}, true)`
  const settings = sql`select current_setting('citus.max_adaptive_executor_pool_size') as pool_size,
    current_setting('citus.multi_shard_modify_mode') as modify_mode`
  const wishes = { name: 'findDivisionFacts', patienceMs: PATIENCE_MS }
  const [, found = [], [set] = []] = await inOneMessage(source, [limit, nodes, settings], wishes)
  return { nodes: found as NodeFacts[], ...(set as { pool_size: string; modify_mode: string }) }
}
