import { withPlans } from '../../platform/db/planner.ts'
import type { Work } from '../../platform/work/work.ts'
import { bringForward, listPutOff } from '../ledger/work.queries.ts'
import { wakeEarly } from '../records/messages.queries.ts'
import { lockPreferences } from './checks.queries.ts'

/**
 * What waits for the end of somebody's quiet hours is due now, and decided again by what they want from now on. In the
 * transaction that changes it, after the change.
 */
export async function wakePushes(work: Work, userId: number): Promise<void> {
  const { tx } = work
  const times = { now: work.now(), since: work.now(-work.config.MESSAGE_TTL_SECONDS * 1_000) }
  await lockPreferences(tx, userId)
  await withPlans(tx, 'by index', async () => {
    const waiting = await listPutOff(tx, userId, times)
    if (waiting.length === 0) return
    await wakeEarly(tx, [...new Set(waiting.map(({ messageId }) => messageId))], times.now)
    await bringForward(
      tx,
      waiting.map(({ workId }) => workId),
      times.now,
    )
    work.announce()
  })
}
