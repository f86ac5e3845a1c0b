import type { PushDeps } from '../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { raiseAlert, resolveAlert, type NewAlert } from '../records/alerts.queries.ts'

/** Keeps an alert open while its condition holds, and returns when it was raised. Otherwise resolves it. */
export async function keepAlert(
  { db, clock }: Pick<PushDeps, 'db' | 'clock'>,
  alert: NewAlert,
  isSo: boolean,
): Promise<Date | undefined> {
  if (isSo) return raiseAlert(db, alert, fromNow(clock))
  await resolveAlert(db, alert.code, fromNow(clock))
  return undefined
}
