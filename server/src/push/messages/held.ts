import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import type { PushDeps } from '../deps.ts'
import { recountUnread } from '../ledger/badge-counts.ts'
import { takeHeldRecounts } from '../ledger/badge-counts.queries.ts'
import { eachHome } from '../records/home.queries.ts'
import { wakeEarly } from '../records/messages.queries.ts'
import { endEarlier, selectUsers } from './automatic.ts'
import { expectAnswer, listHomesWaitedFor, lockHeld } from './held.queries.ts'

const MESSAGES_A_ROUND = 500
// Each may lock the counts of 64 neighbours.
const PEOPLE_A_ROUND = 50
// What is left is given by the next sweep.
const ROUNDS = 40

/** Gives homes that were away the messages to their people that were held for them (ADR 2). */
export function giveHeld(deps: PushDeps): Promise<void> {
  return eachHomeWaitedFor(deps, async (work, home) => {
    const now = work.now()
    const held = await lockHeld(work.tx, home, { limit: MESSAGES_A_ROUND, now })
    const messageIds = held.map(({ messageId }) => messageId)
    await wakeEarly(work.tx, messageIds, now)
    await endEarlier(
      work,
      held.flatMap(({ userId, mergeKey, isChat }) => (isChat ? [] : [{ recipientId: userId, mergeKey }])),
      now,
    )
    await selectUsers(
      work,
      held.map(({ userId, ...message }) => ({ ...message, userIds: [userId] })),
      now,
    )
    return held.length
  })
}

/** Counts people of homes that were away to whom lines of chats were written meanwhile, or who read some. */
export function countHeld(deps: PushDeps): Promise<void> {
  return eachHomeWaitedFor(deps, async (work, home) => {
    const userIds = await takeHeldRecounts(work.tx, home, PEOPLE_A_ROUND)
    await recountUnread(work, userIds)
    return userIds.length
  })
}

async function eachHomeWaitedFor(deps: PushDeps, give: (work: Work, home: number) => Promise<number>): Promise<void> {
  const waitedFor = new Set(await listHomesWaitedFor(deps.db))
  if (waitedFor.size === 0) return
  const giveOnce = (home: number) =>
    inWork(deps, THE_SERVICE, async (work) => {
      await expectAnswer(work.tx, home)
      return give(work, home)
    })
  await eachHome(deps.db, async (home) => {
    if (!waitedFor.has(home)) return
    for (let round = 0; round < ROUNDS && (await giveOnce(home)) > 0; round++);
  })
}
