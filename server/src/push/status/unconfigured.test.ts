import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { claimAll } from '../../../test/support/attempt.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { addProviders } from '../provider/provider-state.queries.ts'

test('an alert names a provider that is not configured as long as work waits for it', async ({ service }) => {
  const { db } = service.deps
  const read = () => db.selectFrom('alerts').select(['code', 'detail', 'resolved_at']).execute()
  await addProviders(db, ['fcm/old', 'apns/old/sandbox'])
  const users = await usersWithPhones(service, 1)
  await db.updateTable('mobile_devices').set({ provider: 'fcm/old' }).where('user_id', '=', users[0]!.userId).execute()
  await sweep(service.deps)
  expect(await read()).toEqual([])
  await claimAll(service, await send(service, users))
  await sweep(service.deps)
  const detail = expect.stringMatching(/^Pushes wait for fcm\/old, which is not configured\./) as string
  expect(await read()).toEqual([{ code: 'ProviderNotConfigured', detail, resolved_at: null }])
  await db.deleteFrom('work').execute()
  await sweep(service.deps)
  expect(await read()).toMatchObject([{ resolved_at: expect.any(Date) as Date }])
  await calmDown(service)
})
