import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'

const NOBODY = { no_device: 0, signed_out: 0, opted_out: 0, inactive: 0 }

test.for([
  ['has no phone', {}, { ...NOBODY, no_device: 1 }],
  ['switched notifications off', { notification: '0', devices: [{}] }, { ...NOBODY, opted_out: 1 }],
  ['is suspended', { status: 'suspended', devices: [{}] }, { ...NOBODY, inactive: 1 }],
  ['gets it', { devices: [{}] }, NOBODY],
] as const)('a test says at once whether its receiver %s', async ([, wishes, skipped], { service }) => {
  const { headers } = await service.given.admin()
  const { userId } = await service.given.user({ ...wishes, devices: [...('devices' in wishes ? wishes.devices : [])] })
  const url = '/api/send-test-notification'
  const payload = { user_id: userId, title: 'A test', text: 'Does it ring?' }
  const posted = await service.app.inject({ method: 'POST', url, headers, payload })
  expect([posted.statusCode, posted.json().data.skipped]).toEqual([202, skipped])
  const query = new URLSearchParams({ ...payload, user_id: String(userId), title: 'Another' })
  const got = await service.app.inject({ url: `${url}?${query.toString()}`, headers })
  expect(got.json().data.skipped).toEqual(skipped)
})
