import type { Deps } from '../../deps.ts'
import { findProviderState } from '../provider/provider-state.queries.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import { listAlerts, type Alert } from '../records/alerts.queries.ts'

const ALERTS = 50

/**
 * Whether pushes leave by each provider, since when and why not, and what administrators should know: open alerts
 * first. The state of the first provider stands outside the list too.
 */
export async function pushStatus({
  db,
  config,
  providers: [first, ...others],
}: Pick<Deps, 'db' | 'config' | 'providers'>) {
  const [ofFirst, ...ofOthers] = await Promise.all([
    providerStatus(db, first),
    ...others.map((other) => providerStatus(db, other)),
  ])
  const { breaker, code, since, retry_at } = ofFirst
  return {
    breaker,
    code,
    since,
    retry_at,
    rate_per_second: config.PUSH_RATE_PER_SECOND,
    providers: [ofFirst, ...ofOthers],
    alerts: (await listAlerts(db, ALERTS)).map(toAlertView),
  }
}

async function providerStatus(db: Deps['db'], { provider }: ProviderInUse) {
  const state = await findProviderState(db, provider.name)
  return {
    provider: provider.name,
    delivery_known: provider.deliveryKnown,
    breaker: state.breaker,
    code: state.breaker_code,
    since: state.breaker_since?.toISOString() ?? null,
    retry_at: state.retry_at?.toISOString() ?? null,
  }
}

function toAlertView(alert: Alert) {
  return {
    ...alert,
    raised_at: alert.raised_at.toISOString(),
    last_seen_at: alert.last_seen_at.toISOString(),
    resolved_at: alert.resolved_at?.toISOString() ?? null,
  }
}
