// Slow: a second or more for each test, or five for the file.
import { describe, expect, test } from 'vitest'
import { FAULTS, type FaultName } from '../../../../../simulator/src/fcm/google-error.ts'
import type { Health, PushOutcome } from '../provider.ts'
import { CONTENT, givenFcm, pushes, makeToken } from '../../../../test/support/fcm.ts'

const HEALTHY: Health = { kind: 'healthy' }
const MISCONFIGURED = { kind: 'misconfigured', code: 'Unauthorized', advice: expect.stringContaining('Google answers') }
const refused = (code: string, retry: boolean, retryAfterMs?: number) => ({
  kind: 'refused',
  code,
  retry,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})

type Row = { outcome: object; alone: object; among?: object }

/** What is said of the push, and of the provider: where all are answered so, and where three of four are accepted. */
const ROWS: Record<FaultName, Row> = {
  UNREGISTERED: { outcome: refused('DeviceNotRegistered', false), alone: HEALTHY },
  NOT_FOUND: { outcome: refused('MismatchSenderId', true), alone: HEALTHY },
  INVALID_ARGUMENT: { outcome: refused('BadDeviceToken', false), alone: HEALTHY },
  BAD_REQUEST: { outcome: refused('RequestRefused', false), alone: HEALTHY },
  SENDER_ID_MISMATCH: { outcome: refused('MismatchSenderId', false), alone: HEALTHY },
  PERMISSION_DENIED: { outcome: refused('MismatchSenderId', true), alone: HEALTHY },
  UNAUTHENTICATED: { outcome: refused('Unauthorized', true), alone: MISCONFIGURED, among: MISCONFIGURED },
  THIRD_PARTY_AUTH_ERROR: { outcome: { ...refused('InvalidCredentials', true, 60_000), isFree: true }, alone: HEALTHY },
  QUOTA_PROJECT: {
    outcome: refused('RateLimited', true, 60_000),
    alone: { kind: 'busy', retryAfterMs: 60_000 },
    among: { kind: 'busy', retryAfterMs: 60_000 },
  },
  QUOTA_UNNAMED: { outcome: refused('MessageRateExceeded', true, 60_000), alone: HEALTHY },
  QUOTA_DEVICE: { outcome: refused('MessageRateExceeded', true, 60_000), alone: HEALTHY },
  QUOTA_TOPIC: { outcome: refused('MessageRateExceeded', true, 60_000), alone: HEALTHY },
  UNAVAILABLE: {
    outcome: refused('ProviderError', true, 10_000),
    alone: { kind: 'failing', code: 'ProviderError' },
  },
  INTERNAL: {
    outcome: { kind: 'unknown', code: 'OutcomeUnknown' },
    alone: { kind: 'failing', code: 'OutcomeUnknown' },
  },
  UNSPECIFIED_ERROR: {
    outcome: { kind: 'unknown', code: 'OutcomeUnknown' },
    alone: { kind: 'failing', code: 'OutcomeUnknown' },
  },
}

