import type { Db } from '../../platform/db/connect.ts'
import type { PageBounds, PageRows } from '../../platform/lists/pagination.ts'
import type { Clock } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { moveSwap } from '../../marketplace/swaps/move.ts'
import { reportedSwaps } from '../statistics/swap-report.ts'
import type { SwapRow } from '../statistics/swap-report.queries.ts'
import { swapFile, type SwapFile } from '../swaps/swap-file.ts'
import { countOpenDisputes, listOpenDisputes, type OpenDispute } from './disputes.queries.ts'

type Resolution = {
  recordId: number
  verdict: 'completed' | 'cancelled'
  note: string
}

/** Both sides are told; the note is for administrators (decision D). 409 INVALID_STATE when it is not in dispute;
 * 403 for one of its sides. */
export async function resolveDispute(work: Work, { recordId: swapId, verdict, note }: Resolution): Promise<SwapFile> {
  const { swap } = await swapFile(work.tx, swapId)
  const userId = must(work.by.userId, 'administrator')
  if (swap.requester?.id === userId || swap.owner?.id === userId)
    throw errors.forbidden({ entity: 'swap', entityId: swapId })
  await moveSwap(work, { swapId, move: `resolve_as_${verdict}`, words: note })
  // The note is about people and is forgotten with them, so the log does not repeat it.
  const change = { before: { status: 'disputed' }, after: { status: verdict } }
  await work.audit({ action: 'swap.resolve', entity: 'swap', entityId: swapId, change })
  return swapFile(work.tx, swapId)
}

export type WaitingDispute = { dispute: OpenDispute; swap: SwapRow; waitedMs: number }

/** The longest open first. */
export async function listDisputes(
  { db, clock }: { db: Db; clock: Clock },
  page: PageBounds,
): Promise<PageRows<WaitingDispute>> {
  const [disputes, total] = await Promise.all([listOpenDisputes(db, page), countOpenDisputes(db)])
  const swapIds = disputes.map((dispute) => dispute.swap_id)
  const swaps = await reportedSwaps(db, swapIds)
  const rows = disputes.map((dispute) => ({
    dispute,
    swap: must(swaps.get(dispute.swap_id), 'swap of a dispute'),
    waitedMs: Math.max(0, clock.now() - dispute.opened_at.getTime()),
  }))
  return { rows, total }
}
