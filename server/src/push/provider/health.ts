import type { Health, SubmitAnswer } from './provider.ts'

/**
 * Judges a submission by what each push that left says: a fault of our configuration or a quota is one of all, and
 * failures count where they are the most.
 */
export function judgeSubmission(signs: readonly Health[]): Health {
  if (signs.length === 0) return { kind: 'busy', retryAfterMs: 0 }
  const fault = signs.find(({ kind }) => kind === 'misconfigured')
  if (fault) return fault
  const waits = signs.flatMap((sign) => (sign.kind === 'busy' ? [sign.retryAfterMs] : []))
  if (waits.length > 0) return { kind: 'busy', retryAfterMs: Math.max(...waits) }
  const failures = signs.flatMap((sign) => (sign.kind === 'failing' ? [sign.code] : []))
  if (failures.length * 2 <= signs.length) return { kind: 'healthy' }
  const [code] = [...Map.groupBy(failures, (one) => one)].toSorted(([, a], [, b]) => b.length - a.length)[0]!
  return { kind: 'failing', code }
}

/** For traces: how many pushes of a submission had each outcome. */
export function countOutcomes({ outcomes }: SubmitAnswer) {
  const counts = { accepted: 0, refused: 0, unknown: 0 }
  for (const { kind } of outcomes) counts[kind]++
  return counts
}