describe('what Google answers', () => {
  test.for(Object.keys(FAULTS) as FaultName[])('%s is read by the type of its details', async (name) => {
    const { google, provider } = await givenFcm()
    const [bad] = pushes(1)
    google.setToken(makeToken(1), name)
    const { outcome, alone, among = HEALTHY } = ROWS[name]
    expect(await provider.submit(pushes(4))).toMatchObject({ health: among })
    const other = await givenFcm()
    other.google.setToken(makeToken(1), name)
    expect(await other.provider.submit([bad!])).toEqual({ outcomes: [outcome], wasSent: [true], health: alone })
    expect(other.google.log()).toEqual([])
  })

  test('200 is accepted, with Google’s name of the message for its ticket', async () => {
    const { google, provider } = await givenFcm()
    const { outcomes, wasSent, health } = await provider.submit(pushes(500))
    const log = google.log()
    const names = log.map(({ ticket }) => `projects/${google.project}/messages/${ticket}`)
    const tickets = outcomes.map((outcome) => (outcome.kind === 'accepted' ? outcome.ticketId : outcome))
    expect(new Set(tickets)).toEqual(new Set(names))
    expect(new Set(log.map(({ notification_id }) => notification_id)).size).toBe(500)
    expect({ health, unsent: wasSent.filter((was) => !was) }).toEqual({ health: HEALTHY, unsent: [] })
    expect(google.http2.counts().mostOpen).toBeLessThanOrEqual(100)
    expect(google.state().tokenRequests).toBe(1)
  })

  test.for<[string, { status: number; body: string }, PushOutcome | object]>([
    ['202 of another program is unknown', { status: 202, body: '' }, { kind: 'unknown' }],
    ['200 without a name is unknown', { status: 200, body: '{}' }, { kind: 'unknown' }],
    ['200 with a page is unknown', { status: 200, body: '<html>' }, { kind: 'unknown' }],
    ['502 is unknown', { status: 502, body: '<html>' }, { kind: 'unknown' }],
    ['503 of another server is unknown', { status: 503, body: '<html>' }, { kind: 'unknown' }],
    ['413 is too large', { status: 413, body: '' }, refused('MessageTooBig', false)],
  ])('%s', async ([, answer, outcome]) => {
    const { google, provider } = await givenFcm()
    google.script([{ match: 'send', answer }])
    expect((await provider.submit(pushes(1))).outcomes[0]).toMatchObject(outcome)
  })

  test.for([302, 400, 401, 403, 404, 407])(
    '%i of another server halts nothing, and uses no attempt',
    async (status) => {
      const { google, provider, lines } = await givenFcm()
      const page = { status, body: '<html>Sign in to the network</html>' }
      google.script([{ match: 'send', answer: page, times: 0 }])
      const unreached = { kind: 'failing', code: 'ProviderUnavailable' }
      expect(await provider.submit(pushes(2))).toMatchObject({
        outcomes: Array(2).fill(refused('ProviderUnavailable', true, 10_000)),
        health: unreached,
      })
      expect(await provider.probe()).toEqual(unreached)
      expect(lines()).toMatchObject([{ level: 'warn', status }])
    },
  )

  test('an answer that breaks off is unknown: its name is missing', async () => {
    const { google, provider } = await givenFcm()
    google.http2.script([{ kind: 'half' }])
    expect((await provider.submit(pushes(1))).outcomes).toMatchObject([{ kind: 'unknown' }])
    expect(google.log()).toHaveLength(1)
  })

  test.for([
    ['1', 10_000],
    ['120', 120_000],
    ['9999999', 3_600_000],
    ['soon', 10_000],
  ] as const)('Retry-After %s makes the copy wait %d ms', async ([after, ms]) => {
    const { google, provider } = await givenFcm()
    google.script([{ match: 'send', answer: 'UNAVAILABLE', headers: { 'retry-after': after } }])
    expect((await provider.submit(pushes(1))).outcomes).toEqual([refused('ProviderError', true, ms)])
  })

  test('a moment in Retry-After is read by the answer’s own clock', async () => {
    const { google, provider } = await givenFcm()
    const headers = { date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:45 GMT' }
    google.script([{ match: 'send', answer: 'UNAVAILABLE', headers }])
    expect((await provider.submit(pushes(1))).outcomes).toEqual([refused('ProviderError', true, 45_000)])
  })
})

describe('the wrong project', () => {
  test.for<[string, FaultName]>([
    ['answers 404 without the code of a phone', 'NOT_FOUND'],
    ['refuses the account', 'PERMISSION_DENIED'],
    ['knows none of the phones', 'SENDER_ID_MISMATCH'],
    ['calls every token bad', 'INVALID_ARGUMENT'],
  ])('%s: no device is gone', async ([, answer]) => {
    const { google, provider } = await givenFcm()
    google.script([{ match: 'send', answer, times: 0 }])
    const { outcomes } = await provider.submit(pushes(500))
    expect(outcomes.filter((outcome) => outcome.kind === 'accepted')).toEqual([])
    expect(outcomes.filter((outcome) => 'code' in outcome && outcome.code === 'DeviceNotRegistered')).toEqual([])
  })

  test('halts it: after the first answer nothing more is sent', async () => {
    const { google, provider } = await givenFcm({ settings: { project: 'another-project', connections: 1 } })
    const { outcomes, health } = await provider.submit(pushes(500))
    expect(health).toMatchObject({ kind: 'misconfigured', advice: expect.stringContaining('Firebase project') })
    expect(outcomes.every((outcome) => outcome.kind === 'refused' && outcome.retry)).toBe(true)
    // A connection begins with the hundred streams that Google allows, and takes another for each answer.
    expect(google.state().sends).toBeLessThanOrEqual(200)
  })
})

test('content that Google does not take is told once a submission, without its values', async () => {
  const { google, provider, lines } = await givenFcm()
  google.script([{ match: 'send', answer: 'BAD_REQUEST', times: 2 }])
  await provider.submit(pushes(2))
  expect(lines()).toHaveLength(1)
  expect(lines()[0]).toMatchObject({ level: 'error', fields: ['message.data[0].value'] })
})

test('it owns phones by the form of their tokens', async () => {
  const { provider } = await givenFcm()
  expect([makeToken(1), 'abc'].map((token) => provider.owns(token))).toEqual([true, false])
})

test('a push that the content rules let through is small enough for Google', async () => {
  const { provider } = await givenFcm()
  const [push] = pushes(1)
  const titled = (title: string) => ({ ...push!, content: { ...CONTENT, title, data: { text: 'é"\\'.repeat(300) } } })
  const padded = titled('x'.repeat(4_096 - provider.payloadBytes(titled(''))))
  expect(provider.payloadBytes(padded)).toBe(4_096)
  expect((await provider.submit([padded])).outcomes).toMatchObject([{ kind: 'accepted' }])
  const tooLong = titled('x'.repeat(4_096))
  expect((await provider.submit([tooLong])).outcomes).toEqual([refused('BadDeviceToken', false)])
})

test('tokens are in no line of the log', async () => {
  const { google, provider, lines } = await givenFcm()
  const field = `message.to[${makeToken(1)}]`
  const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field }] }]
  google.script([{ match: 'send', answer: { status: 400, body: JSON.stringify({ error: { code: 400, details } }) } }])
  await provider.submit(pushes(1))
  expect(lines()).toMatchObject([{ fields: ['message.to[[push token]'] }])
  const unknown = await givenFcm()
  unknown.google.removeAccounts()
  await unknown.provider.submit(pushes(3))
  expect(unknown.lines()).toHaveLength(1)
  const text = JSON.stringify([...lines(), ...unknown.lines()])
  expect(text).not.toContain('APA91')
  expect(text).not.toContain('PRIVATE KEY')
})
