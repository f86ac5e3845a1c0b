import { describe, expect, test } from 'vitest'
import { givenFcm, pushes, makeToken } from '../../../../test/support/fcm.ts'

const NOT_SENT = { kind: 'refused', code: 'ProviderUnavailable', retry: true }

describe('the quota of the project', () => {
  test('is waited for as long as Google says, and nothing is sent before', async () => {
    const { google, provider, clock } = await givenFcm({ google: { quotaPerMinute: 5 }, settings: { connections: 1 } })
    const { outcomes, health } = await provider.submit(pushes(20))
    expect(google.log()).toHaveLength(5)
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(5)
    expect(outcomes.filter((one) => one.kind === 'refused' && one.retry)).toHaveLength(15)
    expect(health.kind === 'busy' && health.retryAfterMs).toBeGreaterThan(50_000)
    const { sends } = google.state()
    const again = await provider.submit(pushes(2))
    expect(again).toMatchObject({
      outcomes: [NOT_SENT, NOT_SENT],
      wasSent: [false, false],
      health: { kind: 'busy', retryAfterMs: expect.any(Number) },
    })
    expect(google.state().sends).toBe(sends)
    clock.advance(61_000)
    expect((await provider.submit(pushes(5))).outcomes).toMatchObject(
      Array.from({ length: 5 }, () => ({ kind: 'accepted' })),
    )
  })

  test('is waited for a minute where Google names no time', async () => {
    const { provider } = await givenFcm({ google: { quotaPerMinute: 1, saysRetryAfter: false } })
    await provider.submit(pushes(1))
    const { health } = await provider.submit(pushes(1))
    expect(health.kind === 'busy' && health.retryAfterMs).toBeGreaterThan(59_000)
  })

  test('is waited for at least 10 s', async () => {
    const { provider, clock } = await givenFcm({ google: { quotaPerMinute: 1 } })
    await provider.submit(pushes(1))
    clock.advance(58_000)
    const { health } = await provider.submit(pushes(1))
    expect(health.kind === 'busy' && health.retryAfterMs).toBeGreaterThan(9_000)
  })

  test('ends a submission: what was not begun is not sent', async () => {
    const { google, provider } = await givenFcm({ google: { quotaPerMinute: 100 }, settings: { connections: 1 } })
    const { outcomes, wasSent } = await provider.submit(pushes(500))
    const accepted = outcomes.filter(({ kind }) => kind === 'accepted').length
    expect(accepted).toBe(100)
    expect(wasSent.filter((was) => was)).toHaveLength(google.state().sends)
    expect(google.state().sends).toBeLessThan(400)
  })
})

test('the quota of one phone makes that push wait, and no other', async () => {
  const { google, provider } = await givenFcm()
  const [push] = pushes(1)
  const toOne = Array.from({ length: 241 }, (_, n) => ({ ...push!, notificationId: n + 1 }))
  const { outcomes, health } = await provider.submit(toOne)
  expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(240)
  expect(outcomes.filter((one) => one.kind === 'refused')).toMatchObject([{ code: 'MessageRateExceeded', retry: true }])
  expect(health).toEqual({ kind: 'healthy' })
  expect(google.log().every(({ token }) => token === makeToken(1))).toBe(true)
})

test('a quota of which Google says nothing is the project’s once two phones meet it', async () => {
  const { google, provider } = await givenFcm()
  for (const phone of [1, 2]) google.setToken(makeToken(phone), 'QUOTA_UNNAMED')
  expect((await provider.submit(pushes(1))).health).toEqual({ kind: 'healthy' })
  expect((await provider.submit(pushes(1))).health).toEqual({ kind: 'healthy' })
  expect((await provider.submit(pushes(2).slice(1))).health).toEqual({ kind: 'busy', retryAfterMs: 60_000 })
})

test('a submission that may not begin is not sent, and does not count for the breaker', async () => {
  const { google, provider } = await givenFcm()
  expect(await provider.submit(pushes(2), () => false)).toEqual({
    outcomes: [NOT_SENT, NOT_SENT],
    wasSent: [false, false],
    health: { kind: 'busy', retryAfterMs: 0 },
  })
  expect(google.state().sends).toBe(0)
})

test('a submission that may not go on sends no more', async () => {
  const { google, provider } = await givenFcm({ settings: { connections: 1 } })
  let asked = 0
  const { outcomes } = await provider.submit(pushes(10), () => ++asked <= 4)
  expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(4)
  expect(google.log()).toHaveLength(4)
})
