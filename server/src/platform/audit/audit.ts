import type { Db, Tx } from '../db/connect.ts'
import type { Role } from '../tables/tables.ts'
import { beforeCommit, inTransaction } from '../db/transaction.ts'
import { fromNow, type Clock } from '../shared/clock.ts'
import { deleteDetailsBefore, deleteUserDetails, insertLink, lockChainEnd, storeHead } from './audit.queries.ts'
import { CHAIN_START, hashDetails, headMac, hashWithKey, newSalt, type AuditKeys, type Details } from './chain.ts'

/** `userId` null: nobody who is signed in. `ip` null: the service itself. */
export type Actor = {
  userId: number | null
  role: Role | null
  ip: string | null
  userAgent: string | null
  requestId: string | null
}

export type AuditEntry = {
  action: string
  entity?: string
  entityId?: number
  change?: { before?: Record<string, unknown> | null; after: Record<string, unknown> | null; subjectId?: number | null }
  /** How many equal calls the entry stands for; absent: one. */
  times?: number
}

/** What dates and signs an entry. */
export type Signing = { clock: Clock; auditKeys: AuditKeys }

export const PURGED = 'user.purge'

export const FORGOTTEN = 'audit.forget'

export type AuditKind = 'sign-ins' | 'others'

export const SIGN_INS: readonly string[] = ['login', 'login_failed', 'logout', 'denied']

/** Up to `limit`; returns how many. It writes an entry, so that a check knows why details are absent. */
export async function forgetDetailsBefore(
  tx: Tx,
  deps: Signing,
  { kind, before, limit }: { kind: AuditKind; before: Date; limit: number },
): Promise<number> {
  const which = { isSignIn: kind === 'sign-ins', signIns: SIGN_INS, spared: [PURGED, FORGOTTEN] }
  const deleted = await deleteDetailsBefore(tx, which, before, limit)
  if (deleted === 0) return 0
  const change = { after: { kind, before: before.toISOString(), details: deleted } }
  await recordAudit(tx, deps, THE_SERVICE, { action: FORGOTTEN, entity: 'audit-log', change })
  return deleted
}

/** Decision C14. Written just before the commit, because it locks the end of the chain for all others. */
export async function recordAudit(tx: Tx, deps: Signing, actor: Actor, entry: AuditEntry): Promise<void> {
  await beforeCommit(tx, () => append(tx, deps, actor, entry))
}

async function append(tx: Tx, deps: Signing, actor: Actor, entry: AuditEntry): Promise<void> {
  const details = toDetails(actor, entry)
  const [change, origin] = [findPart(details, 'change'), findPart(details, 'origin')]
  const { current: key } = deps.auditKeys
  const end = await lockChainEnd(tx)
  const unsigned = {
    audit_id: (end?.audit_id ?? 0) + 1,
    at: fromNow(deps.clock),
    actor_id: actor.userId,
    actor_role: actor.role,
    action: entry.action,
    entity: entry.entity ?? null,
    entity_id: entry.entityId ?? null,
    change_digest: change && hashDetails(change),
    origin_digest: origin && hashDetails(origin),
    previous_hash: end?.hash ?? CHAIN_START,
    key_id: key.id,
    times: entry.times ?? null,
    change_subject_id: change?.subject_id ?? null,
    origin_subject_id: origin?.subject_id ?? null,
  }
  const link = { ...unsigned, hash: hashWithKey(unsigned, key) }
  await insertLink(tx, link, details)
  await storeHead(tx, { audit_id: link.audit_id, hash: link.hash, key_id: key.id, mac: headMac(link, key) })
}

export async function recordAuditAlone(deps: Signing & { db: Db }, actor: Actor, entry: AuditEntry): Promise<void> {
  await inTransaction(deps.db, (tx) => recordAudit(tx, deps, actor, entry))
}

/** Deletes details about purged people, also of entries (`auditIds`) whose subject is another, and writes an entry that
 * says whose details are absent. */
export async function forgetInAudit(
  { tx, audit }: { tx: Tx; audit(entry: AuditEntry): Promise<void> },
  userIds: number[],
  auditIds: number[] = [],
): Promise<void> {
  if (userIds.length === 0) return
  await deleteUserDetails(tx, userIds, auditIds)
  const after = { user_ids: userIds, ...(auditIds.length > 0 && { audit_ids: auditIds }) }
  await audit({ action: PURGED, entity: 'user', change: { after } })
}

export const THE_SERVICE: Actor = { userId: null, role: null, ip: null, userAgent: null, requestId: null }

function toDetails(actor: Actor, { change, entity, entityId }: AuditEntry): Details[] {
  const origin: Details = {
    part: 'origin',
    // The origin of a failed login belongs to the account that was tried.
    subject_id: actor.userId ?? (entity === 'user' ? (entityId ?? null) : null),
    salt: newSalt(),
    // Callers choose the request id, so it is a detail, which can be deleted.
    content: { ip: actor.ip, user_agent: actor.userAgent, request_id: actor.requestId },
  }
  const origins = actor.ip === null ? [] : [origin]
  if (change === undefined) return origins
  const { subjectId = null, before = null, after } = change
  // The content is as JSON stores it, so that the digest matches the stored details.
  const plain = JSON.parse(JSON.stringify({ before, after })) as Record<string, unknown>
  return [...origins, { part: 'change', subject_id: subjectId, salt: newSalt(), content: plain }]
}

function findPart(details: Details[], part: Details['part']): Details | null {
  return details.find((detail) => detail.part === part) ?? null
}
