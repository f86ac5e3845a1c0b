import type { HttpAnswer } from './request.ts'

// The answer may name no usable time: a 429 costs no attempt and must not be repeated in a hot loop.
const LEAST_MS = 1_000
const MOST_MS = 300_000

/** A date is compared with the answer's own `Date`, because this machine's clock may be wrong by hours. */
export function readRetryAfter({ date = '', retryAfter }: Pick<HttpAnswer, 'date' | 'retryAfter'>): number {
  if (retryAfter === undefined) return LEAST_MS
  const parsed = Date.parse(date)
  const now = Number.isNaN(parsed) ? Date.now() : parsed
  const ms = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, LEAST_MS), MOST_MS) : LEAST_MS
}
