import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { forgetInAudit, recordAudit, recordAuditAlone, type Actor } from './audit.ts'
import { keyedHashOf, plainHashOf, type AuditKey, type Link } from './chain.ts'
import { openAuditKeys, registerAuditKey } from './keys.ts'
import { NOBODY_KEPT_MS, tendAudit } from './tend.ts'
import { verifyAudit, type AuditReport, type ExpectedEnd } from './verify.ts'

const DAY_MS = 86_400_000

describe('A check of the audit log', () => {
  test.for<[what: string, tamper: (tx: Tx) => Promise<unknown>, why: RegExp]>([
    ['a changed entry', run('update audit_log set actor_id = 99 where audit_id = 2'), /it was changed/],
    ['a missing entry', run('delete from audit_log where audit_id = 2'), /entry 2 is missing/],
    ['another hash', run('update audit_log set hash = previous_hash where audit_id = 2'), /it was changed/],
    ['a changed detail', run(`update audit_details set content = content || '{"ip":"::1"}'`), /origin was changed/],
    ['a detail of somebody else', run('update audit_details set subject_id = 99'), /origin was given to somebody/],
    ['details taken away', run('delete from audit_details'), /its origin was taken away, of nobody who was purged/],
    ['the tail cut off', run('delete from audit_log where audit_id > 2'), /entries are missing at the end/],
    ['all of it cut off', run('truncate audit_log, audit_details'), /entries are missing at the end: there were/],
    ['the tail and the stored end', cutWithHead, /the stored end of the log is signed with no key of ours/],
    ['the tail, and no stored end', cutWithoutHead, /the stored end of the log is gone/],
    ['a row deleted, and the rest re-hashed', deleteAndRehash, /it was changed/],
    ['a row edited, and the rest re-hashed', editAndRehash, /it was changed/],
    ['all of it re-hashed without a key', rehashWithoutKey, /are not keyed, although the log is/],
    ['the registration of the keys taken away', run('delete from audit_keys'), /the registration of the keys is gone/],
  ])('tells of %s', async ([, tamper, why], { deps }) => {
    for (let n = 0; n < 4; n++) await recordAuditAlone(deps, actor(), { action: 'login' })
    expect((await verifyAudit(deps)).broken).toBeUndefined()
    const { broken } = await afterTampering(deps, tamper)
    expect(broken?.why).toMatch(why)
    expect((await verifyAudit(deps)).broken).toBeUndefined()
  })

  test('tells of a cut that the next entries would hide', async ({ deps }) => {
    for (let n = 0; n < 4; n++) await recordAuditAlone(deps, actor(), { action: 'login' })
    const { broken } = await afterTampering(deps, async (tx) => {
      const { entries } = await verifyAudit({ ...deps, db: tx })
      await run(`delete from audit_log where audit_id > ${entries - 2}`)(tx)
      await recordAudit(tx, deps, actor(), { action: 'later' })
    })
    expect(broken?.why).toMatch(/^entry \d+ is missing$/)
  })

  test('by an end that was told once finds what was cut or forged with everything', async ({ deps }) => {
    for (let n = 0; n < 3; n++) await recordAuditAlone(deps, actor(), { action: 'login' })
    const told = await verifyAudit(deps)
    const expected = { count: told.entries, head: told.head }
    await recordAuditAlone(deps, actor(), { action: 'login' })
    expect((await verifyAudit(deps, expected)).broken).toBeUndefined()
    expect((await verifyAudit(deps, { head: told.head })).broken).toBeUndefined()
    expect((await verifyAudit(deps, { head: 'f'.repeat(64) })).broken?.why).toMatch(/no entry has the hash/)
    expect((await verifyAudit(deps, { count: told.entries + 2 })).broken?.why).toMatch(/1 entries are missing/)
    // Whoever has the key too, and cuts the log and all that stands beside it: only the told end knows.
    const forge = async (tx: Tx) => {
      await run(`delete from audit_log where audit_id >= ${told.entries}`)(tx)
      await run(`delete from audit_details where audit_id >= ${told.entries}; delete from audit_head`)(tx)
      await recordAudit(tx, deps, actor(), { action: 'forged' })
      await recordAudit(tx, deps, actor(), { action: 'forged' })
    }
    expect((await afterTampering(deps, forge)).broken).toBeUndefined()
    expect((await afterTampering(deps, forge, expected)).broken?.why).toMatch(/another hash than the one expected/)
  })

  test('finds nothing where people were forgotten, or calls of nobody are old', async () => {
    const { deps, given, clock } = await ownService()
    const { userId } = await given.user()
    const change = { before: { name: 'Marker Person' }, after: { name: 'Other' }, subjectId: userId }
    await recordAuditAlone(deps, actor({ userId, ip: '203.0.113.99' }), { action: 'user.update', change })
    await recordAuditAlone(deps, actor({ userId: null, role: null }), { action: 'login_failed', entity: 'user' })
    await inTransaction(deps.db, (tx) => forgetInAudit(tx, deps, [userId]))
    expect(await detailsOf(deps, `subject_id = ${userId}`)).toEqual([])
    expect((await verifyAudit(deps)).broken).toBeUndefined()

    expect(await detailsOf(deps, 'subject_id is null and part = $$origin$$')).toHaveLength(1)
    await tendAudit({ ...deps, clock: { now: () => clock.now() + NOBODY_KEPT_MS - DAY_MS } })
    expect(await detailsOf(deps, 'subject_id is null and part = $$origin$$')).toHaveLength(1)
    const later = { ...deps, clock: { now: () => clock.now() + NOBODY_KEPT_MS + DAY_MS } }
    await tendAudit(later)
    expect(await detailsOf(deps, 'subject_id is null and part = $$origin$$')).toEqual([])
    expect((await verifyAudit(later)).broken).toBeUndefined()
    expect((await verifyAudit(deps)).broken?.why).toMatch(/its origin was taken away/)
  })

  test('is the command verify-audit: exit code 1 when it is not as expected', async ({ deps }) => {
    const { entries, head } = await verifyAudit(deps)
    const good = await command(deps, ['--expect-count', String(entries), '--expect-head', head])
    expect(good).toMatchObject({ code: 0, said: expect.stringContaining(`${entries} entries, unbroken.`) })
    const cut = await command(deps, ['--expect-count', String(entries + 5)])
    expect(cut).toMatchObject({ code: 1, said: expect.stringContaining('5 entries are missing at the end') })
    const mistyped = await command(deps, ['--expect-head', 'zz'])
    expect(mistyped).toMatchObject({ code: 1, said: expect.stringContaining('--expect-head') })
    const keyless = await command(deps, [], 'another secret of the service, of 32 bytes')
    expect(keyless).toMatchObject({ code: 1, said: expect.stringContaining('whose secret is not set here') })
  })
})

