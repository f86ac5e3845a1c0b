import type { PushDeps } from './push/deps.ts'
import type { TestClock } from 'pg-boss'
import type { Config } from './platform/config/config.ts'
import { buildersOn } from './platform/db/prepared.ts'
import { createDatabaseClock } from './platform/db/clock.ts'
import { createEnding } from './platform/process/ending.ts'
import { patiently } from './platform/process/patience.ts'
import { connect, type DbPool } from './platform/db/connect.ts'
import { readHomes } from './platform/db/homes.ts'
import { openNodes } from './platform/db/nodes.ts'
import { migrate } from './platform/db/migrate.ts'
import { expectLimits, findPooling } from './platform/db/pooling.ts'
import { LIMITS, type Limits, type Server } from './platform/db/session.ts'
import { openAuditKeys } from './platform/audit/keys.ts'
import { createPasswords } from './identity/passwords/password.ts'
import { openMailer } from './identity/mails/mailer.ts'
import { createActivity } from './identity/activity/activity.ts'
import { createSessions } from './identity/sessions/sessions.ts'
import { createRateLimits } from './platform/limits/rate-limit.ts'
import { createKeptTotals } from './platform/lists/list-counts.ts'
import { QUEUE_NAMES, startQueue } from './platform/jobs/queue.ts'
import { wakePushes } from './push/checks/checks.ts'
import { expectRestoreEnded } from './push/status/restored.ts'
import { isStale } from './marketplace/events/staleness.queries.ts'
import { createLoops, type Loops } from './platform/jobs/loops.ts'
import { openProviders, type ListInstances } from './push/provider/registry.ts'
import { createTraceStore, NO_TRACING, type TraceStore, type Tracing } from './platform/tracing/tracing.ts'
import { createDatabaseMetrics } from './platform/metrics/database-metrics.ts'
import { createHttpMetrics } from './platform/metrics/http-metrics.ts'
import { createProcessMetrics } from './platform/metrics/process-metrics.ts'
import { createRegistry } from './platform/metrics/registry.ts'
import { createWorkMetrics } from './platform/metrics/work-metrics.ts'
import { createFigures } from './administration/figures/figures.ts'
import { createMailMetrics } from './identity/mails/mail-metrics.ts'
import { createPushMetrics } from './push/status/push-metrics.ts'
import { createReadiness } from './platform/health/readiness.ts'
import type { Log } from './platform/shared/log.ts'

// A process that starts waits this long for a database that does not answer yet.
const DATABASE_WAIT_MS = 60_000

/** They are counted whether or not METRICS_PORT serves them. `figures` are read at a scrape. `part` is PROCESS. */
export function createMetrics({ part, loops }: { part: string; loops: Loops }) {
  const registry = createRegistry()
  return {
    registry,
    http: createHttpMetrics(registry),
    database: createDatabaseMetrics(registry),
    work: createWorkMetrics(registry, QUEUE_NAMES, loops),
    push: createPushMetrics(registry),
    mails: createMailMetrics(registry),
    figures: createFigures(registry),
    process: createProcessMetrics(registry, part),
  }
}

export type Deps = PushDeps & { metrics: ReturnType<typeof createMetrics> }

/**
 * Migrates the database and connects every part. Throws when a pooler lets a limit of ADR 9 fall. `isPrepared`, for
 * tests: the database is that of this version, and no pooler is before it.
 */
