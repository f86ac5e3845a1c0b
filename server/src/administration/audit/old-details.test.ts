import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { actor } from '../../../test/support/tampering.ts'
import { createHandlers } from '../../handlers.ts'
import { deleteActivity, insertActivity } from '../../identity/activity/activity.queries.ts'
import { rebuildGapHistogram } from '../../identity/activity/activity.ts'
import { recordAuditAlone } from '../../platform/audit/audit.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { raiseAlert, resolveAlerts } from '../../push/records/alerts.queries.ts'
import { forgetOldDetails } from './audit-chores.ts'
import { verifyAudit } from './verify.ts'

const DAY_MS = 86_400_000
const { signal } = new AbortController()

test('old details are deleted by kind, entries stay, and a check knows why details are absent', async ({ service }) => {
  const { deps, clock } = service
  const change = { before: { name: 'A' }, after: { name: 'B' }, subjectId: 7 }
  const write = async () => {
    await recordAuditAlone(deps, actor(), { action: 'login' })
    await recordAuditAlone(deps, actor(), { action: 'user.update', entity: 'user', entityId: 7, change })
  }
  await write()
  await clock.setTime(clock.now() + 370 * DAY_MS)
  await write()
  const before = await verifyAudit(deps)
  await forgetOldDetails(deps)
  await forgetOldDetails(deps)
  const left = async () =>
    (
      await sql<{ action: string; n: number }>`
        select l.action, count(distinct l.audit_id) as n from audit_log l join audit_details d using (audit_id)
        where l.action in ('login', 'user.update') group by 1 order by 1`.execute(deps.db)
    ).rows
  expect(await left()).toEqual([
    { action: 'login', n: 1 },
    { action: 'user.update', n: 2 },
  ])
  // One entry for each kind that was deleted.
  expect(await verifyAudit(deps)).toMatchObject({ entries: before.entries + 1, broken: undefined })
  // Newer details must not be absent.
  const stolen = inTransaction(deps.db, async (tx) => {
    await sql`delete from audit_details where part = 'change' and subject_id = 7`.execute(tx)
    const { broken } = await verifyAudit({ ...deps, db: tx })
    throw Object.assign(new Error('undone'), { broken })
  })
  await expect(stolen).rejects.toMatchObject({ broken: { why: expect.stringContaining('its change is missing') } })
  // Deleted details are still no fault when the setting is longer later.
  await clock.setTime(clock.now() + 4_000 * DAY_MS)
  await forgetOldDetails(deps)
  expect(await left()).toEqual([])
  expect((await verifyAudit(deps)).broken).toBeUndefined()
  const longer = { ...deps, config: { ...deps.config, RETENTION_AUDIT_DAYS: 36_500, RETENTION_SIGN_IN_DAYS: 36_500 } }
  expect((await verifyAudit(longer)).broken).toBeUndefined()
})

test('old activity is deleted but stays in the histogram, also after a recount; resolved alerts are deleted', async ({
  service,
}) => {
  const { deps, clock } = service
  const toDay = (ago: number) => new Date(clock.now() - ago * DAY_MS).toISOString().slice(0, 10)
  for (const ago of [800, 761, 760, 3])
    await inTransaction(deps.db, (tx) =>
      insertActivity(tx, { day: toDay(ago), users: [1, 2, 3].map((userId) => ({ userId, gap: 5 })), late: [] }),
    )
  const days = { fromDay: toDay(900), toDay: toDay(0) }
  await inTransaction(deps.db, (tx) => deleteActivity(tx, { userIds: [3], ...days }))
  for (const code of ['Old', 'Young', 'Open'])
    await raiseAlert(deps.db, { code, detail: '', provider: 'expo' }, new Date(0))
  await resolveAlerts(deps.db, { provider: 'expo', code: 'Old' }, new Date(clock.now() - 366 * DAY_MS))
  await resolveAlerts(deps.db, { provider: 'expo', code: 'Young' }, new Date(clock.now() - 364 * DAY_MS))
  const histogram = () => deps.db.selectFrom('activity_gap_day').selectAll().orderBy('day').execute()
  const before = await histogram()
  await createHandlers(deps).retention({}, signal)
  const { rows } = await sql<{ day: string; n: number }>`
    select day, count(*) as n from user_activity_day group by 1 order by 1`.execute(deps.db)
  expect(rows).toEqual([
    { day: toDay(760), n: 2 },
    { day: toDay(3), n: 2 },
  ])
  await rebuildGapHistogram(deps.db, days)
  expect(await histogram()).toEqual(before)
  const codes = (await deps.db.selectFrom('alerts').select('code').orderBy('code').execute()).map(({ code }) => code)
  expect(codes).toEqual(['Open', 'Young'])
})
