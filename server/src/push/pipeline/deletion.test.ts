import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, readCopies, expectTruth, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { createHandlers } from '../../handlers.ts'

test('deleting a user’s row deletes their notifications and devices, and nobody else’s', async ({ service }) => {
  const [leaves, stays] = await usersWithPhones(service, 2)
  const messageId = await send(
    service,
    [leaves, stays].filter((user) => user !== undefined),
  )
  await drain(service)
  await service.deps.db
    .deleteFrom('users')
    .where('user_id', '=', leaves?.userId ?? 0)
    .execute()
  expect(await readCopies(service, messageId)).toMatchObject([{ mobile_devices_id: stays?.devices[0]?.id }])
  const devices = await service.deps.db.selectFrom('mobile_devices').select('user_id').execute()
  expect(devices.map((device) => device.user_id)).not.toContain(leaves?.userId)
})

test('a stopped campaign keeps no id of a deleted user whom it did not reach', async ({
  service,
  app,
  given,
  deps,
}) => {
  const [leaves] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
  const { headers } = await given.admin()
  const call = (url: string, payload: object = {}) => app.inject({ method: 'POST', url, headers, payload })
  const sent = await call('/api/admin/send-notification-all', { title: 'Hello', text: 'There' })
  const { notification_id: messageId } = sent.json<{ data: { notification_id: number } }>().data
  await createHandlers(deps).coordinate({ messageId }, new AbortController().signal)
  await call(`/api/admin/promotional-notifications/${messageId}/stop`)
  const people = async () =>
    (await deps.db.selectFrom('batches').select('user_ids').where('message_id', '=', messageId).execute()).flatMap(
      (batch) => batch.user_ids,
    )
  expect(await people()).toContain(leaves.userId)
  await deps.db.deleteFrom('users').where('user_id', '=', leaves.userId).execute()
  expect(await people()).not.toContain(leaves.userId)
})

const CHANGES: [string, string][] = [
  ['deleted', `update users set deleted_at = now() where user_id = $1`],
  ['suspended', `update users set status = 'suspended' where user_id = $1`],
  ['opted out', `update user_settings set setting_value = '0' where user_id = $1`],
]

test.for(CHANGES)(
  'a user who is %s between two attempts gets nothing of the second, and the report says why',
  async ([, change], { service, given, simulator }) => {
    await calmDown(service)
    const user = await given.user({ devices: [{}] })
    const other = await given.user({ devices: [{}] })
    // Surely not sent, so that their end is not called unknown.
    simulator.script([{ match: 'send', ticketErrors: { 0: 'MessageRateExceeded', 1: 'MessageRateExceeded' } }])
    const messageId = await send(service, [user, other], { promotional: false })
    await drain(service)
    await service.deps.pool.query(change, [user.userId])
    await untilRetry(service)
    await drain(service)
    const copies = await service.deps.db
      .selectFrom('notifications')
      .selectAll()
      .where('message_id', '=', messageId)
      .execute()
    const codeOf = new Map(copies.map((copy) => [copy.user_id, copy.error_message]))
    expect(codeOf.get(user.userId)).toBe('RecipientUnavailable')
    expect(codeOf.get(other.userId)).toBeNull()
    expect(simulator.log().map((entry) => entry.token)).not.toContain(user.devices[0]?.token)
    await expectTruth(service, messageId)
  },
)

test.for<[string, { deleted_at: Date } | { status: 'suspended' }]>([
  ['deleted', { deleted_at: new Date() }],
  ['suspended', { status: 'suspended' }],
])(
  'a user who is %s while a campaign runs gets nothing of what is not submitted yet, and counts as skipped',
  async ([reason, change], { service, given }) => {
    const user = await given.user({ devices: [{}] })
    const other = await given.user({ devices: [{}] })
    const messageId = await send(service, [user, other])
    await service.deps.db.updateTable('users').set(change).where('user_id', '=', user.userId).execute()
    await drain(service)
    expect(await readCopies(service, messageId)).toHaveLength(1)
    const counts = await service.deps.db
      .selectFrom('message_counts')
      .selectAll()
      .where('message_id', '=', messageId)
      .execute()
    const skipped = counts.reduce(
      (sum, row) => sum + (reason === 'deleted' ? row.skipped_deleted : row.skipped_inactive),
      0,
    )
    expect(skipped).toBe(1)
  },
)
