import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../../src/platform/db/connect.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { startQueue } from '../../src/platform/jobs/queue.ts'
import { createLog } from '../../src/platform/shared/log.ts'
import { startPostgres } from './postgres.ts'
import { runSql } from './run-sql.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server whose database `template` is migrated; each service under test gets a copy of it. */
    postgresUrl: string
  }
}

/** Starts one PostgreSQL for the run and prepares the template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres({
    dataDir: await mkdtemp(join(tmpdir(), 'swapbell-test-')),
    // JIT on, as it comes with PostgreSQL: our connections switch it off.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300', jit: 'on' },
  })
  await prepareTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  return () => postgres.remove()
}

async function prepareTemplate(url: string): Promise<void> {
  await runSql(url, 'create database template')
  const template = new URL(url)
  template.pathname = '/template'
  const log = createLog('silent')
  const pool = connect(template.href, { max: 1, log })
  await migrate(pool, log)
  await pool.end()
  const queue = await startQueue({ url: template.href, works: false, log })
  await queue.close()
}
