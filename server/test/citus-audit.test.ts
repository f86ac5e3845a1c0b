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
      return recordAudit(tx, service.deps, actor(), { action: 'left', entity: 'user', entityId: userId, change })
    })
  const sweep = () => runChores(service.deps.log, auditChores(service.deps))

  test('is open to others while the commit of one who wrote to it does not end', async () => {
    const { deps } = service
    const committing = Promise.withResolvers<void>()
    const ending = Promise.withResolvers<void>()
    const held = inTransaction(deps.db, async (tx) => {
      await recordAudit(tx, deps, actor(), { action: 'held' })
      await beforeCommit(tx, () => {
        committing.resolve()
        return ending.promise
      })
    })
    await committing.promise
    await recordAuditAlone(deps, actor(), { action: 'another' })
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

  test('keeps nothing about a person whose purge could not see the entry', async () => {
    const { deps, given } = service
    const [{ userId }, { userId: other }] = await Promise.all([given.user(), given.user()])
    await inWork(deps, THE_SERVICE, async (work) => {
      await forgetInAudit(work, [userId])
      await work.tx.deleteFrom('users').where('user_id', '=', userId).execute()
    })
    await recordWithoutAppending(userId)
    await recordWithoutAppending(other)
    await sweep()
    const details = deps.db.selectFrom('audit_details').select('subject_id').where('part', '=', 'change')
    expect(await details.where('subject_id', 'in', [userId, other]).execute()).toEqual([{ subject_id: other }])
    expect((await verifyAudit(deps)).broken).toBeUndefined()
  })

  test('takes no entry that was changed while it waited', async () => {
    const { deps, given } = service
    await recordWithoutAppending((await given.user()).userId)
    await sql`update audit_waiting set unchained = jsonb_set(unchained, '{action}', '"forged"')`.execute(deps.db)
    await expect(sweep()).rejects.toThrow('append entries that wait')
    expect(await readActions('forged')).toEqual([])
    await sql`delete from audit_waiting`.execute(deps.db)
    await sweep()
  })
})
