import { appendWaiting, THE_SERVICE } from '../../platform/audit/audit.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import type { PushDeps } from '../../push/deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { toDate, dayAt } from '../../platform/shared/days.ts'
import { deleteActivity } from '../../identity/activity/activity.queries.ts'
import { forgetPeopleInAudit } from '../audit/audit-chores.ts'
import { deleteAccounts, emptyReasonsFrom, lockPurgeable } from '../../identity/accounts/accounts.queries.ts'
import { emptyWordsOfPeople } from '../../identity/approvals/approvals.queries.ts'
import { forgetInModeration } from '../../marketplace/products/moderation.ts'
import { deleteUserLikes } from '../../marketplace/likes/likes.queries.ts'
import { forgetInSwaps } from '../../marketplace/swaps/invalidate.ts'
import { forgetInGroups } from '../../marketplace/groups/groups.ts'
import { emptyUserNotes } from '../../marketplace/history/history.queries.ts'
import { forgetInReports } from '../../marketplace/reports/reports.queries.ts'
import { emptyExternalIds } from '../../marketplace/subscriptions/subscriptions.queries.ts'
import { forgetUserAnswers } from '../../platform/idempotency/idempotency.queries.ts'
import { forgetInBadges } from '../../push/badges/badges.ts'
import { deletePlatformPeople } from '../../push/provider/platforms.queries.ts'
import { emptyMessagesOfPeople } from '../../push/records/messages.queries.ts'
import { clearReasonsAbout } from './bulk.queries.ts'
import { deleteExportsOfSearches } from '../exports/exports.queries.ts'

const USERS_A_ROUND = 100

/** What people wrote in records that others keep (decision C7, ADR 15). Rows that are theirs alone go by foreign
 * keys. */
const FORGET: readonly ((tx: Tx, userIds: number[]) => Promise<void>)[] = [
  deleteUserLikes,
  forgetInModeration,
  forgetInSwaps,
  forgetInReports,
  emptyExternalIds,
  forgetInGroups,
  emptyUserNotes,
  emptyMessagesOfPeople,
  forgetUserAnswers,
  deleteExportsOfSearches,
  clearReasonsAbout,
  emptyWordsOfPeople,
  emptyReasonsFrom,
  deletePlatformPeople,
]

/** Purges users deleted 30 days ago or more (decision C7, ADR 15), a hundred in a transaction. Safe to run twice at
 * once; gives how many. */
export async function purgeUsers(deps: PushDeps, signal: AbortSignal): Promise<number> {
  let purged = 0
  while (!signal.aborted) {
    const users = await inWork(deps, THE_SERVICE, (work) => purgeRound(work, deps))
    purged += users
    if (users < USERS_A_ROUND) break
  }
  if (purged > 0) deps.log.info({ users: purged }, 'purged deleted accounts')
  return purged
}

async function purgeRound(work: Work, deps: PushDeps): Promise<number> {
  const { tx } = work
  const now = work.now()
  const accounts = await lockPurgeable(tx, { limit: USERS_A_ROUND, now })
  if (accounts.length === 0) return 0
  const userIds = accounts.map((account) => account.user_id)
  // Readings of their chats, which lock their accounts, are in the log then.
  await appendWaiting(deps.db, deps)
  const madeFirst = Math.min(...accounts.map((account) => account.created_at.getTime()))
  // This comes first: chats tell whose badges change, and the functions after it empty the chats.
  const { recount } = await forgetInBadges(work, userIds)
  for (const forget of FORGET) await forget(tx, userIds)
  const days = { fromDay: toDate(dayAt(new Date(madeFirst))), toDay: toDate(dayAt(now)) }
  await deleteActivity(tx, { userIds, ...days })
  await forgetPeopleInAudit(work, userIds)
  await deleteAccounts(tx, userIds)
  await recount()
  return userIds.length
}
