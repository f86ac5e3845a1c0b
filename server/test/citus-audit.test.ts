// Slow: five seconds or more.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditChores } from '../src/administration/audit/audit-chores.ts'
import { verifyAudit } from '../src/administration/audit/verify.ts'
import { forgetInAudit, recordAudit, recordAuditAlone, THE_SERVICE } from '../src/platform/audit/audit.ts'
import { beforeCommit, inTransaction } from '../src/platform/db/transaction.ts'
import { runChores } from '../src/platform/shared/chores.ts'
import { inWork } from '../src/platform/work/work.ts'
import { createDividedDatabase } from './support/citus.ts'
import { startService } from './support/service.ts'
import { actor } from './support/tampering.ts'

// Without an account: its details would be of a person who is not there.
const NOBODY = actor({ userId: null, role: null })
const CITUS_URL = process.env['CITUS_URL'] ?? ''

describe.skipIf(CITUS_URL === '')('The audit log of a Citus (skipped unless CITUS_URL names one)', () => {
  let service: Awaited<ReturnType<typeof startService>>
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createDividedDatabase(CITUS_URL, 8)
    drop = () => database.drop()
    service = await startService({}, { lead: () => database.url })
  })

  afterAll(async () => {
    await service.close()
    await drop()
  })

  const readActions = async (...actions: string[]) => {
    const query = service.deps.db.selectFrom('audit_log').select('action').where('action', 'in', actions)
    return (await query.orderBy('audit_id').execute()).map(({ action }) => action)
  }
  /** As a process does that ends just after the commit. */
  const recordWithoutAppending = (userId: number) =>
    service.deps.db.transaction().execute((tx) => {
      const change = { after: { name: 'Marker Person' }, subjectId: userId }
      return recordAudit(tx, service.deps, NOBODY, { action: 'left', entity: 'user', entityId: userId, change })
    })
  const sweep = () => runChores(service.deps.log, auditChores(service.deps))

  test('is open to others while the commit of one who wrote to it does not end', async () => {
    const { deps } = service
    const committing = Promise.withResolvers<void>()
    const ending = Promise.withResolvers<void>()
    const held = inTransaction(deps.db, async (tx) => {
      await recordAudit(tx, deps, NOBODY, { action: 'held' })
      await beforeCommit(tx, () => {
        committing.resolve()
        return ending.promise
      })
    })
    await committing.promise
    await recordAuditAlone(deps, NOBODY, { action: 'another' })
    expect(await readActions('held', 'another')).toEqual(['another'])
    ending.resolve()
    await held
    expect(await readActions('held', 'another')).toEqual(['another', 'held'])
    expect((await verifyAudit(deps)).broken).toBeUndefined()
  })

  test('gets what a process left that ended after its commit', async () => {
    await recordWithoutAppending((await service.given.user()).userId)
    expect(await readActions('left')).toEqual([])
    await sweep()
    expect(await readActions('left')).toEqual(['left'])
    expect((await verifyAudit(service.deps)).broken).toBeUndefined()
  })

  const purge = (userId: number) =>
    inWork(service.deps, THE_SERVICE, async (work) => {
      await forgetInAudit(work, [userId])
      await work.tx.deleteFrom('users').where('user_id', '=', userId).execute()
    })
  const listSubjects = async (userIds: number[]) => {
    const details = service.deps.db.selectFrom('audit_details').select('subject_id').where('part', '=', 'change')
    return (await details.where('subject_id', 'in', userIds).execute()).map((row) => row.subject_id)
  }

  test.for(['before the purge', 'while the purge is open', 'with the purge', 'after the purge'])(
    'keeps nothing about a person whose purge did not see the entry, which is appended %s',
    async (when) => {
      const { deps, given } = service
      const [{ userId }, { userId: other }] = await Promise.all([given.user(), given.user()])
      const record = async () => {
        await recordWithoutAppending(userId)
        await recordWithoutAppending(other)
      }
      if (when === 'before the purge') {
        await record()
        await sweep()
        await purge(userId)
      } else if (when === 'while the purge is open')
        await inWork(deps, THE_SERVICE, async (work) => {
          await forgetInAudit(work, [userId])
          await record()
          await sweep()
          await work.tx.deleteFrom('users').where('user_id', '=', userId).execute()
        })
      else if (when === 'with the purge') {
        await record()
        await purge(userId)
      } else {
        await purge(userId)
        await record()
      }
      await sweep()
      expect(await listSubjects([userId, other])).toEqual([other])
      expect((await verifyAudit(deps)).broken).toBeUndefined()
    },
  )

  test('refuses an entry that was changed while it waited, says so, and takes those behind it', async () => {
    const { deps, given } = service
    const [{ userId }, { userId: other }] = await Promise.all([given.user(), given.user()])
    await recordWithoutAppending(userId)
    await sql`update audit_waiting set entry = replace(entry, 'Marker Person', 'Forged Person')`.execute(deps.db)
    await recordWithoutAppending(other)
    await sweep()
    expect(await listSubjects([userId, other])).toEqual([other])
    expect(await readActions('audit.refused')).toEqual(['audit.refused'])
    expect((await verifyAudit(deps)).broken).toBeUndefined()
  })

  test('leaves what is signed with an unknown key, takes what is behind it, and tells the operator', async () => {
    const { deps, given } = service
    const [{ userId }, { userId: other }] = await Promise.all([given.user(), given.user()])
    await recordWithoutAppending(userId)
    await sql`update audit_waiting set key_id = 'another'`.execute(deps.db)
    await recordWithoutAppending(other)
    await expect(sweep()).rejects.toThrow('append entries that wait')
    expect(service.logged()).toContain('wait for keys whose secrets are not set here: another')
    expect(await listSubjects([userId, other])).toEqual([other])
    await sql`delete from audit_waiting`.execute(deps.db)
    await sweep()
  })

  test('takes a hundred at a time, in their order', async () => {
    const { userId } = await service.given.user()
    for (let n = 0; n < 101; n++) await recordWithoutAppending(userId)
    await sweep()
    expect(await listSubjects([userId])).toHaveLength(101)
    expect((await verifyAudit(service.deps)).broken).toBeUndefined()
  })
})
