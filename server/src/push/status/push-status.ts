import type { Deps } from '../../deps.ts'
import { findProviderState } from '../provider/provider-state.queries.ts'
import { listAlerts, type Alert } from '../records/alerts.queries.ts'

const ALERTS = 50

/** Whether pushes leave, since when and why not, and what administrators should know: open alerts first. */
export async function pushStatus({ db, config }: Pick<Deps, 'db' | 'config'>) {
  const [state, alerts] = await Promise.all([findProviderState(db), listAlerts(db, ALERTS)])
  return {
    breaker: state.breaker,
    code: state.breaker_code,
    since: state.breaker_since?.toISOString() ?? null,
    retry_at: state.retry_at?.toISOString() ?? null,
    rate_per_second: config.PUSH_RATE_PER_SECOND,
    alerts: alerts.map(toAlertView),
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
