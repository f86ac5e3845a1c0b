import { describe, expect, test } from 'vitest'
import { openWebPush, pushesTo, startPushService, webPushWorld } from '../../../../test/support/web-push.ts'

describe('a push to a browser', () => {
  // A connection of HTTP/1 carries one push at a time, and what does not begin within a second is given back.
  test.for([
    [1, 16],
    [2, 100],
  ] as const)('is decrypted there, and its ticket is ours, over HTTP/%i', async ([http, count]) => {
    const service = await startPushService({ http })
    const provider = openWebPush({ url: service.url })
    const subscriptions = Array.from({ length: count }, () =>
      service.subscribe({ applicationServerKey: provider.publicKey }),
    )
    const { outcomes, wasSent, health } = await provider.submit(pushesTo(subscriptions))
    expect(health).toEqual({ kind: 'healthy' })
    expect(wasSent.every(Boolean)).toBe(true)
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(['accepted']))
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(count)
    const log = service.log()
    expect(log.map((push) => push.notification_id).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      subscriptions.map((_, n) => n + 1),
    )
    expect(JSON.parse(log.find((push) => push.notification_id === 7)!.text!)).toEqual({
      title: 'New offer',
      body: 'Somebody wants to swap.',
      tag: 'n7',
      notification_id: 7,
      data: { link: 'a' },
    })
    expect(service.counts().connections).toBeLessThanOrEqual(8)
    expect(service.tokens()).toHaveLength(1)
  })

  test('has the same ticket on every attempt, a UUID', async () => {
    const { service, provider, to } = await webPushWorld()
    const [push] = pushesTo([to], { notificationId: 4_000_000_000_000 })
    const first = await provider.submit([push!])
    expect(await provider.submit([push!])).toEqual(first)
    const [outcome] = first.outcomes
    expect(outcome).toEqual({
      kind: 'accepted',
      ticketId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
    })
    expect(service.log()).toHaveLength(2)
  })

  test('that waits for a browser is replaced by one with the same merge key, and by none without', async () => {
    const { service, provider, to } = await webPushWorld()
    service.goAway(to)
    const content = { title: 'a', body: 'b', data: null, urgent: false }
    for (const [notificationId, mergeKey] of [
      [1, 'swap 5'],
      [2, 'swap 5'],
      [3, 'swap 6'],
      [4, null],
      [5, null],
    ] as const)
      await provider.submit(pushesTo([to], { notificationId, content: { ...content, mergeKey } }))
    expect(service.comeBack(to).map((push) => push.notification_id)).toEqual([2, 3, 4, 5])
    expect(service.log().map(({ topic }) => topic?.length)).toEqual([32, 32, 32, undefined, undefined])
    expect(service.log().map(({ urgency }) => urgency)).toEqual(Array(5).fill('normal'))
    expect(service.log().map(({ text }) => JSON.parse(text!).tag)).toEqual(['swap 5', 'swap 5', 'swap 6', 'n4', 'n5'])
  })

  test('waits no longer than its message is of use', async () => {
    let now = Date.now()
    const { service, provider, to } = await webPushWorld({ now: () => now })
    service.goAway(to)
    for (const seconds of [-1, 60, 600])
      await provider.submit(pushesTo([to], { notificationId: seconds + 2, expiresAt: new Date(now + seconds * 1_000) }))
    expect(service.log().map(({ ttl, urgency }) => [ttl, urgency])).toEqual([
      [0, 'high'],
      [60, 'high'],
      [600, 'high'],
    ])
    now += 300_000
    expect(service.comeBack(to).map(({ ttl }) => ttl)).toEqual([600])
  })

  test('has as many bytes as were measured before', async () => {
    const { service, provider, to } = await webPushWorld()
    const sizes: number[] = []
    for (const length of [0, 1, 3_800]) {
      const [push] = pushesTo([to], { content: { ...pushesTo([to])[0]!.content, body: 'é'.repeat(length / 2) } })
      sizes.push(provider.payloadBytes(push!))
      await provider.submit([push!])
    }
    expect(service.log().map(({ bytes }) => bytes)).toEqual(sizes)
  })
})

describe('the signature of pushes', () => {
  test('is one for each push service, and is made anew after six hours', async () => {
    let now = Date.now()
    const { service, provider, to } = await webPushWorld({ now: () => now })
    const other = await startPushService({ now: () => now })
    const both = openWebPush({
      url: service.url,
      hosts: [new URL(service.url).host, new URL(other.url).host],
      now: () => now,
    })
    for (const minutes of [0, 59, 300, 2, 358]) {
      now += minutes * 60_000
      await provider.submit(pushesTo([to]))
    }
    expect(service.tokens()).toHaveLength(2)
    await both.submit(pushesTo([service.subscribe(), other.subscribe()]))
    expect([service.tokens().length, other.tokens().length]).toEqual([3, 1])
  })
})

describe('what must not leave', () => {
  test('a request that may not begin is not made', async () => {
    const { service, provider, to } = await webPushWorld()
    let asked = 0
    const answer = await provider.submit(pushesTo([to, to, to]), () => ++asked !== 2)
    expect(answer.outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'refused', 'accepted'])
    expect(answer).toMatchObject({ wasSent: [true, false, true], health: { kind: 'healthy' } })
    expect(service.log()).toHaveLength(2)
    const none = await provider.submit(pushesTo([to]), () => false)
    expect(none).toMatchObject({ wasSent: [false], health: { kind: 'busy', retryAfterMs: 0 } })
  })

  test('nothing is sent to a host that is not listed, and no redirect is followed', async () => {
    const { service, provider, to } = await webPushWorld()
    const other = await startPushService()
    expect(await provider.submit(pushesTo([other.subscribe()]))).toEqual({
      outcomes: [{ kind: 'refused', code: 'BadDeviceToken', retry: false }],
      wasSent: [false],
      health: { kind: 'healthy' },
    })
    service.script([{ status: 307, headers: { location: `${other.url}/push/1` } }])
    expect((await provider.submit(pushesTo([to]))).outcomes).toEqual([
      { kind: 'refused', code: 'ProviderUnavailable', retry: true },
    ])
    expect(other.counts().requests).toBe(0)
  })
})
