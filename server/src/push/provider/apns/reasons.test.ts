// Slow: two seconds or more for the file.

import { describe, expect, test, type TestContext } from 'vitest'
import { REASONS as REASONS_OF_DOUBLE, type Reason } from '../../../../../simulator/src/apns/reasons.ts'
import { apnsPush, apnsPushes, apnsWorld, deviceToken, KEY_ID } from '../../../../test/support/apns.ts'
import type { Health } from '../provider.ts'
import { REASONS } from './apns-reasons.ts'

const MINUTE_MS = 60_000
const ALL = Object.keys(REASONS_OF_DOUBLE) as Reason[]
/** It is asked for once more with a new token where one may be signed. */
const STALE = 'ExpiredProviderToken'
/** No further push leaves by the connection that got it. */
const ENDS_CONNECTION = new Set<Reason>([
  'InvalidProviderToken',
  'Forbidden',
  'UnrelatedKeyIdInToken',
  'IdleTimeout',
  'Shutdown',
])
const UNAUTHORIZED = { kind: 'refused', code: 'Unauthorized', retry: true }
const NOT_BEGUN = { kind: 'refused', code: 'ProviderUnavailable', retry: true }

// At once: a second connection is opened after a second.
describe.concurrent('a reason that Apple gives for one push', () => {
  test.for(ALL)('is its outcome over TLS: %s', async (reason, { onTestFinished }) => {
    const { double, open } = await apnsWorld({}, onTestFinished)
    const provider = open()
    await provider.submit([apnsPush(1)])
    double.script([{ reason, since: 1_700_000_000_000, times: reason === STALE ? 0 : 1 }])
    const content = { ...apnsPush(2).content, urgent: false }
    const { outcomes, wasSent, health } = await provider.submit([apnsPush(2, { content })])
    const { kind, code, retry, retryAfterMs, health: state } = REASONS[reason]!
    const goneSince = code === 'DeviceNotRegistered' && new Date(1_700_000_000_000)
    expect(outcomes).toEqual([
      kind === 'unknown'
        ? { kind, code }
        : { kind, code, retry, ...(retryAfterMs && { retryAfterMs }), ...(goneSince && { goneSince }) },
    ])
    expect(wasSent).toEqual([true])
    expect(health.kind).toBe(state)
    expect(double.log().map(({ notification_id }) => notification_id)).toEqual([1])
    double.clearScript()
    if (reason === 'TooManyProviderTokenUpdates') return
    expect((await provider.submit([apnsPush(3)])).outcomes).toMatchObject([{ kind: 'accepted' }])
    expect(double.production.counts().connections).toBe(ENDS_CONNECTION.has(reason) ? 2 : 1)
  })

  test('and that was logged all the same is unknown only where the reason says no more', async ({ onTestFinished }) => {
    const { double, open } = await apnsWorld({}, onTestFinished)
    double.script([{ reason: 'InternalServerError', accept: true }])
    const { outcomes } = await open().submit([apnsPush(1)])
    expect(outcomes).toEqual([{ kind: 'unknown', code: 'OutcomeUnknown' }])
    expect(double.log()).toHaveLength(1)
  })

  test('colours the provider only when most pushes get it, unless it is our configuration', async ({
    onTestFinished,
  }) => {
    expect(await healthOf('ServiceUnavailable', 5, onTestFinished)).toEqual({ kind: 'healthy' })
    expect(await healthOf('ServiceUnavailable', 6, onTestFinished)).toEqual({ kind: 'failing', code: 'ProviderError' })
    expect(await healthOf('TooManyRequests', 10, onTestFinished)).toEqual({ kind: 'healthy' })
    expect(await healthOf('TopicDisallowed', 1, onTestFinished)).toMatchObject({
      kind: 'misconfigured',
      code: 'Unauthorized',
    })
  })
})

