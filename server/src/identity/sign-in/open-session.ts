import type { IdentityDeps } from '../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { coarseNetwork } from '../../platform/shared/networks.ts'
import { siteMark } from '../passwords/login-budget.ts'
import { deviceName } from '../sessions/device-name.ts'
import type { OpenedSession } from '../sessions/sessions.ts'

export type Opener = { site: string; caller: Actor; isForPanel?: boolean; hasFactor?: boolean }

/** `hasFactor`: a code of the second factor was given. */
export function openSession(
  deps: Pick<IdentityDeps, 'config' | 'sessions'>,
  { user_id: userId }: { user_id: number },
  { site, caller, isForPanel = false, hasFactor = false }: Opener,
  tx?: Tx,
): Promise<OpenedSession> {
  const device = deviceName(caller.userAgent)
  const network = caller.ip === null ? null : coarseNetwork(caller.ip)
  const mark = siteMark(deps.config, { userId, site })
  return deps.sessions.open({ userId, isForPanel, site: mark, device, network, hasFactor }, tx)
}
