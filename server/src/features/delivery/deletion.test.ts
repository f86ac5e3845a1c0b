import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { copiesOf, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'

test('a user who is removed takes their notifications and devices along, and nobody else’s', async ({ service }) => {
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
  expect(await copiesOf(service, messageId)).toMatchObject([{ mobile_devices_id: stays?.devices[0]?.id }])
  const devices = await service.deps.db.selectFrom('mobile_devices').select('user_id').execute()
  expect(devices.map((device) => device.user_id)).not.toContain(leaves?.userId)
})

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
    expect(await copiesOf(service, messageId)).toHaveLength(1)
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
