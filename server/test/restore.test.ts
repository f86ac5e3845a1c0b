// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../local-postgres/src/embedded.ts'
import { takeBackup } from '../src/administration/backup/backup.ts'
import { findProgram, toLibpq } from '../src/administration/backup/postgres-programs.ts'
import { connect, queryBuilder } from '../src/platform/db/connect.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { createLog } from '../src/platform/shared/log.ts'
import { COMPILED } from './support/environment.ts'
import { manage, spawnManage } from './support/manage.ts'
import { otherPrograms } from './support/postgres.ts'
import { runSql } from './support/run-sql.ts'

// The embedded PostgreSQL has no pg_dump, so these run on a stock one.
const PROGRAMS = otherPrograms() ?? '/usr/lib/postgresql/15/bin'
const hasPrograms = await access(join(PROGRAMS, 'pg_dump')).then(
  () => true,
  () => false,
)
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const PEOPLE = `
  insert into users (username, email, name, password_hash, role) values
    ('ada', 'ada@example.com', 'Ada', 'none', 'user'), ('root', 'root@example.com', 'Root', 'none', 'super_admin');
  insert into sessions (session_id, user_id, created_at, expires_at, ends_at)
    select gen_random_uuid(), user_id, now(), now() + interval '1 day', now() + interval '1 day' from users;
  insert into messages (type, audience, lane, needs_opt_in, title, body, status, created_at, updated_at, expires_at)
    values ('promotional', 'all', 'campaign', true, 'Hello', 'There', 'sending', now(), now(), now() + interval '1 day')`
const LOOK = `
  select (select breaker_code from provider_state) as halt, (select count(*)::int from users) as users,
    (select array_agg(role order by role) from users join sessions using (user_id) where revoked_at is null) as open,
    (select count(*)::int from messages where restored_at is not null) as doubted,
    nextval('push_ids') > 10000000 as "isAhead"`

// The restored database has it too: what was not over is marked last, and then waits for a lock of the test.
const WAITS_FOR_THE_TEST = `
  create function wait_for_the_test() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(7); return new; end';
  create trigger waits before update on messages for each row execute function wait_for_the_test()`
const SENTENCE = 'A restore into this database has not ended.'
const UNFINISHED = expect.stringContaining(SENTENCE) as string

let folder: string
let server: EmbeddedPostgres

