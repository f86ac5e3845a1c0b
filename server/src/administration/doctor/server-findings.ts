import { fail, ok, warn, type Finding } from './findings.ts'
import type { ServerFacts, TableFacts } from './doctor.queries.ts'

export type ServerContext = {
  isProduction: boolean
  isRemote: boolean
  pool: number
  /** How far the database's clock is ahead of this machine's. */
  aheadMs: number
}

const OLDEST_SERVER = 150_000
const CLOCK_MOST_MS = 2_000
// What a process holds besides its pool (docs/operations.md, "Connections").
const BESIDE_POOL = 12
const CROWDED = 0.8
const OLDEST_TRANSACTION = 1_000_000_000
const MEGABYTE = 1_048_576
const BUFFERS_BY_DEFAULT = 128 * MEGABYTE
const DEAD_ROWS_MOST = 100_000
const ROWS_WITHOUT_STATISTICS = 10_000

export function serverFindings(facts: ServerFacts, context: ServerContext): Finding[] {
  return [
    versionFinding(facts),
    clockFinding(context),
    tlsFinding(facts, context),
    durabilityFinding(facts),
    replicationFinding(facts, context),
    connectionsFinding(facts, context),
    jitFinding(facts),
    ...(context.isProduction ? [archiveFinding(facts), buffersFinding(facts)] : []),
    transactionsFinding(facts),
  ]
}

function versionFinding({ version, versionNumber }: ServerFacts): Finding {
  if (versionNumber < OLDEST_SERVER) return fail('postgresql', `PostgreSQL ${version} is too old: use 15 or later.`)
  return ok('postgresql', `PostgreSQL ${version}.`)
}

function clockFinding({ aheadMs }: ServerContext): Finding {
  const offMs = Math.abs(Math.round(aheadMs))
  const where = aheadMs > 0 ? 'behind' : 'ahead of'
  if (offMs > CLOCK_MOST_MS)
    return warn('clock', `This machine’s clock is ${offMs} ms ${where} the database’s: repair its time service.`)
  return ok('clock', `This machine’s clock and the database’s differ by ${offMs} ms.`)
}

function tlsFinding({ isEncrypted }: ServerFacts, { isRemote }: ServerContext): Finding {
  if (isEncrypted) return ok('tls', 'The connection to the database is encrypted.')
  if (!isRemote) return ok('tls', 'The database is on this machine.')
  return warn('tls', 'The connection to the database is not encrypted: set sslmode=verify-full in DATABASE_URL.')
}

function durabilityFinding({ fsync, fullPageWrites, synchronousCommit }: ServerFacts): Finding {
  const settings = { fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit }
  const off = Object.entries(settings).flatMap(([name, value]) => (value === 'off' ? [name] : []))
  if (off.length === 0) return ok('durability', 'Answered writes survive a crash of the server.')
  return fail('durability', `${off.join(', ')} off: what was answered may be lost in a crash. Switch on.`)
}

function archiveFinding({ archiveMode, archiveFails }: ServerFacts): Finding {
  if (archiveMode === 'off')
    return warn('archive', 'archive_mode is off: what happened since the last backup cannot be restored.')
  if (archiveFails)
    return warn('archive', 'The server cannot archive its log, which fills the disk: pg_stat_archiver says since when.')
  return ok('archive', 'The server archives its changes.')
}

function buffersFinding({ bufferBytes, bytes }: ServerFacts): Finding {
  const says = `shared_buffers has ${Math.round(bufferBytes / MEGABYTE)} MB`
  if (bufferBytes > BUFFERS_BY_DEFAULT || bytes <= bufferBytes) return ok('buffers', `${says}.`)
  return warn('buffers', `${says}, PostgreSQL's default, and the database is larger: give it a quarter of the memory.`)
}

const replicationWarning = (says: string) => warn('replication', says)

