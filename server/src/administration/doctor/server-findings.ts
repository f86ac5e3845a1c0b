import { firstOf, type Finding } from './findings.ts'
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
const DEAD_ROWS_MOST = 100_000
const ROWS_WITHOUT_STATISTICS = 10_000

export function serverFindings(facts: ServerFacts, context: ServerContext): Finding[] {
  return [
    firstOf(
      'postgresql',
      [['fail', facts.versionNumber < OLDEST_SERVER, `PostgreSQL ${facts.version} is too old: use 15 or later.`]],
      `PostgreSQL ${facts.version}.`,
    ),
    clockFinding(context),
    firstOf(
      'tls',
      [
        [
          'warn',
          context.isRemote && !facts.isEncrypted,
          'The connection to the database is not encrypted: set sslmode=verify-full in DATABASE_URL.',
        ],
      ],
      facts.isEncrypted ? 'The connection to the database is encrypted.' : 'The database is on this machine.',
    ),
    durabilityFinding(facts),
    replicationFinding(facts, context),
    connectionsFinding(facts, context),
    firstOf(
      'jit',
      [
        [
          'fail',
          facts.jit !== 'off',
          'JIT is on in our sessions: switch it off for the role (docs/operations.md, “Through a pooler”).',
        ],
      ],
      'JIT is off in our sessions.',
    ),
    firstOf(
      'transactions',
      [
        [
          'warn',
          facts.transactionAge > OLDEST_TRANSACTION,
          `The oldest transaction id is ${facts.transactionAge} old: find what keeps VACUUM from freezing rows.`,
        ],
      ],
      `The oldest transaction id is ${facts.transactionAge} old.`,
    ),
  ]
}

function clockFinding({ aheadMs }: ServerContext): Finding {
  const offMs = Math.abs(Math.round(aheadMs))
  const where = aheadMs > 0 ? 'behind' : 'ahead of'
  return firstOf(
    'clock',
    [
      [
        'warn',
        offMs > CLOCK_MOST_MS,
        `This machine’s clock is ${offMs} ms ${where} the database’s: repair its time service.`,
      ],
    ],
    `This machine’s clock and the database’s differ by ${offMs} ms.`,
  )
}

function durabilityFinding({ fsync, fullPageWrites, synchronousCommit }: ServerFacts): Finding {
  const off = [
    ...(fsync === 'off' ? ['fsync'] : []),
    ...(fullPageWrites === 'off' ? ['full_page_writes'] : []),
    ...(synchronousCommit === 'off' ? ['synchronous_commit'] : []),
  ]
  const says = `${off.join(', ')} off: what was answered may be lost in a crash. Switch on.`
  return firstOf('durability', [['fail', off.length > 0, says]], 'What was answered survives a crash of the server.')
}

function replicationFinding(facts: ServerFacts, { isProduction }: ServerContext): Finding {
  const { standbys, synchronousStandbys, hiddenStandbys, synchronousStandbyNames: names } = facts
  return firstOf(
    'replication',
    [
      [
        'warn',
        standbys === 0 && names !== '',
        'synchronous_standby_names is set, and no standby is connected: every write waits, or soon will.',
      ],
      [
        'warn',
        standbys === 0 && isProduction,
        'No standby is connected: if this server is lost, so is what was answered since the last backup.',
      ],
      ['ok', standbys === 0, 'No standby is connected.'],
      [
        'warn',
        names === '',
        'The standbys are asynchronous: a failover may lose what was answered and double pushes. Set synchronous_standby_names.',
      ],
      [
        'warn',
        hiddenStandbys === standbys,
        'The role may not see whether a standby is synchronous: grant it pg_monitor.',
      ],
      [
        'warn',
        synchronousStandbys === 0,
        'No connected standby is synchronous: a failover may lose what was answered.',
      ],
      ['warn', facts.synchronousCommit === 'local', 'synchronous_commit is local: writes do not wait for the standby.'],
    ],
    `Synchronous standbys: ${synchronousStandbys}.`,
  )
}

function connectionsFinding(facts: ServerFacts, { pool }: ServerContext): Finding {
  const { maxConnections, reservedConnections, connections } = facts
  const room = maxConnections - reservedConnections
  const each = pool + BESIDE_POOL
  const processes = Math.floor(room / each)
  const size = `max_connections ${maxConnections} has room for ${processes} processes with a DATABASE_POOL of ${pool} (${each} each)`
  return firstOf(
    'connections',
    [
      ['fail', processes === 0, `${size}: raise it, or use a smaller pool.`],
      ['warn', processes === 1, `${size}: another one during a rollout finds none. Raise it, or use a smaller pool.`],
      [
        'warn',
        connections > room * CROWDED,
        `${connections} of ${room} connections are in use: raise max_connections, or use smaller pools.`,
      ],
    ],
    `${size}; ${connections} are in use.`,
  )
}

export function tableFindings(server: ServerFacts, tables: TableFacts[]): Finding[] {
  const excepted = tables.filter(({ isVacuumed }) => !isVacuumed)
  const bloated = tables.filter(({ dead, rows }) => dead > DEAD_ROWS_MOST && dead > rows)
  const unknown = tables.filter(({ rows, isAnalyzed }) => rows > ROWS_WITHOUT_STATISTICS && !isAnalyzed)
  const isOff = server.autovacuum === 'off' || server.trackCounts === 'off'
  return [
    firstOf(
      'autovacuum',
      [
        ['fail', isOff, 'autovacuum or track_counts is off: tables grow and statements get slow. Switch both on.'],
        [
          'warn',
          excepted.length > 0,
          `autovacuum is off for ${namesOf(excepted)}: reset (autovacuum_enabled) on them.`,
        ],
        [
          'warn',
          bloated.length > 0,
          `Most rows are dead in ${namesOf(bloated)}: find the long transaction that keeps them, then VACUUM.`,
        ],
        ['warn', unknown.length > 0, `The planner knows nothing of ${namesOf(unknown)}: run ANALYZE.`],
      ],
      'autovacuum works on all tables.',
    ),
  ]
}

function namesOf(tables: TableFacts[]): string {
  return tables.map(({ name }) => name).join(', ')
}
