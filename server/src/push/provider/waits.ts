import type { ProviderState } from './provider-state.queries.ts'

/** Why a provider takes no push now: it was halted, does not answer, or asked for time. */
export type ProviderWait = { reason: 'halted' | 'away' | 'busy'; until: Date | null }

/** Null: pushes may leave. The pipeline obeys it, and the status shows it. */
export function waitOf(
  { breaker, retry_at, busy_until }: Pick<ProviderState, 'breaker' | 'retry_at' | 'busy_until'>,
  now: Date,
): ProviderWait | null {
  if (breaker === 'halted') return { reason: 'halted', until: null }
  if (breaker !== 'closed') return { reason: 'away', until: retry_at }
  return busy_until > now ? { reason: 'busy', until: busy_until } : null
}
