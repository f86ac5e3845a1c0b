// Slow: many costly requests, or long data.
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { summariseAudience } from './audience.queries.ts'

const USERS = 30_000

test('a large audience is summed up from a sample: users exactly, the rest to a few percent', async ({
  deps,
  given,
}) => {
  await given.crowd(USERS)
  await deps.pool.query(`update users set status = 'suspended' where user_id % 10 = 0`)
  await deps.pool.query(`update user_settings set setting_value = '0' where user_id % 4 = 1`)
  await deps.pool.query(`update mobile_devices set removed_at = now() where user_id % 6 = 2`)
  await deps.pool.query(`update sessions set revoked_at = now() where user_id % 6 = 3`)
  await deps.pool.query('analyze users')
  const now = new Date(deps.clock.now())
  const exact = await summariseAudience(deps.db, 'all', now)
  expect(exact).toMatchObject({ selected: USERS, isEstimate: false })
  const estimated = await summariseAudience(deps.db, 'all', now, 1_000)
  expect(estimated).toMatchObject({ selected: USERS, inactive: exact.inactive, isEstimate: true })
  for (const name of ['opted_out', 'no_device', 'signed_out', 'ios', 'android'] as const) {
    expect(estimated[name]).toBeGreaterThan(exact[name] * 0.9)
    expect(estimated[name]).toBeLessThan(exact[name] * 1.1)
  }
})

test('an audience of nobody is nobody', async ({ deps }) => {
  const nobody = {
    selected: 0,
    inactive: 0,
    opted_out: 0,
    no_device: 0,
    signed_out: 0,
    ios: 0,
    android: 0,
    web: 0,
    devices: 0,
  }
  expect(await summariseAudience(deps.db, 'sandbox', new Date(deps.clock.now()), -1)).toEqual({
    ...nobody,
    isEstimate: true,
  })
})
