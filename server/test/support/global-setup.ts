import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { startQueue } from '../../src/jobs/queue.ts'
import { createLog } from '../../src/shared/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server whose database `template` is migrated; each service under test gets a copy of it. */
    postgresUrl: string
  }
}

/** Starts one PostgreSQL for the run and prepares the template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startEmbeddedPostgres({
    dataDir: await mkdtemp(join(tmpdir(), 'swapbell-test-')),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    log: () => undefined,
  })
  await prepareTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  return () => postgres.remove()
}

async function prepareTemplate(url: string): Promise<void> {
  const admin = new Client(url)
  await admin.connect()
  await admin.query('create database template')
  await admin.end()
  const template = new URL(url)
  template.pathname = '/template'
  const pool = new Pool({ connectionString: template.href, max: 1 })
  await migrate(pool)
  await pool.end()
  const { boss } = await startQueue({ url: template.href, works: false, log: createLog('silent') })
  await boss.stop({ graceful: false, close: true })
}
