// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../local-postgres/src/embedded.ts'
import { manage } from './support/manage.ts'
import { cloneTemplate, createDatabase } from './support/service.ts'

async function database(kind: 'empty' | 'migrated'): Promise<string> {
  const { url, drop } = await (kind === 'empty' ? createDatabase() : cloneTemplate())
  onTestFinished(drop)
  return url
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(statement)
  await client.end()
  return rows
}

describe('manage', () => {
  test('prints a mistake of the call on standard error with code 2, and help on standard output with 0', async () => {
    const [fault, help] = await Promise.all([manage(['verify-audit', '--expect-coun', '1']), manage(['--help'])])
    expect(fault).toMatchObject({ code: 2, stdout: '' })
    expect(fault.stderr.split('\n')[0]).toBe('--expect-coun is not an option of this command.')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Usage: npm run manage -- COMMAND/)
  })

  test('demands no settings of the service, and names those of the database', async () => {
    const url = await database('migrated')
    // Production refuses this to the service: no provider, no token of it, no secret.
    const production = { NODE_ENV: 'production', DATABASE_URL: url, PORT: 'nonsense' }
    expect(await manage(['check-list-counts'], production)).toMatchObject({ code: 0, stderr: '' })
    const wrong = await manage(['check-list-counts'], { DATABASE_URL: 'mysql://nowhere' })
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('DATABASE_URL must begin with postgres://.')
    const absent = await manage(['check-list-counts'], { NODE_ENV: 'production' })
    expect(absent).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DATABASE_URL must be set in production.'),
    })
  })

  test('migrates only with the command migrate', async () => {
    const url = await database('empty')
    const before = await manage(['check-list-counts'], { DATABASE_URL: url })
    expect(before.code).toBe(1)
    expect(before.stdout).toMatch(/^The database has no tables of Swapbell\. Run `npm run manage -- migrate`/)
    expect(await ask(url, `select to_regclass('users') as users, to_regclass('pgboss.job') as jobs`)).toEqual([
      { users: null, jobs: null },
    ])

    const told = await manage(['migrate'], { DATABASE_URL: url })
    expect(told).toMatchObject({ code: 0, stderr: '' })
    expect(told.stdout).toContain('0001_accounts.sql')
    expect(await manage(['migrate'], { DATABASE_URL: url })).toMatchObject({ stdout: 'The schema is up to date.\n' })
    expect(await manage(['check-list-counts'], { DATABASE_URL: url })).toMatchObject({ code: 0 })
  })

  test('names a database of another version, earlier or later', async () => {
    const url = await database('migrated')
    const [{ last }] = (await ask(url, 'select max(name) as last from schema_migrations')) as [{ last: string }]
    await ask(url, `delete from schema_migrations where name = '${last}'`)
    const earlier = await manage(['check-list-counts'], { DATABASE_URL: url })
    expect(earlier).toMatchObject({ code: 1, stderr: '' })
    expect(earlier.stdout).toContain(`of an earlier version: ${last} did not run there.`)
    await ask(url, `insert into schema_migrations (name, hash) values ('9999_tomorrow.sql', 'x')`)
    const later = await manage(['check-list-counts'], { DATABASE_URL: url })
    expect(later.stdout).toContain('of a later version: 9999_tomorrow.sql ran there.')
  })

  test('says in a sentence that the database cannot be reached, without a stack', async () => {
    const said = await manage(['check-list-counts'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(said).toMatchObject({ code: 1, stderr: '' })
    expect(said.stdout).toBe('The database cannot be used now: connect ECONNREFUSED 127.0.0.1:1\n')
  })

  test('uses the embedded PostgreSQL beside the process that runs it, and starts it when none does', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'swapbell-manage-'))
    const running = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => undefined })
    onTestFinished(async () => {
      await running.remove()
      await rm(dataDir, { recursive: true, force: true })
    })
    expect(await manage(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' })
    expect(await ask(running.url, `select to_regclass('users') is not null as made`)).toEqual([{ made: true }])
    await running.stop()
    expect(await manage(['check-list-counts'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' })
  })
})