describe('The end of the log', () => {
  test('is told in the service’s log when it has moved, once', async ({ service, deps }) => {
    await recordAuditAlone(deps, actor(), { action: 'login' })
    await tendAudit(deps)
    const { entries, head } = await verifyAudit(deps)
    await tendAudit(deps)
    const lines = service
      .logged()
      .split('\n')
      .filter((line) => line.includes(`"audit_head":"${head}"`))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`"audit_entries":${entries}`)
  })
})

describe('The key of the log', () => {
  const OLD = 'an old secret, of 32 bytes or more'
  const NEW = 'a new secret, of 32 bytes or more'
  const OWN = 'a secret of its own, 32 bytes or more'

  test('changes with its secret, and what an older one signed is still checked', async () => {
    const { deps, clock } = await ownService()
    const steps = [
      { JWT_SECRET: OLD, JWT_PREVIOUS_SECRET: deps.config.JWT_SECRET },
      { JWT_SECRET: OLD, JWT_PREVIOUS_SECRET: NEW },
      { JWT_SECRET: NEW, JWT_PREVIOUS_SECRET: OLD },
      { JWT_SECRET: NEW, JWT_PREVIOUS_SECRET: '' },
      { JWT_SECRET: NEW, JWT_PREVIOUS_SECRET: '', AUDIT_SECRET: OWN },
    ]
    const keys = new Set<string>()
    for (const secrets of steps) {
      await clock.setTime(clock.now() + 1_000)
      const process = await started(deps, secrets)
      await recordAuditAlone(process, actor(), { action: 'login' })
      await recordAuditAlone(process, actor(), { action: 'login' })
      keys.add(process.auditKeys.current.id)
      expect((await verifyAudit(process)).broken).toBeUndefined()
    }
    expect(keys.size).toBe(3)
    const alone = await started(deps, { JWT_SECRET: 'none of those, and 32 bytes or more', AUDIT_SECRET: OWN })
    expect((await verifyAudit(alone)).broken).toBeUndefined()
    // An old secret opens no newer key.
    const { byId } = await openAuditKeys(deps.db, { ...deps.config, JWT_SECRET: OLD })
    expect([...keys].filter((id) => byId.has(id))).toHaveLength(1)
    const stranger = { ...deps, config: { ...deps.config, JWT_SECRET: 'of a stranger, who has no secret of ours' } }
    const found = await verifyAudit({ ...stranger, auditKeys: await openAuditKeys(deps.db, stranger.config) })
    expect(found.broken?.why).toMatch(/whose secret is not set here/)
  })
})

