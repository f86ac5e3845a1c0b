// Slow: many costly requests, or long data.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { COMPILED } from '../../../test/support/environment.ts'
import { sweep } from '../../../test/support/sweep.ts'
import {
  actor,
  cutWithHead,
  cutWithoutHead,
  deleteAndRehash,
  editAndRehash,
  ownService,
  run,
} from '../../../test/support/tampering.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inWork } from '../../platform/work/work.ts'
import type { Deps } from '../../deps.ts'
import { forgetInAudit, recordAuditAlone, recordAuditAtOnce, THE_SERVICE } from '../../platform/audit/audit.ts'
import { ORIGIN_KEPT_MS } from './audit-chores.ts'
import { verifyAudit, type AuditReport, type ExpectedEnd } from './verify.ts'

const DAY_MS = 86_400_000

describe('A check of the audit log', () => {
  test.for<[what: string, tamper: (tx: Tx) => Promise<unknown>, why: RegExp]>([
    ['a changed entry', run('update audit_log set actor_id = 99 where audit_id = 2'), /it was changed/],
    ['a missing entry', run('delete from audit_log where audit_id = 2'), /entry 2 is missing/],
    ['another hash', run('update audit_log set hash = previous_hash where audit_id = 2'), /it was changed/],
    ['a changed detail', run(`update audit_details set content = content || '{"ip":"::1"}'`), /origin was changed/],
    [
      'a detail of somebody else',
      run('update audit_details set subject_id = 99'),
      /the subject of its origin was changed/,
    ],
    ['details taken away', run('delete from audit_details'), /its origin is missing, but its subject was not purged/],
    ['the tail cut off', run('delete from audit_log where audit_id > 2'), /entries are missing at the end/],
    ['all of it cut off', run('truncate audit_log, audit_details'), /entries are missing at the end/],
    ['the tail and the stored end', cutWithHead, /the stored end of the log is not signed with a known key/],
    ['the tail, and no stored end', cutWithoutHead, /the stored end of the log is missing/],
    ['a row deleted, and the rest re-hashed', deleteAndRehash, /it was changed/],
    ['a row edited, and the rest re-hashed', editAndRehash, /it was changed/],
    [
      'the registration of the keys taken away',
      run('delete from audit_keys'),
      /the registration of the keys is missing/,
    ],
  ])('tells of %s', async ([, tamper, why], { deps }) => {
    for (let n = 0; n < 4; n++) await recordAuditAlone(deps, actor(), { action: 'login' })
    expect((await verifyAudit(deps)).broken).toBeUndefined()
    const { broken } = await afterTampering(deps, tamper)
    expect(broken?.why).toMatch(why)
    expect((await verifyAudit(deps)).broken).toBeUndefined()
  })

  test('finds entries that were cut off, also when new ones follow', async ({ deps }) => {
    for (let n = 0; n < 4; n++) await recordAuditAlone(deps, actor(), { action: 'login' })
    const { broken } = await afterTampering(deps, async (tx) => {
      const { entries } = await verifyAudit({ ...deps, db: tx })
      await run(`delete from audit_log where audit_id > ${entries - 2}`)(tx)
      await recordAuditAtOnce(tx, deps, actor(), { action: 'later' })
    })
    expect(broken?.why).toMatch(/^entry \d+ is missing$/)
  })

  test('against an end that was logged before finds a log that was cut or forged as a whole', async ({ deps }) => {
    for (let n = 0; n < 3; n++) await recordAuditAlone(deps, actor(), { action: 'login' })
    const told = await verifyAudit(deps)
    const expected = { count: told.entries, head: told.head }
    await recordAuditAlone(deps, actor(), { action: 'login' })
    expect((await verifyAudit(deps, expected)).broken).toBeUndefined()
    expect((await verifyAudit(deps, { head: told.head })).broken).toBeUndefined()
    expect((await verifyAudit(deps, { head: 'f'.repeat(64) })).broken?.why).toMatch(/no entry has the hash/)
    expect((await verifyAudit(deps, { count: told.entries + 2 })).broken?.why).toMatch(/1 of \d+ entries are missing/)
    // If someone has the key too and cuts the log and its end, only the logged end shows it.
    const forge = async (tx: Tx) => {
      await run(`delete from audit_log where audit_id >= ${told.entries}`)(tx)
      await run(`delete from audit_details where audit_id >= ${told.entries}; delete from audit_head`)(tx)
      await recordAuditAtOnce(tx, deps, actor(), { action: 'forged' })
      await recordAuditAtOnce(tx, deps, actor(), { action: 'forged' })
    }
    expect((await afterTampering(deps, forge)).broken).toBeUndefined()
    expect((await afterTampering(deps, forge, expected)).broken?.why).toMatch(/its hash is not the expected one/)
  })

  test('finds no fault where people were purged, or where old origins without an account were deleted', async () => {
    const { deps, given, clock } = await ownService()
    const { userId } = await given.user()
    const change = { before: { name: 'Marker Person' }, after: { name: 'Other' }, subjectId: userId }
    await recordAuditAlone(deps, actor({ userId, ip: '203.0.113.99' }), { action: 'user.update', change })
    await recordAuditAlone(deps, actor({ userId: null, role: null }), { action: 'login_failed', entity: 'user' })
    await inWork(deps, THE_SERVICE, (work) => forgetInAudit(work, [userId]))
    expect(await readDetails(deps, `subject_id = ${userId}`)).toEqual([])
    expect((await verifyAudit(deps)).broken).toBeUndefined()

    expect(await readDetails(deps, 'subject_id is null and part = $$origin$$')).toHaveLength(1)
    await sweep({ ...deps, clock: { now: () => clock.now() + ORIGIN_KEPT_MS - DAY_MS } })
    expect(await readDetails(deps, 'subject_id is null and part = $$origin$$')).toHaveLength(1)
    const later = { ...deps, clock: { now: () => clock.now() + ORIGIN_KEPT_MS + DAY_MS } }
    await sweep(later)
    expect(await readDetails(deps, 'subject_id is null and part = $$origin$$')).toEqual([])
    expect((await verifyAudit(later)).broken).toBeUndefined()
    expect((await verifyAudit(deps)).broken?.why).toMatch(/its origin is missing/)
  })

  test('verify-audit ends with code 1 if the log is not as expected', async ({ deps }) => {
    const { entries, head } = await verifyAudit(deps)
    const good = await command(deps, ['--expect-count', String(entries), '--expect-head', head])
    expect(good).toMatchObject({ code: 0, said: expect.stringContaining(`${entries} entries, unbroken.`) })
    expect(good.said).not.toContain('does not show')
    expect((await command(deps, [])).said).toContain('does not show whether the log was emptied or cut')
    const cut = await command(deps, ['--expect-count', String(entries + 5)])
    expect(cut).toMatchObject({ code: 1, said: expect.stringMatching(/5 of \d+ entries are missing/) })
    const mistyped = await command(deps, ['--expect-head', 'zz'])
    expect(mistyped).toMatchObject({ code: 2, said: expect.stringContaining('--expect-head') })
    const keyless = await command(deps, [], 'another secret of the service, of 32 bytes')
    expect(keyless).toMatchObject({ code: 1, said: expect.stringContaining('whose secret is not set here') })
  })
})

