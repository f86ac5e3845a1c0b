import { expect, test } from 'vitest'
import { judgeSubmission } from './health.ts'
import type { ErrorCode, Health } from './provider.ts'

const GOOD: Health = { kind: 'healthy' }
const FAULT: Health = { kind: 'misconfigured', code: 'Unauthorized', advice: 'a' }
const bad = (code: ErrorCode): Health => ({ kind: 'failing', code })
const busy = (retryAfterMs: number): Health => ({ kind: 'busy', retryAfterMs })

test.each([
  ['one bad push of many colours nothing', [GOOD, GOOD, bad('OutcomeUnknown')], GOOD],
  ['half of them do not', [GOOD, bad('OutcomeUnknown')], GOOD],
  ['most of them do', [GOOD, bad('OutcomeUnknown'), bad('OutcomeUnknown')], bad('OutcomeUnknown')],
  [
    'the most frequent fault names the state',
    [bad('OutcomeUnknown'), bad('ProviderUnavailable'), bad('ProviderUnavailable')],
    bad('ProviderUnavailable'),
  ],
  ['nothing was allowed to leave', [], busy(0)],
  ['the longest wait counts', [GOOD, busy(1), busy(3), busy(2)], busy(3)],
  ['one fault of our configuration is one of all', [GOOD, busy(1), GOOD, FAULT], FAULT],
] as [string, Health[], Health][])('%s', (_, signs, health) => {
  expect(judgeSubmission(signs)).toEqual(health)
})
