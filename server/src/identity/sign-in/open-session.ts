import type { Deps } from '../../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { coarseNetwork } from '../../platform/shared/networks.ts'
import type { Role } from '../../platform/tables/tables.ts'
import { siteMark } from '../passwords/login-budget.ts'
import { deviceName } from '../sessions/device-name.ts'
import type { OpenedSession } from '../sessions/sessions.ts'

/** `hasFactor`: a code of the second factor was given. */
export function openSession(
  deps: Pick<Deps, 'config' | 'sessions'>,
  { user_id: userId, role }: { user_id: number; role: Role },
  { site, caller, hasFactor = false }: { site: string; caller: Actor; hasFactor?: boolean },
  tx?: Tx,
): Promise<OpenedSession> {
  const device = deviceName(caller.userAgent)
  const network = caller.ip === null ? null : coarseNetwork(caller.ip)
  const mark = siteMark(deps.config, { userId, site })
  return deps.sessions.open({ userId, role, site: mark, device, network, hasFactor }, tx)
}
