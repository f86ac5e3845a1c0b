import { describe, expect, test } from 'vitest'
import { REASONS as REASONS_OF_DOUBLE } from '../../../../../simulator/src/apns/reasons.ts'
import { readRefusal, toOutcome } from './apns-answers.ts'
import { REASONS } from './apns-reasons.ts'

const NO_RETRY = { kind: 'refused', retry: false }
const ATTEMPT_BACK = { kind: 'refused', code: 'ProviderUnavailable', retry: true }
const CONFIGURATION = { kind: 'refused', code: 'Unauthorized', retry: true }

/** What becomes of the copy, and what it says of the provider. */
const EXPECTED: [reasons: string[], outcome: object, health: string][] = [
  [['Unregistered', 'ExpiredToken'], { ...NO_RETRY, code: 'DeviceNotRegistered', goneSince: new Date(5) }, 'healthy'],
  [['BadDeviceToken'], { ...NO_RETRY, code: 'BadDeviceToken' }, 'healthy'],
  [['DeviceTokenNotForTopic'], { ...NO_RETRY, code: 'DeviceTokenNotForTopic' }, 'healthy'],
  [['TopicDisallowed', 'BadTopic', 'MissingTopic'], CONFIGURATION, 'misconfigured'],
  [['InvalidProviderToken', 'MissingProviderToken', 'Forbidden'], CONFIGURATION, 'misconfigured'],
  [['BadCertificate', 'BadCertificateEnvironment'], CONFIGURATION, 'misconfigured'],
  [['BadEnvironmentKeyIdInToken', 'BadEnvironmentKeyInToken'], CONFIGURATION, 'misconfigured'],
  [['ExpiredProviderToken'], CONFIGURATION, 'misconfigured'],
  [['UnrelatedKeyIdInToken', 'TooManyProviderTokenUpdates'], ATTEMPT_BACK, 'failing'],
  [['IdleTimeout'], ATTEMPT_BACK, 'healthy'],
  [['TooManyRequests'], { kind: 'refused', code: 'MessageRateExceeded', retry: true }, 'healthy'],
  [['PayloadTooLarge'], { ...NO_RETRY, code: 'MessageTooBig' }, 'healthy'],
  [
    ['PayloadEmpty', 'BadCollapseId', 'BadMessageId', 'BadPriority', 'BadExpirationDate', 'InvalidPushType'],
    { ...NO_RETRY, code: 'DeveloperError' },
    'healthy',
  ],
  [
    ['DuplicateHeaders', 'MissingDeviceToken', 'BadPath', 'MethodNotAllowed'],
    { ...NO_RETRY, code: 'DeveloperError' },
    'healthy',
  ],
  [['ServiceUnavailable'], { kind: 'refused', code: 'ProviderError', retry: true, retryAfterMs: 900_000 }, 'failing'],
  [['Shutdown'], { kind: 'refused', code: 'ProviderError', retry: true }, 'failing'],
  [['InternalServerError'], { kind: 'unknown', code: 'OutcomeUnknown' }, 'failing'],
]

const ROWS = EXPECTED.flatMap(([reasons, outcome, health]) => reasons.map((reason) => ({ reason, outcome, health })))

describe('a refusal of Apple', () => {
  test('is listed, with the status that the double gives it', () => {
    const listed = Object.entries(REASONS).map(([reason, { status }]) => [reason, status])
    expect(Object.fromEntries(listed)).toEqual(REASONS_OF_DOUBLE)
    expect(ROWS.map(({ reason }) => reason).toSorted()).toEqual(Object.keys(REASONS).toSorted())
  })

  test.each(ROWS)('$reason decides about the copy and the provider', ({ reason, outcome, health }) => {
    const refusal = read(REASONS[reason]!.status, { reason, timestamp: 5 })
    expect(toOutcome(refusal, { urgent: false })).toEqual(outcome)
    expect(refusal.verdict.health).toBe(health)
  })

  test('that lasts for a quarter of an hour makes only a campaign wait so long', () => {
    const refusal = read(503, { reason: 'ServiceUnavailable' })
    expect(toOutcome(refusal, { urgent: true })).toEqual({ kind: 'refused', code: 'ProviderError', retry: true })
  })

  test('that is our fault says what to do', () => {
    const silent = Object.entries(REASONS).filter(([, { code, advice }]) => ours.has(code) && advice === undefined)
    expect(silent).toEqual([])
  })

  test.each([
    [200, '', undefined],
    [200, 'half', undefined],
    [410, '{"reason":"BadDeviceToken"}', { ...NO_RETRY, code: 'BadDeviceToken' }],
    [410, '{"reason":"Gone"}', { kind: 'refused', code: 'UnknownError', retry: true }],
    [400, '{"reason":"Unregistered","timestamp":5}', { kind: 'refused', code: 'UnknownError', retry: true }],
    [410, '{"reason":"Unregistered","timestamp":"x"}', { ...NO_RETRY, code: 'DeviceNotRegistered' }],
    [410, '<html>', ATTEMPT_BACK],
    [301, '', ATTEMPT_BACK],
    [404, 'null', ATTEMPT_BACK],
    [403, '{"reason":"Later"}', CONFIGURATION],
    [403, '{"reason":"constructor"}', CONFIGURATION],
    [429, '{"reason":"Later"}', { kind: 'refused', code: 'UnknownError', retry: true }],
    [503, '<html>', { kind: 'unknown', code: 'OutcomeUnknown' }],
    [502, '', { kind: 'unknown', code: 'OutcomeUnknown' }],
    [204, '', { kind: 'unknown', code: 'OutcomeUnknown' }],
  ])('of status %i with %s is read with care', (status, body, outcome) => {
    const refusal = readRefusal({ status, body, headers: {} })
    expect(refusal && toOutcome(refusal, { urgent: false })).toEqual(outcome)
  })
})

const ours = new Set(['Unauthorized', 'DeveloperError', 'MessageTooBig'])

function read(status: number, body: object) {
  const refusal = readRefusal({
    status,
    body: JSON.stringify(body),
    headers: { date: 'Fri, 27 Nov 2026 16:00:00 GMT' },
  })
  if (refusal === undefined) throw new Error('It was accepted.')
  expect(refusal.at).toEqual(new Date('2026-11-27T16:00:00Z'))
  return refusal
}
