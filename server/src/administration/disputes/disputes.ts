import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Deps } from '../../deps.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Clock } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import { linesOf } from '../../marketplace/chat/chat.ts'
import type { ChatLine } from '../../marketplace/chat/chat.queries.ts'
import { historyOf } from '../../marketplace/history/history.ts'
import { moveSwap } from '../../marketplace/swaps/move.ts'
import type { SwapDeps } from '../../marketplace/swaps/propose.ts'
import { recordsOf, type SwapRecords } from '../../marketplace/swaps/swap-screens.ts'
import { reportedSwaps } from '../reports/swap-report.ts'
import type { SwapRow } from '../reports/swap-report.queries.ts'
import { countOpenDisputes, listOpenDisputes, type OpenDispute } from './disputes.queries.ts'

/** `lines`: only when its messages were asked for. */
export type SwapFile = SwapRecords & {
  swap: SwapRow
  history: Awaited<ReturnType<typeof historyOf>>
  lines: ChatLine[] | undefined
}

export type Messages = { reason: string; before: number | undefined; limit: number }

/** Reading messages takes a reason and leaves an audit entry with it, in the same transaction (decision C14). */
export async function showSwap(
  deps: AuditDeps,
  tx: Tx,
  caller: Actor,
  { swapId, messages }: { swapId: number; messages: Messages | undefined },
): Promise<SwapFile> {
  const file = await fileOf(tx, swapId)
  if (messages === undefined) return file
  const subjectId = file.swap.requester?.id ?? file.swap.owner?.id ?? null
  const change = { before: null, after: { reason: messages.reason }, subjectId }
  await recordAudit(tx, deps, caller, { action: 'swap.messages.read', entity: 'swap', entityId: swapId, change })
  return { ...file, lines: await linesOf(tx, swapId, messages) }
}

export type Resolution = { swapId: number; resolution: 'completed' | 'cancelled'; note: string }

/** Both sides are told; the note is for administrators (decision D). 409 INVALID_STATE when it is not in dispute;
 * 403 for one of its sides. */
export async function resolveDispute(
  deps: SwapDeps & AuditDeps,
  tx: Tx,
  caller: Actor,
  { swapId, resolution, note }: Resolution,
): Promise<SwapFile> {
  const { swap } = await fileOf(tx, swapId)
  const userId = must(caller.userId, 'administrator')
  if (swap.requester?.id === userId || swap.owner?.id === userId)
    throw errors.forbidden({ entity: 'swap', entityId: swapId })
  await moveSwap(deps, tx, swapId, `resolve_as_${resolution}`, { userId, isAdministrator: true, words: note })
  // The note is about people and is forgotten with them, so the log does not repeat it.
  const change = { before: { status: 'disputed' }, after: { status: resolution }, subjectId: null }
  await recordAudit(tx, deps, caller, { action: 'swap.resolve', entity: 'swap', entityId: swapId, change })
  return fileOf(tx, swapId)
}

export type WaitingDispute = { dispute: OpenDispute; swap: SwapRow; waitedMs: number }

/** The longest open first. */
export async function listDisputes(
  { db, clock }: Pick<Deps, 'db'> & { clock: Clock },
  page: { perPage: number; offset: number },
): Promise<{ rows: WaitingDispute[]; total: number }> {
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

async function fileOf(db: Db | Tx, swapId: number): Promise<SwapFile> {
  const swap = (await reportedSwaps(db, [swapId])).get(swapId)
  if (swap === undefined) throw errors.notFound('This swap')
  const history = await historyOf(db, 'swap', swapId)
  return { swap, ...(await recordsOf(db, swapId)), history, lines: undefined }
}
