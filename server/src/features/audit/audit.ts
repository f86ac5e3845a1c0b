import type { Db, Tx } from '../../db/connect.ts'
import type { Role } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fromNow, type Clock } from '../../shared/clock.ts'
import { deleteDetailsOf, insertLink, listLinksAfter, lockChainEnd } from './audit.queries.ts'
import { CHAIN_START, digestOf, hashOf, newSalt, type Details } from './chain.ts'

/** Who makes a request; `userId` null: nobody who is signed in. */
export type Actor = {
  userId: number | null
  role: Role | null
  ip: string
  userAgent: string | null
  requestId: string
}

/** What was done; `change` holds the record before and after as far as they differ, and whose data it tells. */
export type AuditEntry = {
  action: string
  entity?: string
  entityId?: number
  change?: { before: Record<string, unknown> | null; after: Record<string, unknown> | null; subjectId: number | null }
}

/**
 * Appends an entry to the audit log, in the transaction of what it is about (decision C14). The last thing that a
 * transaction does: entries are written one after the other, so the end of the chain is locked until it commits.
 */
export async function recordAudit(tx: Tx, clock: Clock, actor: Actor, entry: AuditEntry): Promise<void> {
  const details = detailsOf(actor, entry)
  const end = await lockChainEnd(tx)
  const unsigned = {
    audit_id: (end?.audit_id ?? 0) + 1,
    at: fromNow(clock),
    actor_id: actor.userId,
    actor_role: actor.role,
    action: entry.action,
    entity: entry.entity ?? null,
    entity_id: entry.entityId ?? null,
    request_id: actor.requestId,
    change_digest: digestOfPart(details, 'change'),
    origin_digest: digestOfPart(details, 'origin'),
    previous_hash: end?.hash ?? CHAIN_START,
  }
  await insertLink(tx, { ...unsigned, hash: hashOf(unsigned) }, details)
}

/** Appends an entry that belongs to no other transaction: a login, a denied call, an export. */
export async function recordAuditAlone(
  { db, clock }: { db: Db; clock: Clock },
  actor: Actor,
  entry: AuditEntry,
): Promise<void> {
  await inTransaction(db, (tx) => recordAudit(tx, clock, actor, entry))
}

/** Forgets what the log tells about people who are purged: their data before and after, and where they called from. */
export async function forgetInAudit(tx: Tx, userIds: number[]): Promise<void> {
  if (userIds.length > 0) await deleteDetailsOf(tx, userIds)
}

/** What a check of the chain found: its length and end, and the first entry that is not as it was written. */
export type ChainReport = { entries: number; head: string; broken: { auditId: number; why: string } | undefined }

const PAGE = 5_000

/** Checks every entry of the log against its hash, its place, and what is still told beside it. */
export async function verifyAudit(db: Db): Promise<ChainReport> {
  let [entries, head] = [0, CHAIN_START]
  for (;;) {
    const page = await listLinksAfter(db, entries, PAGE)
    if (page.length === 0) return { entries, head, broken: undefined }
    for (const link of page) {
      const why = faultOf(link, { auditId: entries + 1, previousHash: head })
      if (why !== undefined) return { entries, head, broken: { auditId: link.audit_id, why } }
      entries = link.audit_id
      head = link.hash
    }
  }
}

type StoredLink = Awaited<ReturnType<typeof listLinksAfter>>[number]

function faultOf(link: StoredLink, expected: { auditId: number; previousHash: string }): string | undefined {
  if (link.audit_id !== expected.auditId) return `entry ${expected.auditId} is missing`
  if (link.previous_hash !== expected.previousHash) return 'it is not chained to the entry before it'
  if (link.hash !== hashOf(link)) return 'it was changed'
  const changed = link.details.find((detail) => digestOf(detail) !== link[`${detail.part}_digest`])
  return changed && `its ${changed.part} was changed`
}

function detailsOf(actor: Actor, { change, entity, entityId }: AuditEntry): Details[] {
  const origin: Details = {
    part: 'origin',
    // Where a login failed from is a matter of the account that was tried.
    subject_id: actor.userId ?? (entity === 'user' ? (entityId ?? null) : null),
    salt: newSalt(),
    content: { ip: actor.ip, user_agent: actor.userAgent },
  }
  if (change === undefined) return [origin]
  const { subjectId, ...content } = change
  // As JSON keeps it, so that the digest is that of what will be read back.
  const plain = JSON.parse(JSON.stringify(content)) as Record<string, unknown>
  return [origin, { part: 'change', subject_id: subjectId, salt: newSalt(), content: plain }]
}

function digestOfPart(details: Details[], part: Details['part']): string | null {
  const detail = details.find((candidate) => candidate.part === part)
  return detail ? digestOf(detail) : null
}
