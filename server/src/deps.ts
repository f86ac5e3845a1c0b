import type { Pool } from 'pg'
import type { TestClock } from 'pg-boss'
import type { Config } from './config.ts'
import { followDatabaseClock } from './db/clock.ts'
import { connect, queryBuilder, type Db, type Limits } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { openAuditKeys, type AuditKeys } from './features/audit/keys.ts'
import { createPasswords, type Passwords } from './features/auth/password.ts'
import { createActivity, type Activity } from './features/activity/activity.ts'
import { createSessions, type Sessions } from './features/auth/sessions.ts'
import { createRateLimits, type RateLimits } from './http/rate-limit.ts'
import { startQueue, type Queue } from './jobs/queue.ts'
import { createExpoProvider } from './push/expo.ts'
import type { Provider } from './push/provider.ts'
import { createRemovalGuard, type RemovalGuard } from './push/removal-guard.ts'
import { createSlots, type Slots } from './push/slots.ts'
import type { Clock } from './shared/clock.ts'
import type { Log } from './shared/log.ts'

/** What the parts of the service are given; each asks for what it uses. */
export type Deps = {
  config: Config
  clock: Clock
  log: Log
  pool: Pool
  db: Db
  queue: Queue
  provider: Provider
  removalGuard: RemovalGuard
  slots: Slots
  sessions: Sessions
  passwords: Passwords
  rateLimits: RateLimits
  activity: Activity
  auditKeys: AuditKeys
  /** Set when the process begins to shut down. */
  lifecycle: { draining: boolean }
}

/**
 * The composition root: migrates the database and connects every part. `overrides.clock` is for tests,
 * `overrides.limits` for commands. The second
 * value releases everything, in order.
 */
export async function createDeps(
  config: Config,
  log: Log,
  overrides: { clock?: TestClock; limits?: Partial<Limits> } = {},
): Promise<{ deps: Deps; close: () => Promise<void> }> {
  const pool = connect(config.DATABASE_URL, {
    max: config.DATABASE_POOL,
    log,
    ...(overrides.limits && { limits: overrides.limits }),
  })
  const db = queryBuilder(pool)
  await migrate(pool)
  const { clock, stop } = overrides.clock
    ? { clock: overrides.clock, stop: () => undefined }
    : await followDatabaseClock(pool, log)
  const queue = await startQueue({
    url: config.DATABASE_URL,
    works: config.PROCESS !== 'web',
    log,
    ...(overrides.clock && { clock: overrides.clock }),
  })
  const provider = createExpoProvider(config)
  const rateLimits = createRateLimits({
    db,
    clock,
    log,
    enabled: config.RATE_LIMITS === 'on',
    overrides: config.RATE_LIMIT_OVERRIDES,
  })
  const deps: Deps = {
    config,
    clock,
    log,
    pool,
    db,
    queue,
    provider,
    removalGuard: createRemovalGuard(db),
    slots: createSlots(config.PUSH_CONCURRENCY),
    sessions: createSessions({ db, pool, clock, config }),
    passwords: createPasswords(),
    rateLimits,
    activity: createActivity({ db, clock, log }),
    auditKeys: await openAuditKeys(db, config),
    lifecycle: { draining: false },
  }
  const close = async () => {
    stop()
    await deps.activity.close()
    await rateLimits.close()
    await queue.boss.stop({ graceful: false, close: true })
    await provider.close()
    await pool.end()
  }
  return { deps, close }
}
