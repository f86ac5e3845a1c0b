import type { Health } from '../provider.ts'

/** Of a submission: a fault of ours or the project's quota counts at once, and failures where they are the most. */
export function toHealth(answers: readonly Health[]): Health {
  const [first] = answers
  if (first === undefined) return { kind: 'busy', retryAfterMs: 0 }
  const fault = answers.find(({ kind }) => kind === 'misconfigured')
  if (fault) return fault
  const waits = answers.flatMap((health) => (health.kind === 'busy' ? [health.retryAfterMs] : []))
  if (waits.length > 0) return { kind: 'busy', retryAfterMs: Math.max(...waits) }
  const failures = answers.filter(({ kind }) => kind === 'failing')
  const [failure] = failures
  return failure !== undefined && failures.length * 2 > answers.length ? failure : { kind: 'healthy' }
}
