import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { createDatabase } from '../../../test/support/service.ts'
import { createDeps } from '../../deps.ts'
import { createLog } from '../shared/log.ts'
import { connect, type DbPool } from './connect.ts'
import { copyOut } from './copy-out.ts'
import { migrate } from './migrate.ts'

const log = createLog('silent')

/** The server of the tests has JIT on, as PostgreSQL comes. */
describe('JIT is off', () => {
  test('on the connections of the service and of its queue, where it is on for others', async ({ deps }) => {
    const { pool, queue, db } = deps
    const client = await pool.connect()
    await client.query('reset jit')
    expect((await client.query('show jit')).rows).toEqual([{ jit: 'on' }])
    client.release(true)
    expect(await jitOn(pool)).toBe('off')
    expect(await jitOn(queue.pool)).toBe('off')
    expect((await sql`show jit`.execute(db)).rows).toEqual([{ jit: 'off' }])
  })

  test('on the connection of an export', async ({ deps }) => {
    const { db, config } = deps
    const rows = sql`select current_setting('jit')`
    const { stream, given } = await copyOut(
      { db, url: config.DATABASE_URL, log },
      { rows, counted: rows, format: 'lines' },
    )
    expect(await text(stream)).toBe('off\n')
    await given
  })

  test('for commands, whose limits are others', async ({ deps }) => {
    const config = { ...deps.config, PROCESS: 'web' } as const
    const command = await createDeps(config, log, { limits: { statementMs: 0, idleMs: 0, silenceMs: 0 } })
    onTestFinished(command.close)
    expect(await jitOn(command.deps.pool)).toBe('off')
    expect((await command.deps.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }])
  })

  test('while a migration runs', async () => {
    const { url, drop } = await createDatabase()
    const pool = connect(url, { max: 1, log })
    onTestFinished(async () => {
      await pool.end()
      await drop()
    })
    await pool.query(`
      create table schema_migrations (name text primary key, hash text not null,
        applied_at timestamptz not null default now(), jit text default current_setting('jit'),
        lasts text default current_setting('statement_timeout'))`)
    await migrate(pool, log)
    const { rows } = await pool.query('select distinct jit, lasts from schema_migrations')
    expect(rows).toEqual([{ jit: 'off', lasts: '0' }])
  })
})

async function jitOn(pool: DbPool): Promise<unknown> {
  const { rows } = await pool.query<{ jit: string }>('show jit')
  return rows[0]?.jit
}