describe.skipIf(!hasPrograms)('a backup', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swapbell-restores-'))
    const dataDir = join(folder, 'data')
    server = await startEmbeddedPostgres({
      dataDir,
      programs: PROGRAMS,
      settings: { fsync: 'off' },
      log: () => undefined,
    })
    const pool = connect(server.url, { max: 1, log: createLog('silent') })
    await migrate(pool, createLog('silent'))
    await pool.end()
    await runSql(server.url, PEOPLE)
  })

  afterAll(async () => {
    await server.remove()
    await rm(folder, { recursive: true })
  })

  test('of a service that was stopped is restored as it was, where that is said', async () => {
    const [file, into] = [join(folder, 'planned'), await emptyDatabase('planned')]
    const backup = await manage(['backup', '--to', file], { DATABASE_URL: server.url, PATH: PROGRAMS })
    expect(backup).toMatchObject({ code: 0, stderr: '' })
    expect(backup.stdout).toMatch(
      /^Backed up swapbell as of .*; entries of the audit log: 0, messages that were not over: 1\./,
    )
    const args = ['restore', '--from', file, '--planned']
    expect(await manage(args, { DATABASE_URL: into, PATH: PROGRAMS })).toMatchObject({ code: 0, stderr: '' })
    expect(await runSql(into, LOOK)).toEqual([
      { halt: null, users: 2, open: ['super_admin', 'user'], doubted: 0, isAhead: true },
    ])
  })

  test('whose restore was killed near its end lets nothing start until it is finished, or done again elsewhere', async () => {
    const [file, into, again] = [join(folder, 'killed'), await emptyDatabase('killed'), await emptyDatabase('again')]
    const settings = {
      JWT_SECRET: 'a key for signing that only this test knows, 64 bytes or so',
      PATH: PROGRAMS,
    }
    await runSql(server.url, WAITS_FOR_THE_TEST)
    expect(await manage(['backup', '--to', file], { ...settings, DATABASE_URL: server.url })).toMatchObject({ code: 0 })
    const hold = new Client(into)
    await hold.connect()
    await hold.query('select pg_advisory_lock(7)')
    const restoring = spawnManage(['restore', '--from', file], { ...settings, DATABASE_URL: into })
    const ended = once(restoring, 'close')
    const others = `select wait_event from pg_stat_activity where datname = 'killed' and pid <> pg_backend_pid()`
    await expect.poll(async () => (await hold.query(others)).rows).toContainEqual({ wait_event: 'advisory' })
    restoring.kill('SIGKILL')
    await ended
    await hold.query('select pg_advisory_unlock(7)')
    await expect.poll(async () => (await hold.query(others)).rowCount).toBe(0)
    const { rowCount: migrations } = await hold.query('select from schema_migrations')
    expect(migrations).toBeGreaterThan(0)
    await hold.end()

    const deaf = { ...settings, DATABASE_URL: into }
    for (const part of ['web', 'worker']) expect(await readStart(part, deaf)).toEqual({ code: 1, hasSaid: true })
    for (const command of ['resume', 'check-list-counts', 'verify-audit'])
      expect(await manage([command], deaf)).toMatchObject({ code: 1, stdout: '', stderr: UNFINISHED })
    expect(await manage(['restore', '--from', file], deaf)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The database is not empty') as string,
    })

    expect(await manage(['restore', '--from', file], { ...settings, DATABASE_URL: again })).toMatchObject({ code: 0 })
    expect(await manage(['after-recovery'], deaf)).toMatchObject({ code: 0 })
    for (const url of [into, again]) {
      expect(await runSql(url, LOOK)).toMatchObject([{ halt: 'Restored', users: 2, doubted: 1, isAhead: true }])
      expect(await manage(['resume'], { ...settings, DATABASE_URL: url })).toMatchObject({ code: 0, stderr: '' })
    }
    await runSql(server.url, 'drop function wait_for_the_test cascade')
  })

  test('of a version before 1.0 is refused, and nothing is restored', async () => {
    const [path, into] = [join(folder, 'old'), await emptyDatabase('old')]
    await runSql(server.url, `update schema_migrations set name = 'of then' where name = '0001_platform.sql'`)
    const pool = connect(server.url, { max: 1, log: createLog('silent') })
    const { address, program: pgDump } = toLibpq(
      { url: server.url, tls: 'off', env: {} },
      await findProgram(join(PROGRAMS, 'pg_dump')),
    )
    await takeBackup({ db: queryBuilder(pool), address, pgDump, appVersion: '0.3.0' }, path)
    await pool.end()
    await runSql(server.url, `update schema_migrations set name = '0001_platform.sql' where name = 'of then'`)
    const said = await manage(['restore', '--from', path], { DATABASE_URL: into, PATH: PROGRAMS })
    expect(said).toMatchObject({ code: 1, stdout: '' })
    expect(said.stderr).toContain('The backup is of a database that was made by Swapbell 0.3 or earlier')
    expect(await runSql(into, `select to_regclass('users') as users`)).toEqual([{ users: null }])
  })

  test('ends the sessions of all where that is said, and halts sending', async () => {
    const [file, into] = [join(folder, 'ended'), await emptyDatabase('ended')]
    const settings = { DATABASE_URL: server.url, PATH: PROGRAMS }
    expect(await manage(['backup', '--to', file], settings)).toMatchObject({ code: 0 })
    const args = ['restore', '--from', file, '--end-sessions']
    const said = await manage(args, { DATABASE_URL: into, PATH: PROGRAMS })
    expect(said).toMatchObject({ code: 0, stderr: '' })
    expect(said.stdout).toContain('Sessions of users and administrators that have ended: 2.')
    expect(await runSql(into, LOOK)).toEqual([{ halt: 'Restored', users: 2, open: null, doubted: 1, isAhead: true }])

    // A restore ends by halting sending; until then no process of the service starts there.
    await runSql(into, 'delete from schema_migrations')
    const unfinished = connect(into, { max: 1, log: createLog('silent') })
    await expect(migrate(unfinished, createLog('silent'))).rejects.toThrow(/already exists/)
    await unfinished.end()
  })
})

/** How a process of the service ends that is started there. */
async function readStart(part: string, settings: Record<string, string>): Promise<{ code: unknown; hasSaid: boolean }> {
  const env = {
    ...COMPILED,
    ...settings,
    PATH: process.env['PATH'],
    PROCESS: part,
    PORT: '0',
    EXPO_BASE_URL: 'http://127.0.0.1:1',
  }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  // It is ready, so it has started.
  child.once('message', () => child.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(child.stdout!), once(child, 'close') as Promise<unknown[]>])
  return { code, hasSaid: said.includes(SENTENCE) }
}

async function emptyDatabase(name: string): Promise<string> {
  await runSql(server.url, `create database ${name}`)
  return Object.assign(new URL(server.url), { pathname: `/${name}` }).href
}
