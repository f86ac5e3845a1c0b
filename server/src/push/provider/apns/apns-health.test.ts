import { expect, test } from 'vitest'
import { toHealth, type Sign } from './apns-health.ts'

const GOOD: Sign = { kind: 'good' }
const UNSENT: Sign = { kind: 'unsent' }
const bad = (code: 'ProviderUnavailable' | 'OutcomeUnknown'): Sign => ({ kind: 'bad', code })

test.each([
  ['one bad push of many colours nothing', [GOOD, GOOD, bad('OutcomeUnknown')], { kind: 'healthy' }],
  ['half of them do not', [GOOD, bad('OutcomeUnknown'), UNSENT], { kind: 'healthy' }],
  [
    'most of them do',
    [GOOD, bad('OutcomeUnknown'), bad('OutcomeUnknown')],
    { kind: 'failing', code: 'OutcomeUnknown' },
  ],
  [
    'the most frequent fault names the state',
    [bad('OutcomeUnknown'), bad('ProviderUnavailable'), bad('ProviderUnavailable')],
    { kind: 'failing', code: 'ProviderUnavailable' },
  ],
  ['nothing was allowed to leave', [UNSENT], { kind: 'busy', retryAfterMs: 0 }],
  [
    'one fault of our configuration is one of all',
    [GOOD, GOOD, { kind: 'misconfigured', advice: 'a' }],
    { kind: 'misconfigured', code: 'Unauthorized', advice: 'a' },
  ],
] as [string, Sign[], object][])('%s', (_, signs, health) => {
  expect(toHealth(signs)).toEqual(health)
})
