import type { Db, Tx } from '../../platform/db/connect.ts'
import type { PushDeps } from '../../push/deps.ts'
import { FORGOTTEN, PURGED, SIGN_INS } from '../../platform/audit/audit.ts'
import { findHead, listForgotten, listForgottenKinds, listLinksAfter } from '../../platform/audit/audit.queries.ts'
import { CHAIN_START, hashDetails, headMac, hashWithKey, type Details } from '../../platform/audit/chain.ts'
import { keptKeys } from '../../platform/audit/keys.ts'
import { ORIGIN_KEPT_MS } from './audit-chores.ts'

export type AuditReport = {
  entries: number
  head: string
  broken: { auditId: number; why: string } | undefined
}

/** An end of the log that the service once logged: that entry must still exist. */
export type ExpectedEnd = { count?: number | undefined; head?: string | undefined }

export type AuditLog = Pick<PushDeps, 'clock' | 'config' | 'auditKeys'> & { db: Db | Tx }

const PAGE = 5_000

/** Checks each entry's number, chain, hash and details (missing only for the reasons of ADR 12), then the end and
 * the keys. Entries may be appended meanwhile. */
export async function verifyAudit(deps: AuditLog, expected: ExpectedEnd = {}): Promise<AuditReport> {
  return verifyFrom(deps, expected, { auditId: 0, head: CHAIN_START })
}

/** Trusts the entries before the newest `count`. */
export async function verifyNewest(deps: AuditLog, count: number): Promise<AuditReport> {
  const stored = await findHead(deps.db)
  const auditId = Math.max((stored?.audit_id ?? 0) - count, 0)
  const [before] = auditId === 0 ? [] : await listLinksAfter(deps.db, auditId - 1, 1)
  return verifyFrom(deps, {}, { auditId, head: before?.hash ?? CHAIN_START })
}

async function verifyFrom(
  deps: AuditLog,
  expected: ExpectedEnd,
  from: { auditId: number; head: string },
): Promise<AuditReport> {
  const end = await endToReach(deps, expected)
  const report: AuditReport = { entries: from.auditId, head: from.head, broken: undefined }
  const excuses = createExcuses(deps)
  let isHeadFound = false
  for (;;) {
    const page = await listLinksAfter(deps.db, report.entries, PAGE)
    if (page.length === 0) break
    for (const link of page) {
      const why =
        findChainFault(deps, link, { auditId: report.entries + 1, previousHash: report.head }) ??
        (await findDetailFault(link, excuses)) ??
        end.faultAt(link)
      if (why !== undefined) return { ...report, broken: { auditId: link.audit_id, why } }
      report.entries = link.audit_id
      report.head = link.hash
      isHeadFound ||= link.hash === expected.head
    }
  }
  const why = end.faultAfter(report.entries, isHeadFound)
  return why === undefined ? report : { ...report, broken: { auditId: report.entries + 1, why } }
}

type StoredLink = Awaited<ReturnType<typeof listLinksAfter>>[number]

function findChainFault(
  { auditKeys }: AuditLog,
  link: StoredLink,
  expected: { auditId: number; previousHash: string },
): string | undefined {
  if (link.audit_id !== expected.auditId) return `entry ${expected.auditId} is missing`
  if (link.previous_hash !== expected.previousHash) return 'it is not chained to the entry before it'
  const key = auditKeys.byId.get(link.key_id)
  if (key === undefined)
    return `it is signed with the key ${link.key_id}, whose secret is not set here (AUDIT_SECRET, JWT_SECRET)`
  return link.hash === hashWithKey(link, key) ? undefined : 'it was changed'
}

type Part = Details['part']
const PARTS: readonly Part[] = ['change', 'origin']

async function findDetailFault(link: StoredLink, excuses: Excuses): Promise<string | undefined> {
  const changed = link.details.find((detail) => hashDetails(detail) !== link[`${detail.part}_digest`])
  if (changed) return `its ${changed.part} was changed`
  const moved = link.details.find((detail) => detail.subject_id !== link[`${detail.part}_subject_id`])
  if (moved) return `the subject of its ${moved.part} was changed`
  for (const part of findAbsentParts(link))
    if (!(await excuses.isExcused(link, part))) return `its ${part} is missing, but its subject was not purged`
  return undefined
}

function findAbsentParts(link: StoredLink): Part[] {
  return PARTS.filter((part) => link[`${part}_digest`] !== null && !link.details.some((detail) => detail.part === part))
}

type Excuses = { isExcused(link: StoredLink, part: Part): Promise<boolean> }

/** Details may be missing: of a purged person, of an old call without an account, or deleted by age as the log says. */
function createExcuses({ db, clock }: AuditLog): Excuses {
  let purged = new Set<number>()
  let emptied = new Set<number>()
  let forgotten = new Map<string, Date>()
  const isKnown = ({ action, at }: StoredLink, subject: number | null) => {
    const before = forgotten.get(SIGN_INS.includes(action) ? 'sign-ins' : 'others')
    return (before !== undefined && at < before) || (subject !== null && purged.has(subject))
  }
  return {
    isExcused: async (link, part) => {
      const subject = link[`${part}_subject_id`]
      if (subject === null && part === 'origin' && link.at.getTime() < clock.now() - ORIGIN_KEPT_MS) return true
      const isEmptied = () => part === 'change' && emptied.has(link.audit_id)
      if (isKnown(link, subject) || isEmptied()) return true
      // The entry is read again, because somebody may have been purged meanwhile, or something deleted.
      purged = new Set(await listForgotten(db, { action: PURGED, what: 'user_ids' }))
      emptied = new Set(await listForgotten(db, { action: PURGED, what: 'audit_ids' }))
      forgotten = new Map((await listForgottenKinds(db, FORGOTTEN)).map((one) => [one.kind, new Date(one.before)]))
      return isKnown(link, subject) || isEmptied()
    },
  }
}

async function endToReach(deps: AuditLog, expected: ExpectedEnd) {
  const registrations = await keptKeys(deps.db, deps.config)
  const stored = await findHead(deps.db)
  const since = registrations.map((registration) => registration.since)
  const signer = stored && deps.auditKeys.byId.get(stored.key_id)
  const isForged = stored !== undefined && (signer === undefined || headMac(stored, signer) !== stored.mac)
  return {
    faultAt: ({ audit_id, hash }: StoredLink): string | undefined => {
      if (audit_id === stored?.audit_id && hash !== stored.hash)
        return 'it is not the entry that was stored as the end of the log'
      const isOther = audit_id === expected.count && expected.head !== undefined && hash !== expected.head
      return isOther ? 'its hash is not the expected one' : undefined
    },
    faultAfter: (entries: number, isHeadFound: boolean): string | undefined => {
      const least = Math.max(stored?.audit_id ?? 0, expected.count ?? 0, ...since)
      if (entries < least) return `${least - entries} of ${least} entries are missing at the end`
      if (expected.head !== undefined && !isHeadFound) return 'no entry has the hash that was expected'
      if (isForged) return 'the stored end of the log is not signed with a known key'
      if (entries > 0 && stored === undefined) return 'the stored end of the log is missing'
      return entries > 0 && since.length === 0 ? 'the registration of the keys is missing' : undefined
    },
  }
}
