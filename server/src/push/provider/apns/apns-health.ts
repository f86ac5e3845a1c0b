import type { ErrorCode, Health } from '../provider.ts'

/** What one push says of the provider. `unsent`: it was not allowed to leave, so it says nothing. */
export type Sign =
  { kind: 'good' | 'unsent' } | { kind: 'bad'; code: ErrorCode } | { kind: 'misconfigured'; advice: string }

/** One push colours nothing, but for a fault of our configuration, which is the same for all. */
export function toHealth(signs: Sign[]): Health {
  const judged = signs.filter(({ kind }) => kind !== 'unsent')
  if (judged.length === 0) return { kind: 'busy', retryAfterMs: 0 }
  const fault = judged.find((sign) => sign.kind === 'misconfigured')
  if (fault?.kind === 'misconfigured') return { kind: 'misconfigured', code: 'Unauthorized', advice: fault.advice }
  const bad = judged.flatMap((sign) => (sign.kind === 'bad' ? [sign.code] : []))
  if (bad.length * 2 <= judged.length) return { kind: 'healthy' }
  const [code] = [...Map.groupBy(bad, (one) => one)].toSorted(([, a], [, b]) => b.length - a.length)[0]!
  return { kind: 'failing', code }
}
