import type { Db, Tx } from '../db/connect.ts'
import type { Role } from '../tables/tables.ts'
import { countHomes } from '../db/homes.ts'
import { afterCommit, beforeCommit, inTransaction } from '../db/transaction.ts'
import { fromNow, type Clock } from '../shared/clock.ts'
import {
  deleteDetailsBefore,
  deleteUserDetails,
  insertDetails,
  insertLinks,
  insertWaiting,
  isAnyWaiting,
  listPresent,
  listWaitingKeys,
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
  type AuditKey,
  type AuditKeys,
  type Details,
  type Link,
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

/** An entry that waited was not as the service had signed it. */
const REFUSED = 'audit.refused'

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
  await append(tx, deps, end, [toWritten(deps, actor, entry)])
}

async function recordToWait(tx: Tx, deps: Signing, actor: Actor, entry: AuditEntry): Promise<void> {
  const { current: key } = deps.auditKeys
  const text = JSON.stringify(toWritten(deps, actor, entry))
  await insertWaiting(tx, { entry: text, key_id: key.id, mac: waitingMac(text, key) })
  // The sweep appends what is left.
  afterCommit(tx, (db) => appendWaiting(db, deps, 1).catch(() => undefined))
}

const WAITING_A_ROUND = 100
// What is left is appended by the next sweep.
const ROUNDS = 20

/** Appends entries of a divided database whose transactions are over, a hundred a round. */
export async function appendWaiting(db: Db, deps: Signing, rounds = ROUNDS): Promise<void> {
  if (countHomes(db) === 1) return
  const known = [...deps.auditKeys.byId.keys()]
  for (let round = 0; round < rounds && (await isAnyWaiting(db, known)); round++)
    await inTransaction(db, (tx) => appendRound(tx, deps))
}

/** Throws where entries wait that were signed with keys which are unknown here: they would wait for ever. */
export async function expectKnownKeys(db: Db, { auditKeys }: Signing): Promise<void> {
  const unknown = countHomes(db) === 1 ? [] : await listWaitingKeys(db, [...auditKeys.byId.keys()])
  if (unknown.length > 0)
    throw new Error(`Entries of the audit log wait for keys whose secrets are not set here: ${unknown.join(', ')}.`)
}

async function appendRound(tx: Tx, deps: Signing): Promise<void> {
  const { byId } = deps.auditKeys
  const end = await lockChainEnd(tx)
  const waiting = await takeWaiting(tx, [...byId.keys()], WAITING_A_ROUND)
  const written = waiting.map(({ waiting_id, entry, key_id, mac }) => {
    const key = byId.get(key_id)
    const isOurs = key !== undefined && waitingMac(entry, key) === mac
    const change = { after: { waiting_id, key_id } }
    return isOurs ? toRead(entry) : toWritten(deps, THE_SERVICE, { action: REFUSED, entity: 'audit-log', change })
  })
  const subjects = written.flatMap(({ details }) => details.flatMap(({ subject_id: subject }) => subject ?? []))
  const present = new Set(await listPresent(tx, subjects))
  // An entry may be of a transaction that ended after its subject was purged.
  const isKept = ({ subject_id: subject }: Details) => subject === null || present.has(subject)
  const kept = written.map(({ unchained, details }) => ({ unchained, details: details.filter(isKept) }))
  await append(tx, deps, end, kept)
}

function toRead(entry: string): Written {
  const { unchained, details } = JSON.parse(entry) as Written
  return { unchained: { ...unchained, at: new Date(unchained.at) }, details }
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

/** A purge deletes details with its entry, so nothing stays that was appended before it. */
async function append(
  tx: Tx,
  { auditKeys }: Signing,
  end: ChainEnd | undefined,
  entries: readonly Written[],
): Promise<void> {
  const { current: key } = auditKeys
  const links: Link[] = []
  for (const { unchained } of entries) links.push(toLink(unchained, links.at(-1) ?? end, key))
  const last = links.at(-1)
  if (last === undefined) return
  await insertLinks(tx, links)
  await insertDetails(
    tx,
    entries.flatMap(({ details }, n) => details.map((detail) => ({ ...detail, audit_id: links[n]!.audit_id }))),
  )
  await storeHead(tx, { audit_id: last.audit_id, hash: last.hash, key_id: key.id, mac: headMac(last, key) })
  for (const { details } of entries.filter(({ unchained }) => unchained.action === PURGED)) {
    const { after } = findPart(details, 'change')!.content as { after: Forgotten }
    await deleteUserDetails(tx, after.user_ids, after.audit_ids ?? [])
  }
}

function toLink(unchained: Written['unchained'], end: ChainEnd | undefined, key: AuditKey): Link {
  const audit_id = (end?.audit_id ?? 0) + 1
  const unsigned = { ...unchained, audit_id, previous_hash: end?.hash ?? CHAIN_START, key_id: key.id }
  return { ...unsigned, hash: hashWithKey(unsigned, key) }
}

export async function recordAuditAlone(deps: Signing & { db: Db }, actor: Actor, entry: AuditEntry): Promise<void> {
  await inTransaction(deps.db, (tx) => recordAuditAtOnce(tx, deps, actor, entry))
}

/** Of whom, and of which entries with another subject, a purge deletes details. */
type Forgotten = { user_ids: number[]; audit_ids?: number[] }

/** Deletes details about purged people, also of entries (`auditIds`) whose subject is another, by an entry that says
 * whose details are absent. */
export async function forgetInAudit(
  { audit }: { audit(entry: AuditEntry): Promise<void> },
  userIds: number[],
  auditIds: number[] = [],
): Promise<void> {
  if (userIds.length === 0) return
  const after: Forgotten = { user_ids: userIds, ...(auditIds.length > 0 && { audit_ids: auditIds }) }
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
