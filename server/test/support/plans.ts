import { connect, queryBuilder, withPool, type Db } from '../../src/platform/db/connect.ts'
import type { TestDeps } from './providers.ts'
import type { Service } from './service.ts'

/** The plan of every statement that runs over `deps`, as PostgreSQL tells it. */
export type PlanWatch = { deps: TestDeps; plans: string[]; close(): Promise<void> }

/** The parts of a service over connections that tell the plan of each statement they run. */
export async function watchPlans(service: Service): Promise<PlanWatch> {
  const { config, log, pool } = service.deps
  await pool.query(`do $$ begin
    execute format('alter database %I set session_preload_libraries = ''auto_explain''', current_database());
    execute format('alter database %I set auto_explain.log_min_duration = 0', current_database());
    execute format('alter database %I set auto_explain.log_level = notice', current_database());
  end $$`)
  const plans: string[] = []
  const watched = connect(config.DATABASE_URL, { max: 4, log })
  watched.on('connect', (client) => client.on('notice', ({ message }) => plans.push(message ?? '')))
  const deps = { ...service.deps, pool: watched, db: queryBuilder(watched) }
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
