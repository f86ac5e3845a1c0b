import type { Db, Tx } from '../../platform/db/connect.ts'
import { existing } from '../../platform/shared/must.ts'
import type { Expected } from '../../platform/shared/versions.ts'
import { isChatOpen, linesOf } from '../chat/chat.ts'
import type { ChatLine } from '../chat/chat.queries.ts'
import { counterSwap, moveSwap, type PersonalMove } from './move.ts'
import { requestSwap, type Proposal, type SwapDeps } from './propose.ts'
import {
  findDispute,
  findEntry,
  listEntries,
  listItems,
  listRounds,
  type DisputeRow,
  type EntryRow,
  type ItemRow,
  type RoundRow,
  type SwapsWanted,
} from './swap-screens.queries.ts'
import { isProposed, movesOf, otherSide, type MoveOfSide } from './transitions.ts'

export type SwapEntry = EntryRow & {
  moves: MoveOfSide[]
  canMessage: boolean
  /** The other side waits for the caller: for an answer, or for the second confirmation. */
  isMyTurn: boolean
  confirmed: { me: boolean; other: boolean }
}

/** `lines`: of the chat, newest first. */
export type SwapScreen = SwapEntry & {
  items: ItemRow[]
  rounds: RoundRow[]
  dispute: DisputeRow | undefined
  lines: ChatLine[]
}

type Own = { userId: number; swapId: number; seen?: Expected }

export async function listOwnSwaps(db: Db, userId: number, wanted: SwapsWanted): Promise<SwapEntry[]> {
  return (await listEntries(db, userId, wanted)).map(asEntry)
}

/** 404 for strangers. */
export async function showOwnSwap(db: Db, { userId, swapId }: Own, lines: number): Promise<SwapScreen> {
  const entry = await entryOf(db, userId, swapId)
  const [items, rounds, dispute, newest] = await Promise.all([
    listItems(db, swapId),
    listRounds(db, swapId),
    findDispute(db, swapId),
    linesOf(db, swapId, { limit: lines }),
  ])
  return { ...entry, items, rounds, dispute, lines: newest }
}

export type SwapRecords = { rounds: RoundRow[]; dispute: DisputeRow | undefined }

/** The caller has checked that they may be shown. */
export async function recordsOf(db: Db | Tx, swapId: number): Promise<SwapRecords> {
  return { rounds: await listRounds(db, swapId), dispute: await findDispute(db, swapId) }
}

export async function proposeSwap(
  deps: SwapDeps,
  tx: Tx,
  asked: { requesterId: number; proposal: Proposal; groupId?: number },
): Promise<SwapEntry> {
  const { swap_id } = await requestSwap(deps, tx, asked)
  return entryOf(tx, asked.requesterId, swap_id)
}

/** `words`: why a dispute is opened. */
export async function moveOwnSwap(
  deps: SwapDeps,
  tx: Tx,
  move: Exclude<MoveOfSide, 'counter'> & PersonalMove,
  { userId, swapId, seen, words }: Own & { words?: string },
): Promise<SwapEntry> {
  await moveSwap(deps, tx, swapId, move, { userId, ...(seen && { seen }), ...(words !== undefined && { words }) })
  return entryOf(tx, userId, swapId)
}

export async function counterOwnSwap(deps: SwapDeps, tx: Tx, own: Own & { proposal: Proposal }): Promise<SwapEntry> {
  await counterSwap(deps, tx, own)
  return entryOf(tx, own.userId, own.swapId)
}

async function entryOf(db: Db | Tx, userId: number, swapId: number): Promise<SwapEntry> {
  const row = existing(await findEntry(db, userId, swapId), 'This swap')
  return asEntry(row)
}

export function asEntry(row: EntryRow): SwapEntry {
  const confirmed = { requester: row.requester_confirmed_at !== null, owner: row.owner_confirmed_at !== null }
  const mine = { me: confirmed[row.side], other: confirmed[otherSide(row.side)] }
  const moves = movesOf({ status: row.status, turn: row.turn, confirmed }, row.side, row.is_blocked)
  const isProposal = isProposed(row.status)
  return {
    ...row,
    moves,
    canMessage: isChatOpen(row.status, { isOtherGone: row.other === null, isBlocked: row.is_blocked }),
    isMyTurn: isProposal ? row.turn === row.side : row.status === 'accepted' && mine.other && !mine.me,
    confirmed: mine,
  }
}