describe('The end of the log', () => {
  test('is written to the service’s log once when it has moved', async ({ service, deps }) => {
    await recordAuditAlone(deps, actor(), { action: 'login' })
    await sweep(deps)
    const { entries, head } = await verifyAudit(deps)
    await sweep(deps)
    const lines = service
      .logged()
      .split('\n')
      .filter((line) => line.includes(`"audit_head":"${head}"`))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`"audit_entries":${entries}`)
  })
})

/** What a check says of a log that somebody with all rights changed by hand; the change is taken back. */
async function afterTampering(
  deps: Deps,
  tamper: (tx: Tx) => Promise<unknown>,
  expected?: ExpectedEnd,
): Promise<AuditReport> {
  const undo = new Error('taken back')
  let found: AuditReport | undefined
  const tampering = deps.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await tamper(tx)
    found = await verifyAudit({ ...deps, db: tx }, expected)
    throw undo
  })
  await expect(tampering).rejects.toBe(undo)
  return found!
}

async function readDetails({ db }: Deps, condition: string): Promise<unknown[]> {
  const { rows } = await sql`select content from audit_details where ${sql.raw(condition)}`.execute(db)
  return rows
}

async function command({ config }: Deps, options: string[], secret = config.JWT_SECRET) {
  const file = fileURLToPath(new URL('../../commands/manage.ts', import.meta.url))
  const env = { ...COMPILED, PATH: process.env['PATH'], DATABASE_URL: config.DATABASE_URL, JWT_SECRET: secret }
  return promisify(execFile)(process.execPath, [file, 'verify-audit', ...options], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  )
}