describe('Entries from before the log was keyed', () => {
  test('are told as such, and nothing changes them from the first start with a key on', async () => {
    const { deps } = await ownService()
    const check = () => verifyAudit(deps)
    await byHand(deps, async (tx) => {
      await run('truncate audit_log, audit_details')(tx)
      await run('delete from audit_head; delete from audit_keys')(tx)
      for (let id = 1; id <= 5; id++) await appendUnkeyed(tx, id)
    })
    expect(await check()).toMatchObject({ entries: 5, unkeyed: 5, unkeyedWithoutDetails: 5, broken: undefined })
    await registerAuditKey(deps)
    await registerAuditKey(deps)
    expect(await check()).toMatchObject({ entries: 6, unkeyed: 5, broken: undefined })
    // A process of the version before goes on for a while.
    await byHand(deps, (tx) => appendUnkeyed(tx, 7))
    expect((await check()).broken?.why).toMatch(/after 6 are not keyed/)
    await recordAuditAlone(deps, actor(), { action: 'login' })
    expect(await check()).toMatchObject({ entries: 8, unkeyed: 6, broken: undefined })
    await byHand(deps, (tx) => rehash(tx, 3, { actor_id: 99 }, undefined))
    expect((await check()).broken).toMatchObject({ auditId: 6 })
  })
})

/** A service whose log is its own: what is done to it stays. */
async function ownService(): Promise<Service> {
  const service = await startService()
  onTestFinished(() => service.close())
  return service
}

/** Does what only somebody with all rights can, for good. */
function byHand({ db }: Deps, work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  return db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await work(tx)
  })
}

function actor(overrides: Partial<Actor> = {}): Actor {
  return { userId: 1, role: 'admin', ip: '192.0.2.7', userAgent: 'a browser', requestId: 'r-1', ...overrides }
}

function run(statement: string): (tx: Tx) => Promise<unknown> {
  return (tx) => sql.raw(statement).execute(tx)
}

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

async function linksOf(tx: Tx): Promise<Link[]> {
  return tx.selectFrom('audit_log').selectAll().orderBy('audit_id').execute()
}

