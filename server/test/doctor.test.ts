// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { verifyNewest } from '../src/administration/audit/verify.ts'
import { expectedIndexes } from '../src/administration/doctor/expected-indexes.ts'
import type { Finding } from '../src/administration/doctor/findings.ts'
import { recordAuditAlone } from '../src/platform/audit/audit.ts'
import { readMigrations } from '../src/platform/db/migrations.ts'
import type { Place } from '../src/platform/process/command.ts'
import { doctorCommand, nodeFinding, spaceFinding } from '../src/commands/doctor-command.ts'
import { test } from './support/app.ts'
import { manage } from './support/manage.ts'
import { startPgBouncer } from './support/pgbouncer.ts'
import { isInstalled } from './support/programs.ts'
import type { Service } from './support/service.ts'
import { sendToUsers } from './support/send.ts'
import { actor, byHand, run as statement } from './support/tampering.ts'

/** What the doctor finds, without what is always so of the server of the tests: it is fast, and not durable. */
async function examine({ deps }: Service, change: Partial<Place> = {}): Promise<Finding[]> {
  const { config, log } = deps
  const place = { config, log, faults: [], warnings: [], hasSecret: true, isLocal: false, env: {}, ...change }
  if (!('runAt' in doctorCommand)) throw new Error('The doctor opens the database itself.')
  const { text, isGood } = await doctorCommand.runAt(place, { json: 'yes' })
  const findings = JSON.parse(text) as Finding[]
  expect(isGood).toBe(findings.every(({ level }) => level !== 'fail'))
  return findings.filter(({ level, check }) => level !== 'ok' && check !== 'durability')
}

/** Makes the database wrong by one statement, and right again by another. */
async function finding(service: Service, wrong: string, right: string): Promise<Finding[]> {
  await byHand(service.deps, statement(wrong))
  const findings = await examine(service)
  await byHand(service.deps, statement(right))
  return findings
}

function told(check: string, level: Finding['level'], says: RegExp) {
  return [{ check, level, says: expect.stringMatching(says) as string }]
}

