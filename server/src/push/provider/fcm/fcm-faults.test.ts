// Slow: connections to providers are opened one a second.
import { constants } from 'node:http2'
import { describe, expect, test } from 'vitest'
import type { FaultName } from '../../../../../simulator/src/fcm/google-error.ts'
import type { Http2Fault } from '../../../../../simulator/src/http2/faults.ts'
import { givenFcm, pushes, makeToken } from '../../../../test/support/fcm.ts'

const { NGHTTP2_REFUSED_STREAM, NGHTTP2_INTERNAL_ERROR } = constants

describe('a fault of the connection', () => {
  test.for<[string, Http2Fault[]]>([
    ['GOAWAY below the stream', [{ kind: 'goaway', last: 'below' }]],
    ['REFUSED_STREAM', [{ kind: 'reset', code: NGHTTP2_REFUSED_STREAM, when: 'before' }]],
  ])('%s is no failure: the push is sent again at once', async ([, faults]) => {
    const { google, provider } = await givenFcm()
    google.http2.script(faults)
    const { outcomes, health } = await provider.submit(pushes(50))
    expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([])
    expect(health).toEqual({ kind: 'healthy' })
    expect(google.state()).toMatchObject({ acceptedMessages: 50, duplicates: 0 })
  })

  test('a reset after Google took the push is unknown', async () => {
    const { google, provider } = await givenFcm()
    google.http2.script([{ kind: 'reset', code: NGHTTP2_INTERNAL_ERROR, when: 'after' }])
    expect(await provider.submit(pushes(1))).toEqual({
      outcomes: [{ kind: 'unknown', code: 'OutcomeUnknown' }],
      wasSent: [true],
      health: { kind: 'failing', code: 'OutcomeUnknown' },
    })
    expect(google.log()).toHaveLength(1)
  })

  test('no connection is a refusal, and sends nothing', async () => {
    const { provider } = await givenFcm({ settings: { address: 'https://localhost:1' }, timeoutMs: 1_000 })
    expect(await provider.submit(pushes(1))).toEqual({
      outcomes: [{ kind: 'refused', code: 'ProviderUnavailable', retry: true }],
      wasSent: [false],
      health: { kind: 'failing', code: 'ProviderUnavailable' },
    })
    expect(await provider.probe()).toEqual({ kind: 'failing', code: 'ProviderUnavailable' })
  })
})

test('what is accepted is in Google’s ledger, what is refused is not, under all faults at once', async () => {
  const { google, provider } = await givenFcm()
  google.http2.script([
    { kind: 'goaway', last: 'at', every: 40, times: 0 },
    { kind: 'goaway', last: 'below', every: 35, times: 0 },
    { kind: 'reset', code: NGHTTP2_INTERNAL_ERROR, when: 'after', every: 23, times: 0 },
    { kind: 'reset', code: NGHTTP2_INTERNAL_ERROR, when: 'before', every: 29, times: 0 },
    { kind: 'half', every: 31, times: 0 },
  ])
  google.script([
    { match: 'send', answer: 'INTERNAL', accept: true, every: 17, times: 0 },
    { match: 'send', answer: 'UNAVAILABLE', every: 19, times: 0 },
  ])
  const bad: FaultName[] = ['UNREGISTERED', 'INVALID_ARGUMENT', 'SENDER_ID_MISMATCH', 'QUOTA_DEVICE']
  for (const [n, fault] of bad.entries()) google.setToken(makeToken(n * 10 + 1), fault)
  const sent = pushes(400)
  const { outcomes } = await provider.submit(sent)
  const taken = new Set(google.log().map(({ notification_id }) => notification_id))
  const idsOf = (kind: string) => sent.flatMap((push, n) => (outcomes[n]?.kind === kind ? [push.notificationId] : []))
  expect(idsOf('accepted').filter((id) => !taken.has(id))).toEqual([])
  expect(idsOf('refused').filter((id) => taken.has(id))).toEqual([])
  expect(google.state().duplicates).toBe(0)
  expect(google.http2.counts().liedAbout).toBe(0)
  for (const kind of ['accepted', 'refused', 'unknown']) expect(idsOf(kind).length).toBeGreaterThan(0)
})

test('a token that was never accepted leaves by the same connection', async () => {
  const { google, provider } = await givenFcm({ settings: { connections: 1 } })
  await provider.submit(pushes(5))
  expect(google.http2.counts().connections).toBe(1)
  await provider.submit(pushes(1, { isProven: false }))
  expect(google.http2.counts().connections).toBe(1)
})

test('a refused access token halts nothing where the second try may not begin', async () => {
  const { google, provider, clock } = await givenFcm()
  await provider.submit(pushes(1))
  clock.advance(61_000)
  google.script([{ match: 'send', answer: 'PERMISSION_DENIED' }])
  let asked = 0
  const { outcomes, health } = await provider.submit(pushes(1), () => ++asked === 1)
  expect(outcomes).toEqual([{ kind: 'refused', code: 'ProviderUnavailable', retry: true }])
  expect(health).toEqual({ kind: 'busy', retryAfterMs: 0 })
})

test.for<[FaultName, object]>([
  ['UNAVAILABLE', { kind: 'failing', code: 'ProviderError' }],
  ['QUOTA_PROJECT', { kind: 'busy', retryAfterMs: 60_000 }],
])(
  'a phone of another project halts nothing where Google answers the question about it with %s',
  async ([fault, health]) => {
    const { google, provider } = await givenFcm()
    google.script([
      { match: 'send', answer: 'PERMISSION_DENIED' },
      { match: 'send', answer: fault },
    ])
    expect(await provider.submit(pushes(1))).toEqual({
      outcomes: [{ kind: 'refused', code: 'ProviderUnavailable', retry: true }],
      wasSent: [true],
      health,
    })
  },
)

test('a probe asks with a message that reaches nobody', async () => {
  const { google, provider } = await givenFcm()
  expect(await provider.probe()).toEqual({ kind: 'healthy' })
  expect(google.log()).toEqual([])
  google.script([{ match: 'send', answer: 'UNAVAILABLE' }])
  expect(await provider.probe()).toEqual({ kind: 'failing', code: 'ProviderError' })
})
