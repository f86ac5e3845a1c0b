// Slow: two seconds or more for the file.

import { once } from 'node:events'
import { constants } from 'node:http2'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Http2Fault } from '../../../../../simulator/src/http2/faults.ts'
import { openWebPush, pushesTo, startPushService, webPushWorld } from '../../../../test/support/web-push.ts'

describe('a push service that does not answer', () => {
  test.for<[string, () => Promise<string>]>([
    ['refuses the connection', () => Promise.resolve('https://localhost:1')],
    ['has no address', () => Promise.resolve('https://no-such-host.invalid')],
    ['ends before TLS is agreed on', listenAndEnd],
  ])('and %s is a refusal that may be tried again', async ([, address]) => {
    const { to } = await webPushWorld()
    const url = await address()
    const provider = openWebPush({ url })
    const moved = JSON.stringify({ ...(JSON.parse(to) as object), endpoint: `${url}/push/1` })
    expect(await provider.submit(pushesTo([moved]))).toEqual({
      outcomes: [{ kind: 'refused', code: 'ProviderUnavailable', retry: true }],
      wasSent: [false],
      health: { kind: 'failing', code: 'ProviderUnavailable' },
    })
  })

  test.for(['before', 'after'] as const)(
    'and ends the connection %s it logged the push leaves the outcome unknown',
    async (when) => {
      const { service, provider, to } = await webPushWorld()
      service.scriptFaults([{ kind: 'cut', by: 'end', when }])
      const answer = await provider.submit(pushesTo([to]))
      expect(answer).toEqual({
        outcomes: [{ kind: 'unknown', code: 'OutcomeUnknown' }],
        wasSent: [true],
        health: { kind: 'failing', code: 'OutcomeUnknown' },
      })
      expect(service.log()).toHaveLength(when === 'after' ? 1 : 0)
    },
  )

  test('within the time limit leaves the outcome unknown', async () => {
    const { service, to, url, key } = await webPushWorld()
    const { promise, resolve } = Promise.withResolvers<void>()
    onTestFinished(() => resolve())
    service.script([{ until: promise }])
    const provider = openWebPush({ url, key, timeoutMs: 300 })
    expect((await provider.submit(pushesTo([to]))).outcomes).toEqual([{ kind: 'unknown', code: 'OutcomeUnknown' }])
  })

  test('rests after five pushes in a row, for half a minute, and then one push tries it; others go on', async () => {
    let now = Date.now()
    const { service } = await webPushWorld({ now: () => now })
    const provider = openWebPush({
      url: service.url,
      hosts: ['localhost:1', new URL(service.url).host],
      now: () => now,
    })
    const away = JSON.stringify({ ...(JSON.parse(service.subscribe()) as object), endpoint: 'https://localhost:1/a' })
    for (let n = 0; n < 5; n++) await provider.submit(pushesTo([away]))
    const rests = { kind: 'refused', code: 'ProviderUnavailable', retry: true, retryAfterMs: 30_000 }
    const both = await provider.submit(pushesTo([away, service.subscribe(), service.subscribe()]))
    expect(both).toMatchObject({
      outcomes: [rests, { kind: 'accepted' }, { kind: 'accepted' }],
      health: { kind: 'healthy' },
    })
    now += 30_000
    const { outcomes, health } = await provider.submit(pushesTo([away, away]))
    expect(outcomes).toEqual([{ kind: 'refused', code: 'ProviderUnavailable', retry: true }, rests])
    expect(health).toEqual({ kind: 'healthy' })
  })

  test('any more on a connection leaves one push unknown, and the next leaves by a fresh one', async () => {
    const service = await startPushService()
    const provider = openWebPush({ url: service.url, connections: 1, timeoutMs: 1_000 })
    const submit = async () => (await provider.submit(pushesTo([service.subscribe()]))).outcomes
    expect(await submit()).toMatchObject([{ kind: 'accepted' }])
    service.scriptFaults([{ kind: 'hole', when: 'before' }])
    expect(await submit()).toEqual([{ kind: 'unknown', code: 'OutcomeUnknown' }])
    expect(await submit()).toMatchObject([{ kind: 'accepted' }])
    expect(service.counts().connections).toBe(2)
  })

  test.for([1, 8])(
    'opens again after %i failures in a row, although no other listed one can be reached',
    async (failures) => {
      let now = Date.now()
      const { service, key, to } = await webPushWorld({ now: () => now })
      const hosts = [new URL(service.url).host, 'localhost:1']
      const provider = openWebPush({ url: service.url, key, hosts, now: () => now })
      service.script([{ status: 503, times: 0 }])
      for (let n = 0; n < failures; n++) await provider.submit(pushesTo([to]))
      service.clearScript()
      const rests = { kind: 'failing', code: 'ProviderUnavailable' }
      expect(await provider.probe()).toEqual(failures < 5 ? { kind: 'healthy' } : rests)
      now += 30_000
      expect(await provider.probe()).toEqual({ kind: 'healthy' })
      expect(await provider.submit(pushesTo([to]))).toMatchObject({
        outcomes: [{ kind: 'accepted' }],
        health: { kind: 'healthy' },
      })
    },
  )

  test('no push that a GOAWAY disowns or leaves unsent is unknown, however many there are', async () => {
    const service = await startPushService({ latencyMs: 30 })
    service.scriptFaults(
      (['below', 'at', 'above'] as const).map((last): Http2Fault => ({ kind: 'goaway', last, every: 30, times: 0 })),
    )
    const subscriptions = Array.from({ length: 300 }, () => service.subscribe())
    for (let round = 0; round < 10; round++) {
      const earlier = service.log().length
      const provider = openWebPush({ url: service.url })
      const { outcomes, wasSent } = await provider.submit(pushesTo(subscriptions))
      const accepted = outcomes.filter(({ kind }) => kind === 'accepted').length
      expect(service.log()).toHaveLength(earlier + accepted)
      expect(outcomes.filter(({ kind }) => kind === 'unknown')).toEqual([])
      expect(wasSent.filter(Boolean)).toHaveLength(accepted)
    }
  })

  test('a stream that is refused leaves none unknown, however often it is refused', async () => {
    const service = await startPushService({ latencyMs: 30 })
    service.scriptFaults([
      { kind: 'reset', code: constants.NGHTTP2_REFUSED_STREAM, when: 'before', every: 2, times: 0 },
    ])
    const provider = openWebPush({ url: service.url })
    const { outcomes } = await provider.submit(pushesTo(Array.from({ length: 100 }, () => service.subscribe())))
    const accepted = outcomes.filter(({ kind }) => kind === 'accepted').length
    expect(service.log()).toHaveLength(accepted)
    expect(accepted).toBeLessThan(100)
    expect(outcomes.filter(({ kind }) => kind === 'unknown')).toEqual([])
  })

  test.for(Array.from({ length: constants.NGHTTP2_HTTP_1_1_REQUIRED + 1 }, (_, code) => code))(
    'a push that was taken is not refused where a GOAWAY of code %i ends its connection',
    async (code) => {
      const service = await startPushService({ latencyMs: 30 })
      service.scriptFaults([{ kind: 'goaway', last: 'above', code, every: 30, times: 0 }])
      const provider = openWebPush({ url: service.url })
      const { outcomes } = await provider.submit(pushesTo(Array.from({ length: 100 }, () => service.subscribe())))
      const taken = new Set(service.log().map(({ endpoint }) => endpoint))
      expect(taken.size).toBeLessThanOrEqual(outcomes.filter(({ kind }) => kind !== 'refused').length)
    },
  )

  test('does not rest because one connection ended with many pushes on their way', async () => {
    const service = await startPushService({ latencyMs: 50 })
    const provider = openWebPush({ url: service.url, connections: 1 })
    const subscriptions = Array.from({ length: 20 }, () => service.subscribe())
    await provider.submit(pushesTo(subscriptions))
    service.scriptFaults([{ kind: 'cut', by: 'reset', when: 'after', every: 20 }])
    const { outcomes } = await provider.submit(pushesTo(subscriptions))
    expect(outcomes.filter(({ kind }) => kind === 'unknown').length).toBeGreaterThan(5)
    expect((await provider.submit(pushesTo(subscriptions.slice(0, 1)))).outcomes).toMatchObject([{ kind: 'accepted' }])
  })

  test('with a body that cannot be read is accepted all the same, because the status is the answer', async () => {
    const { service, provider, to } = await webPushWorld()
    service.script([{ body: 'x'.repeat(100_000) }])
    expect((await provider.submit(pushesTo([to]))).outcomes).toMatchObject([{ kind: 'accepted' }])
  })
})

test('No more than sixteen pushes are encrypted in one turn of the event loop', async () => {
  const { provider, to } = await webPushWorld()
  const inTurns = new Map<number, number>()
  let turn = 0
  let isCounting = true
  const count = () => {
    turn++
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  const sending = [1, 2, 3].map(() =>
    provider.submit(pushesTo(Array.from({ length: 100 }, () => to)), () => {
      inTurns.set(turn, (inTurns.get(turn) ?? 0) + 1)
      return false
    }),
  )
  await Promise.all(sending)
  isCounting = false
  expect(Math.max(...inTurns.values())).toBeLessThanOrEqual(16)
})

async function listenAndEnd(): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => undefined).end()).listen(0, 'localhost')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `https://localhost:${(server.address() as AddressInfo).port}`
}