describe('the doctor', () => {
  test('finds nothing wrong with a service as it should be', async ({ service }) => {
    await service.given.user({ devices: [{}] })
    await recordAuditAlone(service.deps, actor(), { action: 'login' })
    expect(await examine(service)).toEqual([])
  })

  test('reports wrong and unknown settings, an old Node, and a full disk', async ({ service }) => {
    const faults = ['PORT must be a number.']
    expect(await examine(service, { faults })).toEqual(told('settings', 'fail', /^PORT must be a number\.$/))
    const warnings = ['PUSH_RATE is not a setting and is ignored.']
    expect(await examine(service, { warnings })).toEqual(told('settings', 'warn', /^PUSH_RATE is not/))
    expect([nodeFinding('24.6.0'), nodeFinding('20.19.1')]).toMatchObject([{ level: 'fail' }, { level: 'fail' }])
    expect(nodeFinding('24.7.0').level).toBe('ok')
    expect(spaceFinding(1_999_999_999, '/data')).toMatchObject({
      level: 'warn',
      says: '1999 MB are free in /data: make room.',
    })
  })

  test.for<[check: string, level: Finding['level'], says: RegExp, wrong: string, right: string]>([
    [
      'indexes',
      'fail',
      /^Indexes are missing: messages_sender\./,
      'drop index messages_sender',
      'create index messages_sender on messages (sender_id)',
    ],
    [
      'indexes',
      'fail',
      /^Indexes are not valid: messages_sender\./,
      `update pg_index set indisvalid = false where indexrelid = 'messages_sender'::regclass`,
      `update pg_index set indisvalid = true where indexrelid = 'messages_sender'::regclass`,
    ],
    [
      'triggers',
      'fail',
      /^Triggers are off: users_take_their_skips\./,
      'alter table users disable trigger users_take_their_skips',
      'alter table users enable trigger users_take_their_skips',
    ],
    [
      'autovacuum',
      'warn',
      /^autovacuum is off for batches:/,
      'alter table batches set (autovacuum_enabled = off)',
      'alter table batches reset (autovacuum_enabled)',
    ],
    [
      'totals',
      'fail',
      /run rebuild-list-counts/,
      `update list_counts set n = n + 1 where list = 'users'`,
      `update list_counts set n = n - 1 where list = 'users'`,
    ],
    [
      'badges',
      'fail',
      /^1 of \d+ badges are wrong/,
      `insert into unread (block, entries, lines, changed_at)
       select min(user_id) >> 6, array_fill(0, array[(min(user_id) & 63)::int]) || 7 || array_fill(0, array[63 - (min(user_id) & 63)::int]),
         array_fill(0, array[64]), now() from users`,
      'delete from unread',
    ],
    [
      'sending',
      'fail',
      /^Sending is halted: expo \(Unauthorized\)\./,
      `update provider_state set breaker = 'halted', breaker_code = 'Unauthorized'`,
      `update provider_state set breaker = 'closed', breaker_code = null`,
    ],
    [
      'sending',
      'warn',
      /^Alerts are open: Odd\./,
      `insert into alerts (code, detail, raised_at, last_seen_at) values ('Odd', 'Odd', now(), now())`,
      `delete from alerts where code = 'Odd'`,
    ],
    [
      'audit',
      'fail',
      /^Entry 1: it was changed\. Run verify-audit\.$/,
      `update audit_log set action = 'nothing' where audit_id = 1`,
      `update audit_log set action = 'login' where audit_id = 1`,
    ],
    [
      'migrations',
      'fail',
      /of an earlier version: 0003_push\.sql did not run there/,
      `update schema_migrations set name = name || '.away' where name like '0003%'`,
      `update schema_migrations set name = '0003_push.sql' where name like '0003%'`,
    ],
  ])('tells of %s on a database made wrong, as %s: %s', async ([check, level, says, wrong, right], { service }) => {
    const findings = await finding(service, wrong, right)
    if (check !== 'migrations') expect(findings).toEqual(told(check, level, says))
    else expect(findings).toMatchObject([{ check, level }])
  })

  test('tells of pushes that nobody sends', async ({ service }) => {
    const { deps, given } = service
    const { userId } = await given.user({ devices: [{}] })
    const content = { title: 'A swap', text: 'Hello' }
    await sendToUsers(deps, { userIds: [userId], content, promotional: false, senderId: null, origin: 'test' })
    expect(await finding(service, `update work set due_at = now() - interval '2 minutes'`, 'delete from work')).toEqual(
      told('sending', 'warn', /^A push has been due for 1\d\d s: look whether a worker runs/),
    )
  })

  test('reports an audit log that it cannot check, and pools that are too large', async ({ service }) => {
    expect(await examine(service, { hasSecret: false })).toEqual(
      told('audit', 'warn', /^Not checked: set AUDIT_SECRET/),
    )
    const config = { ...service.deps.config, DATABASE_POOL: 900 }
    expect(await examine(service, { config })).toEqual(told('connections', 'fail', /room for 0 processes/))
  })

  test('reports a provider that refuses our credentials, or does not answer', async ({ service, simulator }) => {
    simulator.script([{ match: 'getReceipts', status: 401 }])
    expect(await examine(service)).toEqual(told('provider', 'fail', /^The provider refuses our credentials/))
    const config = { ...service.deps.config, EXPO_BASE_URL: 'http://127.0.0.1:1' }
    expect(await examine(service, { config })).toEqual(told('provider', 'fail', /does not answer as it should/))
  })

  test('reports a database that cannot be reached, and checks the rest', async ({ service }) => {
    const config = { ...service.deps.config, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    expect(await examine(service, { config })).toEqual(told('database', 'fail', /ECONNREFUSED/))
  })

  test.skipIf(!isInstalled('pgbouncer'))(
    'tells of a pooler in transaction mode that lets the limits fall',
    async ({ service }) => {
      const pooler = await startPgBouncer(service.deps.config.DATABASE_URL, 'transaction')
      try {
        const config = { ...service.deps.config, DATABASE_URL: pooler.through(service.deps.config.DATABASE_URL) }
        const findings = await examine(service, { config })
        expect(findings).toMatchObject([
          { check: 'pooler', level: 'fail' },
          { check: 'jit', level: 'fail' },
        ])
        expect(findings[0]?.says).toContain('alter role')
      } finally {
        await pooler.close()
      }
    },
  )

  test('is a command that reports wrong settings itself, with exit code 1', async ({ service }) => {
    const env = { DATABASE_URL: service.deps.config.DATABASE_URL, JWT_SECRET: 'short', PUSH_RATE: '5' }
    const { code, stdout, stderr } = await manage(['doctor'], env)
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toMatch(/^fail {2}settings {6}JWT_SECRET must be 32 bytes or more\.$/m)
    expect(stdout).toMatch(/^warn {2}settings {6}PUSH_RATE is not a setting and is ignored/m)
    expect(stdout).toMatch(/^ok {4}migrations {4}The schema is of this version\.$/m)
  })

  test('checks the newest entries of the audit log by themselves', async ({ deps }) => {
    for (let times = 0; times < 3; times++) await recordAuditAlone(deps, actor(), { action: 'login' })
    await byHand(deps, statement(`update audit_log set action = 'nothing' where audit_id = 1`))
    expect(await verifyNewest(deps, 2)).toMatchObject({ entries: 4, broken: undefined })
    expect(await verifyNewest(deps, 4)).toMatchObject({ broken: { auditId: 1 } })
    await byHand(deps, statement(`update audit_log set action = 'nothing' where audit_id = 3`))
    expect(await verifyNewest(deps, 2)).toMatchObject({ broken: { auditId: 3 } })
  })

  test('expects the indexes that the migrations make, all of which a new database has', async ({ deps }) => {
    const expected = expectedIndexes((await readMigrations()).map(({ text }) => text))
    const { rows } = await sql<{ name: string }>`
      select indexname as name from pg_indexes where schemaname = 'public'
        and indexname not in (select conname from pg_constraint)`.execute(deps.db)
    expect([...expected].toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })
})