describe.concurrent('the provider token', () => {
  test('that has become too old is replaced once, at once, and no attempt is used', async ({ onTestFinished }) => {
    const { double, clocks, open } = await apnsWorld({}, onTestFinished)
    const provider = open()
    await provider.submit([apnsPush(1)])
    // It was signed 31 minutes ago, and Apple's clock is ahead.
    clocks.own += 31 * MINUTE_MS
    clocks.apple += 61 * MINUTE_MS
    const answer = await provider.submit(apnsPushes(50))
    expect(answer.outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(50)
    expect(answer.health).toEqual({ kind: 'healthy' })
    expect(double.tokensOf(KEY_ID)).toHaveLength(2)
    expect(double.counts().answers[STALE]).toBeLessThanOrEqual(50)
  })

  test.for<[number, string, string]>([
    [-61, '3660 s behind', STALE],
    [61, '3660 s ahead of', 'InvalidProviderToken'],
  ])(
    'of a clock that is %i minutes wrong halts, and the seconds are named',
    async ([minutes, words, reason], { onTestFinished }) => {
      const { double, clocks, open, logged } = await apnsWorld({}, onTestFinished)
      clocks.own += minutes * MINUTE_MS
      const provider = open()
      const { outcomes, health } = await provider.submit(apnsPushes(3))
      expect(outcomes[0]).toEqual(UNAUTHORIZED)
      for (const outcome of outcomes.slice(1)) expect([UNAUTHORIZED, NOT_BEGUN]).toContainEqual(outcome)
      const advice = expect.stringMatching(`^Apple says ${reason}: the clock of this server is 36\\d\\d s`)
      expect(health).toEqual({ kind: 'misconfigured', code: 'Unauthorized', advice })
      expect(logged()).toContain(words.slice(5))
      expect(logged().match(/"pushes":\d/g)).toHaveLength(1)
      expect(double.log()).toEqual([])
      // Set right, it sends again without a restart.
      clocks.own -= minutes * MINUTE_MS
      expect((await provider.submit([apnsPush(9)])).outcomes).toMatchObject([{ kind: 'accepted' }])
    },
  )

  test('is one for all processes, and two an hour at most', async ({ onTestFinished }) => {
    const { double, clocks, open } = await apnsWorld({}, onTestFinished)
    const processes = [open(), open(), open({ environment: 'sandbox' })]
    for (let step = 0; step < 30; step++) {
      await Promise.all(processes.map((one) => one.submit([apnsPush(step)])))
      clocks.own += 10 * MINUTE_MS
      clocks.apple += 10 * MINUTE_MS
    }
    expect(double.tokensOf(KEY_ID)).toHaveLength(8)
    expect(double.counts().answers).toEqual({ accepted: 60, BadDeviceToken: 30 })
  })

  test('that changes too often rests the connection, and its pushes wait without using an attempt', async ({
    onTestFinished,
  }) => {
    const { double, open } = await apnsWorld({}, onTestFinished)
    let signed = 0
    const provider = open(
      { connections: 2 },
      {
        share: async (sign) => ({ token: await sign(new Date(Date.now() - 1_000 * ++signed)), signedAt: new Date(0) }),
      },
    )
    await provider.submit([apnsPush(1)])
    const { outcomes, health } = await provider.submit([apnsPush(2)])
    expect(outcomes).toEqual([{ kind: 'refused', code: 'ProviderUnavailable', retry: true }])
    expect(health).toEqual({ kind: 'failing', code: 'ProviderUnavailable' })
    // Another connection takes the next push.
    expect((await provider.submit([apnsPush(3)])).outcomes).toMatchObject([{ kind: 'accepted' }])
    expect(double.production.counts().connections).toBe(2)
  })

  test('of a key that was revoked halts, and removes nothing', async ({ onTestFinished }) => {
    const { double, open, logged } = await apnsWorld({}, onTestFinished)
    const provider = open()
    await provider.submit(apnsPushes(10))
    double.revokeKey(KEY_ID)
    const { outcomes, health } = await provider.submit(apnsPushes(10))
    expect(outcomes).toEqual(outcomes.map(() => UNAUTHORIZED))
    expect(health).toMatchObject({ kind: 'misconfigured', advice: expect.stringContaining('not revoked') })
    expect(logged()).not.toContain(deviceToken(1))
  })
})

describe.concurrent('a topic that is not ours', () => {
  test('halts at its first answer, after which nothing leaves, and removes no device', async ({ onTestFinished }) => {
    const { double, open } = await apnsWorld({}, onTestFinished)
    const { outcomes, wasSent, health } = await open({ topic: 'com.example.other' }).submit(apnsPushes(500))
    expect(outcomes).toEqual(wasSent.map((was) => (was ? UNAUTHORIZED : NOT_BEGUN)))
    // The answer makes room for another before it is read.
    expect(double.counts().answers['TopicDisallowed']).toBeLessThanOrEqual(3)
    expect(health).toMatchObject({ kind: 'misconfigured', advice: expect.stringContaining('bundle id') })
  })

  test('for one token is about that token alone', async ({ onTestFinished }) => {
    const { double, open } = await apnsWorld({}, onTestFinished)
    double.setToken(deviceToken(2), { topic: 'com.example.other' })
    const { outcomes, health } = await open().submit(apnsPushes(3))
    expect(outcomes).toMatchObject([
      { kind: 'accepted' },
      { kind: 'refused', code: 'DeviceTokenNotForTopic', retry: false },
      { kind: 'accepted' },
    ])
    expect(health).toEqual({ kind: 'healthy' })
  })
})

/** Gives the provider's health after ten pushes of which so many get the reason. */
async function healthOf(reason: Reason, times: number, onTestFinished: TestContext['onTestFinished']): Promise<Health> {
  const { double, open } = await apnsWorld({}, onTestFinished)
  double.script([{ reason, times }])
  return (await open().submit(apnsPushes(10))).health
}
