import type { PushDeps } from '../deps.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inWork } from '../../platform/work/work.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { recountUnread } from '../ledger/badge-counts.ts'
import { renewNodes } from './nodes.queries.ts'
import { checkBadgesAfter, type CheckedBadge } from './badges.queries.ts'
import { openRealtimeDatabase, type RealtimeDatabase } from './firebase.ts'
import { toNode } from './realtime.ts'

const USERS_A_STEP = 500
const READS_AT_ONCE = 16

export type BadgeCheck = {
  users: number
  wrong: number
  /** The realtime database lacked it, and no write was due. */
  unwritten: number
  unanswered: number
}

/** Compares all badges with the rows and the realtime database, and repairs them; the service may run (ADR 6). */
export async function checkBadges(
  deps: PushDeps,
  signal: AbortSignal,
  database: RealtimeDatabase | undefined = openRealtimeDatabase(deps.config),
): Promise<BadgeCheck> {
  const found: BadgeCheck = { users: 0, wrong: 0, unwritten: 0, unanswered: 0 }
  let after: number | null = 0
  while (after !== null && !signal.aborted) {
    const from: number = after
    const { last, badges } = await inPlannedTransaction(deps.db, 'by index', (tx) =>
      checkBadgesAfter(tx, from, USERS_A_STEP),
    )
    const differ = badges.filter(({ isRight }) => !isRight).map(({ userId }) => userId)
    const wrong = await inWork(deps, THE_SERVICE, (work) => recountUnread(work, differ))
    const right = badges.filter(({ isRight }) => isRight)
    const { unwritten, unanswered } = await checkWritten(deps, right, database)
    found.users += badges.length
    found.wrong += wrong.length
    found.unwritten += unwritten
    found.unanswered += unanswered
    after = last
  }
  const { log } = deps
  if (found.wrong + found.unwritten > 0) log.warn(found, 'badges differed from the rows and were corrected')
  else log.info(found, 'badges were checked')
  return found
}

/** Counts the wrong badges among the first 500 users; changes nothing. */
export async function sampleBadges(db: PushDeps['db']): Promise<{ users: number; wrong: number }> {
  const { badges } = await inPlannedTransaction(db, 'by index', (tx) => checkBadgesAfter(tx, 0, USERS_A_STEP))
  return { users: badges.length, wrong: badges.filter(({ isRight }) => !isRight).length }
}

export async function checkBadgesCommand(deps: PushDeps): Promise<{ text: string; isGood: boolean }> {
  const { users, wrong, unwritten, unanswered } = await checkBadges(deps, new AbortController().signal)
  const lines = [
    `${users} users: ${wrong} badges were wrong and are counted anew.`,
    ...(unwritten > 0 ? [`${unwritten} were not in the realtime database; a worker writes them.`] : []),
    ...(unanswered > 0 ? [`${unanswered} could not be read from the realtime database.`] : []),
  ]
  return { text: lines.join('\n'), isGood: wrong + unanswered === 0 }
}

async function checkWritten(
  { db, clock }: PushDeps,
  badges: CheckedBadge[],
  database: RealtimeDatabase | undefined,
): Promise<{ unwritten: number; unanswered: number }> {
  if (database === undefined) return { unwritten: 0, unanswered: 0 }
  const idle = badges.filter(({ isDue }) => !isDue)
  const lost = idle.filter(({ isWritten, total }) => !isWritten && total > 0).map(({ userId }) => userId)
  let unanswered = 0
  const toRead = idle.filter(({ isWritten }) => isWritten).values()
  const read = async () => {
    for (const badge of toRead) {
      const node = await database.read(badge.userId)
      if (node === undefined) unanswered++
      else if (!isSame(badge, node)) lost.push(badge.userId)
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, read))
  return { unwritten: await renewNodes(db, lost, fromNow(clock)), unanswered }
}

/** The version of a badge is that of its neighbours too, so it may differ. */
function isSame(badge: CheckedBadge, node: Awaited<ReturnType<RealtimeDatabase['read']>>): boolean {
  const expected = toNode(badge)
  const parts = ({ total, notifications, chats = {} }: Partial<typeof expected>) =>
    JSON.stringify([total, notifications, Object.entries(chats).toSorted(([a], [b]) => (a < b ? -1 : 1))])
  return node !== null && node !== undefined && parts(node) === parts(expected)
}
