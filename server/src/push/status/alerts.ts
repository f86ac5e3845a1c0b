import type { Deps } from '../../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { raiseAlert, resolveAlert, type NewAlert } from '../records/alerts.queries.ts'

/** Keeps an alert open for as long as it is so: raises it, or resolves the open one of its code. */
export async function keepAlert(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  alert: NewAlert,
  isSo: boolean,
): Promise<void> {
  if (isSo) await raiseAlert(db, alert, fromNow(clock))
  else await resolveAlert(db, alert.code, fromNow(clock))
}
