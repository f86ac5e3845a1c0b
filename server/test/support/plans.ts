import { connect, queryBuilder, withPool, type Db } from '../../src/platform/db/connect.ts'
import { buildersOn } from '../../src/platform/db/prepared.ts'
import type { TestDeps } from './providers.ts'
import type { Service } from './service.ts'

/** The plan of every statement that runs over `deps`, as PostgreSQL tells it. */
export type PlanWatch = { deps: TestDeps; plans: string[]; close(): Promise<void> }

/**
 * The parts of a service over connections that tell the plan of each statement they run: the first time for its values,
 * then for any values, as statements get that come often. `isMeasured`: with what it took, and of the statements of
 * triggers.
 */
export async function watchPlans(service: Service, { isMeasured = false } = {}): Promise<PlanWatch> {
  const { config, log, pool } = service.deps
  await pool.query(`do $$ begin
    execute format('alter database %I set session_preload_libraries = ''auto_explain''', current_database());
    execute format('alter database %I set auto_explain.log_min_duration = 0', current_database());
    execute format('alter database %I set auto_explain.log_level = notice', current_database());
    execute format('alter database %I set auto_explain.log_analyze = ${isMeasured}', current_database());
    execute format('alter database %I set auto_explain.log_timing = off', current_database());
    execute format('alter database %I set auto_explain.log_buffers = ${isMeasured}', current_database());
    execute format('alter database %I set auto_explain.log_wal = ${isMeasured}', current_database());
    execute format('alter database %I set auto_explain.log_nested_statements = ${isMeasured}', current_database());
    execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database());
  end $$`)
  const plans: string[] = []
  const watched = connect(config.DATABASE_URL, { max: 4, log })
  watched.on('connect', (client) => client.on('notice', ({ message }) => plans.push(message ?? '')))
  const deps = { ...service.deps, pool: watched, ...buildersOn(watched, { often: 2 }) }
  return { deps, plans, close: () => watched.end() }
}

/** Stores the rows of large tables over a connection without limits: on a busy machine one statement takes minutes. */
export async function fillTables({ deps }: Service, fill: (db: Db) => Promise<void>): Promise<void> {
  const { config, log } = deps
  const limits = { statementMs: 0, lockMs: 0, silenceMs: 0 }
  await withPool(config.DATABASE_URL, { max: 1, log, limits }, (pool) => fill(queryBuilder(pool)))
}

/** The tables that plans read from end to end. What was only explained is left out. */
export function scannedBy(plans: string[]): string[] {
  const run = plans.filter((plan) => !/^Query Text:\s*explain/m.test(plan))
  const scanned = run.flatMap((plan) => [...plan.matchAll(/(?:Seq|Sample) Scan on (\w+)/g)])
  return scanned.map(([, table = '']) => table)
}

export type Cost = { statements: number; buffers: number; walRecords: number }

/** What measured statements took together: pages that were read, in memory or not, and records of WAL. */
export function measureCost(plans: string[]): Cost {
  const findFirst = (pattern: RegExp) => plans.flatMap((plan) => pattern.exec(plan)?.slice(1).map(Number) ?? [])
  // The first node of a plan holds what is below it.
  const buffers = findFirst(/Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/)
  const records = findFirst(/WAL: records=(\d+)/)
  return { statements: plans.length, buffers: sum(buffers), walRecords: sum(records) }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + (number || 0), 0)
}
