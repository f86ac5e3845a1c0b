import { parseJson, readField } from '../../../platform/shared/json.ts'
import type { PushOutcome } from '../provider.ts'
import { judgeUnlisted, REASONS, type Verdict } from './apns-reasons.ts'

/** `reason`: Apple's word, or undefined where another program answered. `at`: Apple's clock, if the answer has one. */
export type Refusal = { verdict: Verdict; reason: string | undefined; goneSince?: Date; at?: Date }

type Answer = { status: number; body: string; headers: { date?: string | undefined } }

/** Undefined: accepted, which has no body. */
export function readRefusal({ status, body, headers }: Answer): Refusal | undefined {
  if (status === 200) return undefined
  const { reason, timestamp } = readReason(body)
  const listed = reason !== undefined && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  // A device is removed by the status and the reason together.
  const isSure = listed !== undefined && (listed.code !== 'DeviceNotRegistered' || status === listed.status)
  const at = toDate(Date.parse(headers.date ?? ''))
  const goneSince = toDate(timestamp)
  return {
    verdict: isSure ? listed : judgeUnlisted(status, reason),
    reason,
    ...(at && { at }),
    ...(goneSince && { goneSince }),
  }
}

/** What is urgent does not wait a quarter of an hour, after which it may have expired. */
export function toOutcome({ verdict, goneSince }: Refusal, { urgent }: { urgent: boolean }): PushOutcome {
  const { kind, code, retry, retryAfterMs } = verdict
  if (kind === 'unknown') return { kind, code }
  return {
    kind,
    code,
    retry,
    ...(retryAfterMs !== undefined && !urgent && { retryAfterMs }),
    ...(code === 'DeviceNotRegistered' && goneSince && { goneSince }),
  }
}

function readReason(body: string): { reason?: string; timestamp?: number } {
  const json = parseJson(body)
  const [reason, timestamp] = [readField(json, 'reason'), readField(json, 'timestamp')]
  return {
    ...(typeof reason === 'string' && { reason }),
    // PostgreSQL has no such early moments, and one of them would keep the answers about others from being stored.
    ...(typeof timestamp === 'number' && timestamp > 0 && { timestamp }),
  }
}

function toDate(ms: number | undefined): Date | undefined {
  const date = new Date(ms ?? NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
