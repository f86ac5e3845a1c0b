// For CI: query plans on tables of up to a million rows.
import { expect, onTestFinished, test } from 'vitest'
import { drain } from '../../../test/support/drain.ts'
import { scannedBy, watchPlans } from '../../../test/support/plans.ts'
import { startService } from '../../../test/support/service.ts'
import { fetchReceipts } from './receipts.ts'
import { sendToAll } from '../../../test/support/send.ts'

const PHONES = 20_000

test('receipts find their batches one by one, on a table that has just grown and with default costs', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  await service.given.crowd(PHONES)
  const { userId: senderId } = await service.given.admin()
  await sendToAll(service.deps, { title: 'a', text: 'b' }, senderId)
  await drain(service)
  await service.deps.pool.query(`do $$ begin
    execute format('alter database %I set random_page_cost = 4', current_database());
  end $$`)
  const { deps, plans, close } = await watchPlans(service)
  onTestFinished(close)
  const round = { limit: 2_000, dueOnly: false }
  expect(await fetchReceipts(deps, round, new AbortController().signal)).toBe(2_000)
  expect(plans.filter((plan) => /on batches/.test(plan)).length).toBeGreaterThanOrEqual(2)
  expect(scannedBy(plans)).not.toContain('batches')
})
