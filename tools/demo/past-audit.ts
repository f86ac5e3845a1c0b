import type { Tx } from '../../server/src/platform/db/connect.ts'
import { recordAudit, type Actor, type Signing } from '../../server/src/platform/audit/audit.ts'
import { listStaffCalls, type StaffCall } from './demo.queries.ts'

const DAY_MS = 86_400_000
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/**
 * Writes what administrators did in the last `days` into the audit log, through the function that chains it, each with
 * the moment at which it happened; a day's first call of each follows a login. The last thing in its transaction.
 */
export async function recordPast(tx: Tx, deps: Signing, { now, days }: { now: Date; days: number }): Promise<number> {
  const calls = await listStaffCalls(tx, new Date(now.getTime() - days * DAY_MS))
  const entries = calls.flatMap((call, index) => (isFirstOfDay(calls, index) ? [loginBefore(call), call] : [call]))
  const inOrder = entries.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  for (const [index, entry] of inOrder.entries()) {
    const { at, action, entity, entity_id: entityId, before, after, subject_id: subjectId } = entry
    const change = action === 'login' ? {} : { change: { before, after, subjectId } }
    await recordAudit(tx, { ...deps, clock: { now: () => at.getTime() } }, chooseActor(entry, index), {
      action,
      entity,
      entityId,
      ...change,
    })
  }
  return inOrder.length
}

function isFirstOfDay(calls: StaffCall[], index: number): boolean {
  const { actor_id, at } = calls[index]!
  const day = at.toISOString().slice(0, 10)
  return !calls.slice(0, index).some((call) => call.actor_id === actor_id && call.at.toISOString().startsWith(day))
}

function loginBefore(call: StaffCall): StaffCall {
  const at = new Date(call.at.getTime() - 4 * 60_000)
  return { ...call, at, action: 'login', entity: 'user', entity_id: call.actor_id }
}

function chooseActor({ actor_id, role }: StaffCall, index: number): Actor {
  // Addresses and names that are reserved for examples.
  return {
    userId: actor_id,
    role,
    ip: `192.0.2.${10 + (actor_id % 100)}`,
    userAgent: BROWSER,
    requestId: `demo-${index + 1}`,
  }
}
