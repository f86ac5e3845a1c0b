import type { IdentityDeps } from '../identity/deps.ts'
import type { IsStale } from './checks/checks.queries.ts'
import type { ProviderInUse, Providers } from './provider/registry.ts'
import type { createPushMetrics } from './status/push-metrics.ts'

export type PushDeps = IdentityDeps & {
  providers: Providers
  isStale: IsStale
  metrics: { push: ReturnType<typeof createPushMetrics> }
}

/** What sending by one provider needs: the process, and that provider with its pace, gate and permits. */
export type Sender = PushDeps & ProviderInUse
