import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import type { PushDeps } from '../deps.ts'
import { recountUnread } from '../ledger/badge-counts.ts'
import { takeHeldRecounts } from '../ledger/badge-counts.queries.ts'
import { selectUsers } from './automatic.ts'
import { eachHome } from '../records/home.queries.ts'
import { listHomesWaitedFor, takeHeld } from '../records/unfinished.queries.ts'

const ROWS_A_ROUND = 500

/** Gives homes that were away the messages to their people, and the counts of unread lines, that waited for them (ADR 2). */
export async function giveHeld(deps: PushDeps): Promise<void> {
  const waitedFor = await listHomesWaitedFor(deps.db)
  if (waitedFor.size === 0) return
  await eachHome(deps.db, async (home) => {
    for (const give of [giveMessages, recount])
      while (waitedFor.has(home) && (await inWork(deps, THE_SERVICE, (work) => give(work, home))) === ROWS_A_ROUND);
  })
}

async function giveMessages(work: Work, home: number): Promise<number> {
  const now = work.now()
  const held = await takeHeld(work.tx, home, { limit: ROWS_A_ROUND, now })
  const messages = held.map(({ messageId, userId }) => ({ messageId, userIds: [userId], dueAt: now }))
  await selectUsers(work, messages, now)
  return held.length
}

async function recount(work: Work, home: number): Promise<number> {
  const userIds = await takeHeldRecounts(work.tx, home, ROWS_A_ROUND)
  await recountUnread(work, userIds)
  return userIds.length
}
