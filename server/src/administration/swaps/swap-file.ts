import type { Db, Tx } from '../../platform/db/connect.ts'
import { existing } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { findLines } from '../../marketplace/chat/chat.ts'
import type { ChatLine } from '../../marketplace/chat/chat.queries.ts'
import { findHistory } from '../../marketplace/history/history.ts'
import { findRecords, keepSides, type SwapRecords } from '../../marketplace/swaps/swap-screens.ts'
import { reportedSwaps } from '../statistics/swap-report.ts'
import type { SwapRow } from '../statistics/swap-report.queries.ts'

/** `lines`: only when its messages were asked for. */
export type SwapFile = SwapRecords & {
  swap: SwapRow
  history: Awaited<ReturnType<typeof findHistory>>
  lines: ChatLine[] | undefined
}

export type Messages = { reason: string; before: number | undefined; limit: number }

/** Reading messages takes a reason and leaves an audit entry with it, in the same transaction (decision C14). */
export async function showSwap(work: Work, swapId: number, messages: Messages | undefined): Promise<SwapFile> {
  if (messages === undefined) return swapFile(work.tx, swapId)
  await keepSides(work.tx, swapId)
  const file = await swapFile(work.tx, swapId)
  const subjectId = file.swap.requester?.id ?? file.swap.owner?.id ?? null
  const change = { after: { reason: messages.reason }, subjectId }
  await work.audit({ action: 'swap.messages.read', entity: 'swap', entityId: swapId, change })
  return { ...file, lines: await findLines(work.tx, swapId, messages) }
}

export async function swapFile(db: Db | Tx, swapId: number): Promise<SwapFile> {
  const swap = existing((await reportedSwaps(db, [swapId])).get(swapId), 'This swap')
  const history = await findHistory(db, 'swap', swapId)
  return { swap, ...(await findRecords(db, swapId)), history, lines: undefined }
}
