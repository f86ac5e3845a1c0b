import type { Db, Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import { fromNow, type Clock } from '../../platform/shared/clock.ts'
import type { Work } from '../../platform/work/work.ts'
import { changeUnread, recountUnread } from '../ledger/unread.ts'
import { listBadges, listChatPartners, type Badge } from './badges.queries.ts'
import { forgetNodes } from './nodes.queries.ts'

export async function badgeOf(db: Db, userId: number): Promise<Badge> {
  const [badge] = await listBadges(db, [userId])
  return must(badge, 'badge of a user')
}

/** Lines of chats that became unread, or were read (negative). The last lock of the transaction (ADR 6). */
export async function countLines(work: Work, userId: number, lines: number): Promise<void> {
  await changeUnread(work, [userId], (unread) => unread.addLines(userId, lines))
}

/** Forgets people who are purged (decision C7). `recount` counts those who chatted with them, when all else is
 * written. */
export async function forgetInBadges(
  tx: Tx,
  clock: Clock,
  userIds: number[],
): Promise<{ recount: (work: Work) => Promise<void> }> {
  const partners = await listChatPartners(tx, userIds)
  await forgetNodes(tx, userIds, fromNow(clock))
  return { recount: async (work) => void (await recountUnread(work, [...partners, ...userIds])) }
}
