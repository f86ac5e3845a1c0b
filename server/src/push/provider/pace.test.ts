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

test('a rate that climbs begins low, is full after a minute of sending, and goes back while less is sent', async ({
  deps: { db, clock },
}) => {
  await updateProviderState(db, 'expo', { pace_free_at: new Date(0), ramp_from: new Date(0), slow_until: new Date(0) })
  const climb = { from: 500, seconds: 60 }
  let ms = clock.now()
  const take = (pushes: number, ratePerSecond: number) =>
    takeFromPace(db, 'expo', { now: new Date(ms), pushes, ratePerSecond, climb, aheadMs: 0, catchUpMs: 250 })
  /** Pushes a second, when in so many seconds each tenth of the rate leaves as soon as it may. */
  const sendFor = async (seconds: number, ratePerSecond = 10_000): Promise<number> => {
    let sent = 0
    for (const until = ms + seconds * 1_000; ms < until;) {
      const freeAt = await take(ratePerSecond / 10, ratePerSecond)
      if (freeAt !== undefined) sent += ratePerSecond / 10
      ms = Math.max(ms + 1, freeAt?.getTime() ?? 0)
    }
    return sent / seconds
  }
  const begin = [await sendFor(5), await sendFor(5)]
  expect(begin).toEqual([expect.closeTo(1_400, -3), expect.closeTo(2_100, -3)])
  await sendFor(55)
  expect(await sendFor(5)).toBeCloseTo(10_000, -3)
  // A push now and then is less than the rate, too.
  for (let second = 0; second < 30; second++) {
    ms += 1_000
    await take(1, 10_000)
  }
  expect(await sendFor(5)).toBeLessThan(7_500)
  ms += 600_000
  expect(await sendFor(5)).toBeLessThan(2_000)
  ms += 600_000
  await updateProviderState(db, 'expo', { ramp_from: new Date(0) })
  expect(await sendFor(5, 500)).toBeGreaterThanOrEqual(500)
})
