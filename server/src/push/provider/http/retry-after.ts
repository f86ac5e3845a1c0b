import type { HttpAnswer } from './request.ts'

// A 429 costs no attempt and must not be repeated in a hot loop.
const BOUNDS = { leastMs: 1_000, mostMs: 300_000, otherwiseMs: 1_000 }

/**
 * A date is compared with the answer's own `Date`, because this machine's clock may be wrong by hours. `otherwiseMs`:
 * where the answer names no usable time.
 */
export function readRetryAfter(
  { date = '', retryAfter = '' }: Pick<HttpAnswer, 'date' | 'retryAfter'>,
  { leastMs, mostMs, otherwiseMs } = BOUNDS,
): number {
  const text = retryAfter.trim()
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - (Date.parse(date) || Date.now())
  return Number.isFinite(ms) ? Math.min(Math.max(ms, leastMs), mostMs) : otherwiseMs
}
