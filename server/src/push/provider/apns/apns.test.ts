import { describe, expect, test } from 'vitest'
import {
  apnsPush,
  apnsPushes,
  apnsWorld,
  appleKey,
  deviceToken,
  KEY_ID,
  TEAM,
  TOPIC,
} from '../../../../test/support/apns.ts'
import { toTicketId } from '../each-push.ts'

const HEALTHY = { kind: 'healthy' }

describe('a push to Apple', () => {
  test('is accepted with the ticket that was known before, and is in the log of the double', async () => {
    const { double, open } = await apnsWorld()
    const answer = await open().submit([apnsPush(7)])
    expect(answer).toEqual({
      outcomes: [{ kind: 'accepted', ticketId: toTicketId('apns', 7) }],
      wasSent: [true],
      health: HEALTHY,
    })
    expect(double.log()).toMatchObject([
      { notification_id: 7, token: deviceToken(7), collapseId: 'n7', apnsId: toTicketId('apns', 7) },
    ])
  })

  test('leaves beside 499 others, each with its own outcome', async () => {
    const { double, open } = await apnsWorld()
    const { outcomes, health } = await open().submit(
      apnsPushes(500, (n) => (n % 50 === 3 ? { to: deviceToken(n, 'deadbeef') } : {})),
    )
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(490)
    expect(outcomes[3]).toMatchObject({ kind: 'refused', code: 'DeviceNotRegistered', goneSince: expect.any(Date) })
    expect(health).toEqual(HEALTHY)
    expect(
      double
        .log()
        .map(({ notification_id }) => notification_id)
        .toSorted(byNumber),
    ).toEqual(outcomes.flatMap(({ kind }, n) => (kind === 'accepted' ? [n + 1] : [])))
  })

  test('does not leave where it may not begin', async () => {
    const { double, open } = await apnsWorld()
    const answer = await open().submit(apnsPushes(2), () => false)
    expect(answer).toEqual({
      outcomes: [REFUSED, REFUSED],
      wasSent: [false, false],
      health: { kind: 'busy', retryAfterMs: 0 },
    })
    expect(double.counts().answers).toEqual({})
  })

  test('that nobody takes was not sent, and its attempt is given back', async () => {
    const { double, open } = await apnsWorld()
    await double.close()
    expect(await open().submit([apnsPush(1)])).toEqual({
      outcomes: [REFUSED],
      wasSent: [false],
      health: { kind: 'failing', code: 'ProviderUnavailable' },
    })
  })

  test('is unknown when the connection ends after Apple took it', async () => {
    const { double, open } = await apnsWorld()
    double.production.script([{ kind: 'cut', by: 'reset', when: 'after' }])
    expect(await open().submit([apnsPush(1)])).toEqual({
      outcomes: [{ kind: 'unknown', code: 'OutcomeUnknown' }],
      wasSent: [true],
      health: { kind: 'failing', code: 'OutcomeUnknown' },
    })
    expect(double.log()).toHaveLength(1)
  })

  test('to a phone that is off is kept, but for an earlier one of the same app', async () => {
    const { double, open } = await apnsWorld()
    const to = deviceToken(1)
    double.setToken(to, { isAway: true })
    const provider = open()
    for (const id of [1, 2]) await provider.submit([apnsPush(id, { to })])
    expect(double.log()).toHaveLength(2)
    expect(double.comeBack(to)).toMatchObject([{ apnsId: toTicketId('apns', 2) }])
  })
})

describe('Apple in two environments', () => {
  test('has tokens of its own in each; one of the other is bad, and nobody is removed', async () => {
    const { open } = await apnsWorld()
    const [production, sandbox] = [open(), open({ environment: 'sandbox' })]
    const ofSandbox = [apnsPush(1, { to: deviceToken(1, '5a4db0c5') })]
    const ofProduction = [apnsPush(2)]
    const bad = [{ kind: 'refused', code: 'BadDeviceToken', retry: false }]
    expect((await sandbox.submit(ofSandbox)).outcomes).toMatchObject([{ kind: 'accepted' }])
    expect((await production.submit(ofProduction)).outcomes).toMatchObject([{ kind: 'accepted' }])
    expect((await production.submit(ofSandbox)).outcomes).toEqual(bad)
    expect((await sandbox.submit(ofProduction)).outcomes).toEqual(bad)
  })

  test('owns tokens of Apple’s form alone', async () => {
    const { open } = await apnsWorld()
    const provider = open()
    expect(provider.owns(deviceToken(1))).toBe(true)
    expect(provider.owns(deviceToken(1).toUpperCase())).toBe(true)
    expect(provider.owns('ExponentPushToken[a]')).toBe(false)
    expect(provider.toStored?.('ABCD')).toBe('abcd')
  })
})

describe('a probe of Apple', () => {
  test('is healthy when Apple calls the token of no device bad, and says what is wrong otherwise', async () => {
    const { double, open } = await apnsWorld()
    const provider = open()
    expect(await provider.probe()).toEqual(HEALTHY)
    expect(double.counts().answers).toEqual({ BadDeviceToken: 1 })
    expect(await open({ topic: 'com.example.other' }).probe()).toMatchObject({
      kind: 'misconfigured',
      advice: expect.stringMatching(/^Apple says TopicDisallowed: check that topic/),
    })
    double.script([{ reason: 'InternalServerError' }])
    expect(await provider.probe()).toEqual({ kind: 'failing', code: 'OutcomeUnknown' })
  })

  test('finds a key of another team, one of another environment, and one that Apple revoked', async () => {
    const key = appleKey()
    const keys = [{ team: TEAM, keyId: KEY_ID, key: key.publicKey, environment: 'sandbox' as const, topics: [TOPIC] }]
    const { double, open } = await apnsWorld({ keys })
    const health = async (settings: Parameters<typeof open>[0]) =>
      open(settings, {
        key: key.privateKey,
        share: async (sign) => ({ token: await sign(new Date()), signedAt: new Date() }),
      }).probe()
    expect(await health({})).toMatchObject({ advice: expect.stringMatching(/BadEnvironmentKeyInToken: .*environment/) })
    expect(await health({ environment: 'sandbox' })).toEqual(HEALTHY)
    expect(await health({ environment: 'sandbox', team: 'OTHERTEAM1' })).toMatchObject({
      advice: expect.stringMatching(/^Apple says InvalidProviderToken: check team/),
    })
    double.revokeKey(KEY_ID)
    expect(await health({ environment: 'sandbox' })).toMatchObject({
      kind: 'misconfigured',
      advice: expect.stringMatching(/not revoked$/),
    })
  })
})

const REFUSED = { kind: 'refused', code: 'ProviderUnavailable', retry: true }

function byNumber(a: unknown, b: unknown): number {
  return Number(a) - Number(b)
}
