import type { Platform } from '../../platform/tables/tables.ts'
import type { ProviderState } from './provider-state.queries.ts'

/** Why a provider takes no push now: it was halted, does not answer, or asked for time. */
export type ProviderWait = { reason: 'halted' | 'away' | 'busy'; until: Date | null }
/** A platform gets no pushes, because the provider refuses our credentials for it. */
export type PlatformWait = { reason: 'platform_paused'; platform: Platform }

/** Null: pushes may leave. The pipeline obeys it. */
export function waitOf(
  { breaker, retry_at, busy_until }: Pick<ProviderState, 'breaker' | 'retry_at' | 'busy_until'>,
  now: Date,
): ProviderWait | null {
  if (breaker === 'halted') return { reason: 'halted', until: null }
  if (breaker !== 'closed') return { reason: 'away', until: retry_at }
  return busy_until > now ? { reason: 'busy', until: busy_until } : null
}

/** All that keeps pushes from leaving by a provider, for those who look at its status. */
export function waitsOf(
  state: Parameters<typeof waitOf>[0],
  paused: readonly Platform[],
  now: Date,
): (ProviderWait | PlatformWait)[] {
  const wait = waitOf(state, now)
  return [...(wait ? [wait] : []), ...paused.map((platform) => ({ reason: 'platform_paused', platform }) as const)]
}
