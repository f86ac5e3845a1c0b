// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../local-postgres/src/embedded.ts'
import { manage } from './support/manage.ts'
import { cloneTemplate, createDatabase } from './support/service.ts'
import { runSql } from './support/run-sql.ts'

async function database(kind: 'empty' | 'migrated'): Promise<string> {
  const { url, drop } = await (kind === 'empty' ? createDatabase() : cloneTemplate())
  onTestFinished(drop)
  return url
}

describe('manage', () => {
  test('prints a mistake of the call on standard error with code 2, and help on standard output with 0', async () => {
    const [fault, help] = await Promise.all([manage(['verify-audit', '--expect-coun', '1']), manage(['--help'])])
    expect(fault).toMatchObject({ code: 2, stdout: '' })
    expect(fault.stderr.split('\n')[0]).toBe('--expect-coun is not an option of this command.')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Usage: manage COMMAND/)
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
    expect(before).toMatchObject({ code: 1, stdout: '' })
    expect(before.stderr).toMatch(/^The database has no tables of Swapbell\. Run `manage migrate`/)
    expect(await runSql(url, `select to_regclass('users') as users, to_regclass('pgboss.job') as jobs`)).toEqual([
      { users: null, jobs: null },
    ])

    const told = await manage(['migrate'], { DATABASE_URL: url })
    expect(told).toMatchObject({ code: 0, stderr: '' })
    expect(told.stdout).toContain('0001_platform.sql')
    expect(await manage(['migrate'], { DATABASE_URL: url })).toMatchObject({ stdout: 'The schema is up to date.\n' })
    expect(await manage(['check-list-counts'], { DATABASE_URL: url })).toMatchObject({ code: 0 })
  })

  test('names a database of an earlier version, and works on a later one', async () => {
    const url = await database('migrated')
    const [{ last, hash }] = (await runSql(
      url,
      'select name as last, hash from schema_migrations order by name desc limit 1',
    )) as [{ last: string; hash: string }]
    await runSql(url, `delete from schema_migrations where name = '${last}'`)
    const earlier = await manage(['check-list-counts'], { DATABASE_URL: url })
    expect(earlier).toMatchObject({ code: 1, stdout: '' })
    expect(earlier.stderr).toContain(`of an earlier version: ${last} did not run there.`)
    await runSql(
      url,
      `insert into schema_migrations (name, hash) values ('${last}', '${hash}'), ('9999_tomorrow.sql', 'x');
       alter table users add column of_tomorrow text`,
    )
    for (const [command = '', ...options] of [
      ['check-list-counts'],
      ['halt', '--reason', 'no'],
      ['resume'],
      ['verify-audit'],
    ]) {
      const later = await manage([command, ...options], {
        DATABASE_URL: url,
        JWT_SECRET: 'x'.repeat(20) + 'a secret of this test',
      })
      expect({ command, ...later }).toMatchObject({
        command,
        code: 0,
        stderr: expect.stringContaining('9999_tomorrow.sql') as string,
      })
    }
  })

  test('halts and resumes all providers of the database without a PUSH_PROVIDERS_FILE that can be used', async () => {
    const url = await database('migrated')
    await runSql(url, `insert into provider_state (provider) values ('apns/swapbell/production'), ('fcm/swapbell')`)
    const folder = await mkdtemp(join(tmpdir(), 'swapbell-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const faulty = join(folder, 'faulty.json')
    await writeFile(
      faulty,
      '{"providers":[{"kind":"fcm","app":"swapbell"},{"kind":"web","app":"swapbell","key_file":"/none"}]}',
    )
    const all = 'apns/swapbell/production, expo, fcm/swapbell'
    for (const file of [join(folder, 'absent.json'), faulty]) {
      const settings = {
        DATABASE_URL: url,
        PUSH_PROVIDERS_FILE: file,
        JWT_SECRET: 'x'.repeat(20) + 'a secret of this test',
      }
      expect(await manage(['halt', '--reason', 'no'], settings)).toMatchObject({
        code: 0,
        stdout: `Sending by ${all} is halted.\n`,
      })
      expect(await runSql(url, 'select distinct breaker from provider_state')).toEqual([{ breaker: 'halted' }])
      expect(await manage(['resume'], settings)).toMatchObject({
        code: 0,
        stdout: `Sending by ${all} is resumed; 0 campaigns go on.\n`,
      })
      expect(await runSql(url, 'select distinct breaker from provider_state')).toEqual([{ breaker: 'closed' }])
    }
  })

  test('ends with 2 when the value of an option is wrong, and says it as JSON where that is asked', async () => {
    const settings = {
      DATABASE_URL: await database('migrated'),
      JWT_SECRET: 'a key for signing that only this test knows',
    }
    for (const args of [
      ['halt', '--reason', ' '],
      ['resume', '--provider', 'nobody'],
      ['verify-audit', '--expect-count', 'many'],
      ['rebuild-insights', '--from', 'yesterday'],
      ['migrate', '--homes', '65'],
      ['divide', '--homes', 'many'],
      ['create-admin', '--email', 'no address', '--name', 'Ada'],
    ]) {
      const said = await manage(args, settings)
      expect({ args, ...said }).toMatchObject({ args, code: 2, stdout: '' })
    }
    const asJson = await manage(['halt', '--reason', ' ', '--json'], settings)
    expect(JSON.parse(asJson.stderr)).toMatchObject({ command: 'halt', code: 2, says: [expect.any(String)] })
    const found = await manage(['check-list-counts', '--json'], settings)
    expect(JSON.parse(found.stdout)).toMatchObject({ command: 'check-list-counts', code: 0 })
  })

  test('says in a sentence that the database cannot be reached, without a stack', async () => {
    const said = await manage(['check-list-counts'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(said).toMatchObject({ code: 1, stdout: '' })
    expect(said.stderr).toBe('The database cannot be used now: connect ECONNREFUSED 127.0.0.1:1\n')
  })

  test('uses the embedded PostgreSQL beside the process that runs it, and starts it when none does', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'swapbell-manage-'))
    const running = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => undefined })
    onTestFinished(async () => {
      await running.remove()
      await rm(dataDir, { recursive: true, force: true })
    })
    expect(await manage(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' })
    expect(await runSql(running.url, `select to_regclass('users') is not null as made`)).toEqual([{ made: true }])
    await running.stop()
    expect(await manage(['check-list-counts'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' })
  })
})
