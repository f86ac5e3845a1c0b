import type { Db, Tx } from '../db/connect.ts'
import type { Role } from '../tables/tables.ts'
import { countHomes } from '../db/homes.ts'
import { afterCommit, beforeCommit, inTransaction } from '../db/transaction.ts'
import { fromNow, type Clock } from '../shared/clock.ts'
import {
  deleteDetailsBefore,
  deleteUserDetails,
  insertLink,
  insertWaiting,
  isAnyWaiting,
  listForgotten,
  listPresent,
  lockChainEnd,
  storeHead,
  takeWaiting,
  type ChainEnd,
} from './audit.queries.ts'
import {
  CHAIN_START,
  hashDetails,
  headMac,
  hashWithKey,
  newSalt,
  waitingMac,
  type AuditKeys,
  type Details,
  type Written,
} from './chain.ts'

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
  await recordAuditAtOnce(tx, deps, THE_SERVICE, { action: FORGOTTEN, entity: 'audit-log', change })
  return deleted
}

/**
 * Decision C14. Written just before the commit, because it locks the end of the log for all others; in a divided
 * database it waits in a table, because such a commit may wait for a silent server without limit (ADR 12).
 */
export async function recordAudit(tx: Tx, deps: Signing, actor: Actor, entry: AuditEntry): Promise<void> {
  const record = countHomes(tx) === 1 ? recordAuditAtOnce : recordToWait
  await beforeCommit(tx, () => record(tx, deps, actor, entry))
}

/** The same, last in a transaction that writes to no home, so that its commit asks one server alone. */
export async function recordAuditAtOnce(tx: Tx, deps: Signing, actor: Actor, entry: AuditEntry): Promise<void> {
  const end = await lockChainEnd(tx)
  await append(tx, deps, end, toWritten(deps, actor, entry))
}

async function recordToWait(tx: Tx, deps: Signing, actor: Actor, entry: AuditEntry): Promise<void> {
  const written = toWritten(deps, actor, entry)
  const { current: key } = deps.auditKeys
  await insertWaiting(tx, { ...written, key_id: key.id, mac: waitingMac(written, key) })
  // The sweep appends what is left.
  afterCommit(tx, (db) => appendWaiting(db, deps).catch(() => undefined))
}

const WAITING_A_ROUND = 100
// What is left is appended by the next sweep.
const ROUNDS = 20

/** Appends entries of a divided database whose transactions are over. Throws at one that the service did not write. */
export async function appendWaiting(db: Db, deps: Signing): Promise<void> {
  if (countHomes(db) === 1) return
  for (let round = 0; round < ROUNDS && (await isAnyWaiting(db)); round++)
    await inTransaction(db, (tx) => appendRound(tx, deps))
}

async function appendRound(tx: Tx, deps: Signing): Promise<void> {
  let end = await lockChainEnd(tx)
  const waiting = await takeWaiting(tx, WAITING_A_ROUND)
  const subjects = waiting.flatMap(({ details }) => details.flatMap(({ subject_id }) => subject_id ?? []))
  const purged = new Set(await listPurged(tx, subjects))
  for (const { unchained, details, key_id, mac } of waiting) {
    const key = deps.auditKeys.byId.get(key_id)
    if (key === undefined || waitingMac({ unchained }, key) !== mac)
      throw new Error('An entry that waits for the audit log is not signed with a known key.')
    // Its transaction may have ended after a purge, which could not see it.
    const kept = details.filter(({ subject_id }) => subject_id === null || !purged.has(subject_id))
    end = await append(tx, deps, end, { unchained, details: kept })
  }
}

async function listPurged(tx: Tx, userIds: number[]): Promise<number[]> {
  // Nearly always all are there, and the log of purges need not be read.
  const present = new Set(await listPresent(tx, userIds))
  const isEveryoneHere = userIds.every((userId) => present.has(userId))
  return isEveryoneHere ? [] : listForgotten(tx, { action: PURGED, what: 'user_ids' })
}

function toWritten(deps: Signing, actor: Actor, entry: AuditEntry): Written {
  const details = toDetails(actor, entry)
  const [change, origin] = [findPart(details, 'change'), findPart(details, 'origin')]
  const unchained = {
    at: fromNow(deps.clock),
    actor_id: actor.userId,
    actor_role: actor.role,
    action: entry.action,
    entity: entry.entity ?? null,
    entity_id: entry.entityId ?? null,
    change_digest: change && hashDetails(change),
    origin_digest: origin && hashDetails(origin),
    times: entry.times ?? null,
    change_subject_id: change?.subject_id ?? null,
    origin_subject_id: origin?.subject_id ?? null,
  }
  return { unchained, details }
}

async function append(
  tx: Tx,
  { auditKeys }: Signing,
  end: ChainEnd | undefined,
  { unchained, details }: Written,
): Promise<ChainEnd> {
  const { current: key } = auditKeys
  const unsigned = {
    ...unchained,
    audit_id: (end?.audit_id ?? 0) + 1,
    previous_hash: end?.hash ?? CHAIN_START,
    key_id: key.id,
  }
  const link = { ...unsigned, hash: hashWithKey(unsigned, key) }
  await insertLink(tx, link, details)
  await storeHead(tx, { audit_id: link.audit_id, hash: link.hash, key_id: key.id, mac: headMac(link, key) })
  return link
}

export async function recordAuditAlone(deps: Signing & { db: Db }, actor: Actor, entry: AuditEntry): Promise<void> {
  await inTransaction(deps.db, (tx) => recordAuditAtOnce(tx, deps, actor, entry))
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
