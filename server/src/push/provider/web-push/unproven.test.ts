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

test('Twenty browsers of one person that get too many keep no other from getting theirs', async () => {
  const service = await startPushService()
  const provider = openWebPush({ url: service.url })
  const own = Array.from({ length: 20 }, () => service.subscribe())
  service.script([{ status: 429, times: 0 }])
  expect((await provider.submit(pushesTo([...own, ...own]))).health).toEqual(HEALTHY)
  expect((await provider.submit(pushesTo([...own, service.subscribe()]))).health).toMatchObject({ kind: 'busy' })
})

/** The same subscription at another server. */
function at(subscription: string, origin: string): string {
  return JSON.stringify({ ...(JSON.parse(subscription) as object), endpoint: `${origin}/push/1` })
}
