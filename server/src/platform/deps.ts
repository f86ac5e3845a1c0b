import type { AuditKeys } from './audit/chain.ts'
import type { Config } from './config/config.ts'
import type { Db, DbPool } from './db/connect.ts'
import type { Limits } from './db/session.ts'
import type { Readiness } from './health/readiness.ts'
import type { Loops } from './jobs/loops.ts'
import type { Queue } from './jobs/queue.ts'
import type { RateLimits } from './limits/rate-limit.ts'
import type { KeptTotals } from './lists/list-counts.ts'
import type { createDatabaseMetrics } from './metrics/database-metrics.ts'
import type { createHttpMetrics } from './metrics/http-metrics.ts'
import type { createProcessMetrics } from './metrics/process-metrics.ts'
import type { MetricRegistry } from './metrics/registry.ts'
import type { createWorkMetrics } from './metrics/work-metrics.ts'
import type { Ending } from './process/ending.ts'
import type { Clock } from './shared/clock.ts'
import type { Log } from './shared/log.ts'
import type { Tracing } from './tracing/tracing.ts'

/** What lives as long as the process. Each quarter adds its own; a function names what it uses of it. */
export type PlatformDeps = {
  config: Config
  clock: Clock
  log: Log
  tracing: Tracing
  pool: DbPool
  db: Db
  /** The same database, for work whose statements do not wait for each other (`together`, ADR 9). */
  pipelined: Db
  queue: Queue
  rateLimits: RateLimits
  limits: Limits
  keptTotals: KeptTotals
  auditKeys: AuditKeys
  metrics: {
    registry: MetricRegistry
    http: ReturnType<typeof createHttpMetrics>
    database: ReturnType<typeof createDatabaseMetrics>
    work: ReturnType<typeof createWorkMetrics>
    process: ReturnType<typeof createProcessMetrics>
  }
  loops: Loops
  lifecycle: Lifecycle
  isReady: Readiness
  /** Calls `listener` when another PostgreSQL answers than before. */
  onServerChange(listener: () => void): void
}

/** `givingUp` aborts when the process has waited long enough for the database. */
type Lifecycle = Ending & { draining: boolean; givingUp: AbortController }
