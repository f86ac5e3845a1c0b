import type { Db } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { changeLines, recountUnread } from '../ledger/badge-counts.ts'
import { holdRecount } from '../ledger/badge-counts.queries.ts'
import { isPersonAway } from '../records/home.queries.ts'
import { listBadges, listChatPartners, type Badge } from './badges.queries.ts'
import { forgetNodes } from './nodes.queries.ts'

export async function findBadge(db: Db, userId: number): Promise<Badge> {
  const [badge] = await listBadges(db, [userId])
  return must(badge, 'badge of a user')
}

/**
 * Lines of chats that became unread, or were read (negative). The last lock of the transaction (ADR 6). A home that is
 * away counts them when it is back.
 */
export async function countLines(work: Work, userId: number, lines: number): Promise<void> {
  if (isPersonAway(work, userId)) await holdRecount(work.tx, userId)
  else await changeLines(work, { userId, lines })
}

/** Forgets people who are purged (decision C7). `recount` counts whom they chatted with, when all else is written. */
export async function forgetInBadges(work: Work, userIds: number[]): Promise<{ recount: () => Promise<unknown> }> {
  const partners = await listChatPartners(work.tx, userIds)
  await forgetNodes(work.tx, userIds, work.now())
  return { recount: () => recountUnread(work, [...partners, ...userIds]) }
}