function replicationFinding(facts: ServerFacts, { isProduction }: ServerContext): Finding {
  const { standbys, synchronousStandbys, hiddenStandbys, synchronousStandbyNames: names } = facts
  if (standbys === 0) {
    if (names !== '')
      return replicationWarning(
        'synchronous_standby_names is set, and no standby is connected: every write waits, or soon will.',
      )
    if (isProduction)
      return replicationWarning(
        'No standby is connected: if this server is lost, all writes since the last backup are lost.',
      )
    return ok('replication', 'No standby is connected.')
  }
  if (names === '')
    return replicationWarning(
      'The standbys are asynchronous: a failover may lose answered writes and duplicate pushes. Set synchronous_standby_names.',
    )
  if (hiddenStandbys === standbys)
    return replicationWarning('The role may not see whether a standby is synchronous: grant it pg_monitor.')
  if (synchronousStandbys === 0)
    return replicationWarning('No connected standby is synchronous: a failover may lose answered writes.')
  if (facts.synchronousCommit === 'local')
    return replicationWarning('synchronous_commit is local: writes do not wait for the standby.')
  return ok('replication', `Synchronous standbys: ${synchronousStandbys}.`)
}

function connectionsFinding(facts: ServerFacts, { pool }: ServerContext): Finding {
  const { maxConnections, reservedConnections, connections } = facts
  const room = maxConnections - reservedConnections
  const each = pool + BESIDE_POOL
  const processes = Math.floor(room / each)
  const size = `max_connections ${maxConnections} has room for ${processes} processes with a DATABASE_POOL of ${pool} (${each} each)`
  if (processes === 0) return fail('connections', `${size}: raise it, or use a smaller pool.`)
  if (processes === 1)
    return warn('connections', `${size}: another one during a rollout finds none. Raise it, or use a smaller pool.`)
  const used = `${connections} of ${room} connections are in use`
  if (connections > room * CROWDED) return warn('connections', `${used}: raise max_connections, or use smaller pools.`)
  return ok('connections', `${size}; ${connections} are in use.`)
}

function jitFinding({ jit }: ServerFacts): Finding {
  if (jit === 'off') return ok('jit', 'JIT is off in our sessions.')
  return fail('jit', 'JIT is on in our sessions: switch it off for the role (docs/operations.md, “Through a pooler”).')
}

function transactionsFinding({ transactionAge: age }: ServerFacts): Finding {
  const says = `The oldest transaction id is ${age} old`
  if (age > OLDEST_TRANSACTION) return warn('transactions', `${says}: find what keeps VACUUM from freezing rows.`)
  return ok('transactions', `${says}.`)
}

const autovacuumWarning = (says: string) => warn('autovacuum', says)

export function autovacuumFinding({ autovacuum, trackCounts }: ServerFacts, tables: TableFacts[]): Finding {
  const excepted = tables.filter(({ isVacuumed }) => !isVacuumed)
  const bloated = tables.filter(({ dead, rows }) => dead > DEAD_ROWS_MOST && dead > rows)
  const unknown = tables.filter(({ rows, isAnalyzed }) => rows > ROWS_WITHOUT_STATISTICS && !isAnalyzed)
  if (autovacuum === 'off' || trackCounts === 'off')
    return fail('autovacuum', 'autovacuum or track_counts is off: tables grow and statements get slow. Switch both on.')
  if (excepted.length > 0)
    return autovacuumWarning(`autovacuum is off for ${joinNames(excepted)}: reset (autovacuum_enabled) on them.`)
  if (bloated.length > 0)
    return autovacuumWarning(
      `Most rows are dead in ${joinNames(bloated)}: find the long transaction that keeps them, then VACUUM.`,
    )
  if (unknown.length > 0) return autovacuumWarning(`The planner knows nothing of ${joinNames(unknown)}: run ANALYZE.`)
  return ok('autovacuum', 'autovacuum works on all tables.')
}

function joinNames(tables: TableFacts[]): string {
  return tables.map(({ name }) => name).join(', ')
}