/** Changes an entry, and gives it and all after it new hashes: under a key that is not ours, or without any. */
async function rehash(tx: Tx, from: number, change: Partial<Link>, key: AuditKey | undefined): Promise<void> {
  const links = await linksOf(tx)
  let previous = links.findLast((link) => link.audit_id < from)?.hash ?? '0'.repeat(64)
  for (const link of links.filter(({ audit_id, key_id }) => audit_id >= from && (key || key_id === null))) {
    const edited = { ...link, ...(link.audit_id === from && change), previous_hash: previous }
    previous = key ? keyedHashOf(edited, key) : plainHashOf(edited)
    const { audit_id, actor_id } = edited
    const row = { actor_id, previous_hash: edited.previous_hash, hash: previous }
    await tx.updateTable('audit_log').set(row).where('audit_id', '=', audit_id).execute()
  }
}

// The key of the entries is known by its id alone.
async function guessedKey(tx: Tx): Promise<AuditKey> {
  const [link] = await linksOf(tx)
  return { id: link?.key_id ?? '', secret: Buffer.alloc(32) }
}

async function editAndRehash(tx: Tx): Promise<void> {
  await rehash(tx, 2, { actor_id: 99 }, await guessedKey(tx))
}

async function deleteAndRehash(tx: Tx): Promise<void> {
  await run('delete from audit_details where audit_id = 2; delete from audit_log where audit_id = 2')(tx)
  await run('update audit_details set audit_id = audit_id - 1 where audit_id > 2')(tx)
  for (const { audit_id } of (await linksOf(tx)).filter((link) => link.audit_id > 2))
    await run(`update audit_log set audit_id = ${audit_id - 1} where audit_id = ${audit_id}`)(tx)
  await rehash(tx, 2, {}, await guessedKey(tx))
}

async function rehashWithoutKey(tx: Tx): Promise<void> {
  await run('update audit_log set key_id = null, change_subject_id = null, origin_subject_id = null')(tx)
  await rehash(tx, 1, {}, undefined)
  // The stored end would tell too.
  await run('delete from audit_head')(tx)
}

async function cutWithHead(tx: Tx): Promise<void> {
  await run('delete from audit_log where audit_id > 2')(tx)
  await run('update audit_head set audit_id = 2, hash = (select hash from audit_log where audit_id = 2)')(tx)
}

async function cutWithoutHead(tx: Tx): Promise<void> {
  await run('delete from audit_log where audit_id > 2; delete from audit_head')(tx)
}

/** An entry as the version before wrote one. */
async function appendUnkeyed(tx: Tx, id: number): Promise<void> {
  const previous = (await linksOf(tx)).at(-1)?.hash ?? '0'.repeat(64)
  const link: Omit<Link, 'hash'> = {
    audit_id: id,
    at: new Date(0),
    actor_id: 1,
    actor_role: 'admin',
    action: 'login',
    entity: null,
    entity_id: null,
    request_id: 'r-1',
    change_digest: null,
    origin_digest: 'of something',
    previous_hash: previous,
    key_id: null,
    times: null,
    change_subject_id: null,
    origin_subject_id: null,
  }
  await tx
    .insertInto('audit_log')
    .values({ ...link, hash: plainHashOf(link) })
    .execute()
}

async function detailsOf({ db }: Deps, condition: string): Promise<unknown[]> {
  const { rows } = await sql`select content from audit_details where ${sql.raw(condition)}`.execute(db)
  return rows
}

/** A process with other secrets, as it is after its start. */
async function started(deps: Deps, secrets: Partial<Deps['config']>): Promise<Deps> {
  const config = { ...deps.config, ...secrets }
  const process = { ...deps, config, auditKeys: await openAuditKeys(deps.db, config) }
  await registerAuditKey(process)
  // It opens older keys once more, as each start does.
  return { ...process, auditKeys: await openAuditKeys(deps.db, config) }
}

async function command({ config }: Deps, options: string[], secret = config.JWT_SECRET) {
  const file = fileURLToPath(new URL('../../manage.ts', import.meta.url))
  const env = { PATH: process.env['PATH'], DATABASE_URL: config.DATABASE_URL, JWT_SECRET: secret }
  return promisify(execFile)(process.execPath, [file, 'verify-audit', ...options], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  )
}
