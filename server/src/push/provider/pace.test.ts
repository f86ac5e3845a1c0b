import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { takeFromPace, updateProviderState } from './provider-state.queries.ts'

test('a pace that a clock which jumped set far ahead holds nobody back', async ({ deps: { db, clock } }) => {
  const now = new Date(clock.now())
  const take = { now, pushes: 10, ratePerSecond: 10, aheadMs: 0, catchUpMs: 0 }
  const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)
  await updateProviderState(db, 'expo', { pace_free_at: hours(26), ramp_from: hours(-1) })
  expect(await takeFromPace(db, 'expo', take)).toEqual(new Date(now.getTime() + 1_000))
  await updateProviderState(db, 'expo', { pace_free_at: hours(0.9) })
  expect(await takeFromPace(db, 'expo', take)).toBeUndefined()
})
