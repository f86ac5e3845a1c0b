// Slow: connections to providers are opened one a second.
import { describe, expect, test } from 'vitest'
import { openWebPush, pushesTo, startPushService } from '../../../../test/support/web-push.ts'

const HEALTHY = { kind: 'healthy' }
const AGAIN = { kind: 'refused', code: 'ProviderError', retry: true }
const GIVEN_BACK = { kind: 'refused', code: 'ProviderUnavailable', retry: true }

describe('subscriptions that never took a push, as anybody may register them, say nothing of a push service', () => {
  test.for<[string, { status: number }, object]>([
    ['a redirect', { status: 302 }, AGAIN],
    ['408', { status: 408 }, AGAIN],
    ['500', { status: 500 }, { kind: 'unknown', code: 'OutcomeUnknown' }],
    ['503', { status: 503 }, { kind: 'unknown', code: 'OutcomeUnknown' }],
  ])('by %s: it uses an attempt, and pushes to others go on', async ([, answer, outcome]) => {
    const service = await startPushService()
    const provider = openWebPush({ url: service.url })
    const invented = Array.from({ length: 20 }, () => service.subscribe())
    service.script([{ ...answer, times: 0 }])
    for (let round = 0; round < 3; round++) {
      const { outcomes, health } = await provider.submit(pushesTo(invented, { isProven: false }))
      expect(outcomes).toEqual(invented.map(() => outcome))
      expect(health).toEqual(HEALTHY)
    }
    service.clearScript()
    expect((await provider.submit(pushesTo([service.subscribe()]))).outcomes).toMatchObject([{ kind: 'accepted' }])
  })

  test('nor by a name that does not exist under one that is listed', async () => {
    const service = await startPushService()
    const hosts = ['*.push.invalid', new URL(service.url).host]
    const provider = openWebPush({ url: service.url, hosts })
    const invented = Array.from({ length: 20 }, (_, n) => at(service.subscribe(), `https://a${n}.push.invalid`))
    for (let round = 0; round < 6; round++) {
      const answer = await provider.submit(pushesTo(invented, { isProven: false }))
      expect(answer.outcomes).toMatchObject(invented.map(() => AGAIN))
      expect(answer.wasSent).toEqual(invented.map(() => false))
      expect(answer.health).toEqual(HEALTHY)
    }
  })
})

test('A listed server that nobody can reach is away, whoever is to get the push: no attempt is used', async () => {
  const provider = openWebPush({ url: 'https://localhost:1' })
  const service = await startPushService()
  const pushes = pushesTo([at(service.subscribe(), 'https://localhost:1')], { isProven: false })
  for (let round = 0; round < 6; round++) {
    const { outcomes, health } = await provider.submit(pushes)
    expect(outcomes).toMatchObject([GIVEN_BACK])
    expect(health).toEqual({ kind: 'failing', code: 'ProviderUnavailable' })
  }
})

test('A name under a listed one that took pushes before and cannot be reached is away too', async () => {
  const service = await startPushService()
  const provider = openWebPush({ url: service.url, hosts: ['*.push.invalid'] })
  const { outcomes, health } = await provider.submit(pushesTo([at(service.subscribe(), 'https://a.push.invalid')]))
  expect(outcomes).toEqual([GIVEN_BACK])
  expect(health).toEqual({ kind: 'failing', code: 'ProviderUnavailable' })
})

describe('429', () => {
  test('of twenty browsers of one person, with however many tokens each, keeps no other from getting theirs', async () => {
    const service = await startPushService()
    const provider = openWebPush({ url: service.url })
    const own = Array.from({ length: 20 }, () => service.subscribe())
    const again = own.map((token) => withEndpointOf(service.subscribe(), token))
    service.script([{ status: 429, times: 0 }])
    expect((await provider.submit(pushesTo([...own, ...again]))).health).toEqual(HEALTHY)
    service.clearScript()
    expect((await provider.submit(pushesTo([service.subscribe()]))).outcomes).toMatchObject([{ kind: 'accepted' }])
  })

  test('of more than twenty makes that push service wait, without attempts, and no other', async () => {
    let now = Date.now()
    const [service, other] = [await startPushService({ now: () => now }), await startPushService({ now: () => now })]
    const hosts = [service, other].map(({ url }) => new URL(url).host)
    const provider = openWebPush({ url: service.url, hosts, now: () => now })
    const many = Array.from({ length: 21 }, () => service.subscribe())
    service.script([{ status: 429, headers: { 'retry-after': '120' }, times: 0 }])
    const first = await provider.submit(pushesTo(many))
    expect(first.health).toEqual(HEALTHY)
    const limited = { kind: 'refused', code: 'RateLimited', retry: true, retryAfterMs: 120_000, isFree: true }
    expect(first.outcomes).toEqual(many.map(() => limited))
    service.clearScript()
    now += 60_000
    const both = await provider.submit(pushesTo([many[0]!, other.subscribe()]))
    expect(both.outcomes).toMatchObject([{ ...GIVEN_BACK, retryAfterMs: 60_000 }, { kind: 'accepted' }])
    now += 60_000
    expect((await provider.submit(pushesTo([many[0]!]))).outcomes).toMatchObject([{ kind: 'accepted' }])
  })
})

function withEndpointOf(token: string, other: string): string {
  const { endpoint } = JSON.parse(other) as { endpoint: string }
  return JSON.stringify({ ...(JSON.parse(token) as object), endpoint })
}

/** The same subscription at another server. */
function at(subscription: string, origin: string): string {
  return JSON.stringify({ ...(JSON.parse(subscription) as object), endpoint: `${origin}/push/1` })
}