export async function createDeps(
  config: Config,
  log: Log,
  overrides: {
    clock?: TestClock
    limits?: Partial<Limits>
    migrates?: boolean
    isPrepared?: boolean
    registry?: ListInstances
    traces?: TraceStore
  } = {},
): Promise<{ deps: Deps; close: () => Promise<void> }> {
  const loops = createLoops(config.LOOP_LATE_SECONDS * 1_000)
  const metrics = createMetrics({ part: config.PROCESS, loops })
  const { database } = metrics
  const time = createDatabaseClock(log, metrics.process.clockDiffers)
  // A command says at once that the database does not answer.
  const patience = { waitMs: overrides.migrates === false ? 0 : DATABASE_WAIT_MS, log }
  const pool = await patiently(patience, () =>
    openPool(config, log, { ...overrides, onServer: time.setByServer, database }),
  )
  const { db, pipelined } = buildersOn(pool, { ran: database.ran })
  if (overrides.migrates !== false && !overrides.isPrepared) await patiently(patience, () => migrate(pool, log))
  pool.homes = await patiently(patience, () => readHomes(pool))
  const homes = reachHomes(pool, config, { log, database, limits: overrides.limits })
  await expectRestoreEnded(db)
  const clock = overrides.clock ?? time.clock
  const { stop } = time.follow(pool)
  const queue = await patiently(patience, () =>
    startQueue({
      url: config.DATABASE_URL,
      works: config.PROCESS !== 'web',
      isPrepared: overrides.isPrepared ?? false,
      log,
      pooling: pool.pooling,
      onServer: time.setByServer,
      ran: database.ran,
      waited: (seconds) => database.waited('queue', seconds),
      ...(overrides.clock && { clock: overrides.clock }),
    }),
  )
  database.watch('work', () => [pool])
  database.watch('queue', () => [queue.pool])
  const providers = await openProviders({ db, clock, log, config }, overrides.registry)
  for (const { instance } of providers) metrics.push.open(instance.name, instance.ratePerSecond)
  const rateLimits = createRateLimits({ db, clock, log, config })
  const deps: Deps = {
    config,
    clock,
    log,
    tracing: await openTracing(config, log, overrides.traces),
    pool,
    db,
    pipelined,
    queue,
    providers,
    isStale,
    wakePushes,
    sessions: createSessions({ db, pool, clock, config, log }),
    passwords: createPasswords(),
    rateLimits,
    mailer: await openMailer(config),
    limits: { ...LIMITS, ...overrides.limits },
    activity: createActivity({ db, clock, log }),
    keptTotals: createKeptTotals({ db, pool }),
    auditKeys: await openAuditKeys(db, config),
    metrics,
    loops,
    isReady: createReadiness(pool),
    lifecycle: { ...createEnding(), draining: false, givingUp: new AbortController() },
    onServerChange: time.onServerChange,
  }
  const close = async () => {
    const { until } = deps.lifecycle
    stop()
    await until('activity', deps.activity.close())
    await until('sessions', deps.sessions.flush())
    await until('limits', rateLimits.close())
    await until('the job queue', queue.close())
    await until('providers', Promise.all(providers.map(({ provider }) => provider.close())))
    await until('connections of the database', Promise.all([pool.end(), homes?.end()]))
    await until('traces', deps.tracing.close())
  }
  return { deps, close }
}

/** The servers of homes, of a database that is divided. */
function reachHomes(
  pool: DbPool,
  { DATABASE_URL: url, DATABASE_POOL: max }: Config,
  { log, database, limits }: { log: Log; database: Deps['metrics']['database']; limits: Partial<Limits> | undefined },
): { end(): Promise<unknown> } | undefined {
  if (pool.homes === 1) return undefined
  const waited = (seconds: number) => database.waited('homes', seconds)
  const nodes = openNodes(pool, url, { max, log, waited, ran: database.ran, ...(limits && { limits }) })
  Object.assign(pool, { findNode: nodes.find, findSilence: nodes.findSilence })
  database.watch('homes', nodes.pools)
  return nodes
}

async function openTracing(config: Config, log: Log, store = createTraceStore()): Promise<Tracing> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return NO_TRACING
  const { startTracing } = await import('./platform/tracing/open-telemetry.ts')
  return startTracing(config, log, store)
}

async function openPool(
  { DATABASE_URL: url, DATABASE_POOL: max }: Config,
  log: Log,
  parts: {
    limits?: Partial<Limits>
    isPrepared?: boolean
    onServer: (server: Server) => void
    database: Deps['metrics']['database']
  },
): Promise<DbPool> {
  const { limits, onServer, database } = parts
  const pooling = parts.isPrepared ? 'session' : await findPooling(url)
  if (limits !== undefined && pooling === 'transaction')
    throw new Error(
      'This command takes longer than a pooler in transaction mode allows: connect to PostgreSQL directly.',
    )
  const waited = (seconds: number) => database.waited('work', seconds)
  const options = { max, log, pooling, onServer, waited, ran: database.ran }
  const pool = connect(url, { ...options, ...(limits && { limits }) })
  if (limits === undefined)
    await expectLimits(pool).catch(async (error: unknown) => {
      await pool.end()
      throw error
    })
  return pool
}
