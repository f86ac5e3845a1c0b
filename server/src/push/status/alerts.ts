import type { Deps } from '../../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { raiseAlert, resolveAlert, type NewAlert } from '../records/alerts.queries.ts'

/** Keeps an alert open for as long as it is so, and gives since when it is; otherwise resolves the open one of its code. */
export async function keepAlert(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  alert: NewAlert,
  isSo: boolean,
): Promise<Date | undefined> {
  if (isSo) return raiseAlert(db, alert, fromNow(clock))
  await resolveAlert(db, alert.code, fromNow(clock))
  return undefined
}
