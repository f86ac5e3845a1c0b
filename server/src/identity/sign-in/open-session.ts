import { coarseNetwork } from '../../platform/shared/networks.ts'
import type { Work } from '../../platform/work/work.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import { deviceName } from '../sessions/device-name.ts'
import type { OpenedSession, Sessions } from '../sessions/sessions.ts'
import { callerSite, siteMark } from '../sessions/sites.ts'

/** `lacksFactor`: the session has no rights of its role before a second factor is set up (ADR 11). */
export type SignedIn = { account: AccountRow; session: OpenedSession; lacksFactor: boolean }

export function openSession(
  { tx, by, config }: Work,
  { sessions, userId, ...kind }: { sessions: Sessions; userId: number; isForPanel?: boolean; hasFactor?: boolean },
): Promise<OpenedSession> {
  const site = siteMark(config, { userId, site: callerSite(by) })
  const network = by.ip && coarseNetwork(by.ip)
  return sessions.open({ userId, ...kind, site, device: deviceName(by.userAgent), network }, tx)
}
