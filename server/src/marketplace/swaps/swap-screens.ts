import type { Db, Tx } from '../../platform/db/connect.ts'
import { existing } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { isChatOpen, findLines } from '../chat/chat.ts'
import type { ChatLine } from '../chat/chat.queries.ts'
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
  type SwapListRequest,
} from './swap-screens.queries.ts'
import { lockSides, type Swap } from './swaps.queries.ts'
import { isTurnOf, listMoves, otherSide, toFacts, type MoveOfSide } from './transitions.ts'

export type SwapEntry = EntryRow & {
  moves: MoveOfSide[]
  canMessage: boolean
  isMyTurn: boolean
  confirmed: { me: boolean; other: boolean }
}

export type SwapRecords = { rounds: RoundRow[]; dispute: DisputeRow | undefined }

/** `lines`: of the chat, newest first. */
export type SwapScreen = SwapEntry & SwapRecords & { items: ItemRow[]; lines: ChatLine[] }

type Own = { userId: number; swapId: number }

export async function listOwnSwaps(db: Db, userId: number, request: SwapListRequest): Promise<SwapEntry[]> {
  return (await listEntries(db, userId, request)).map(toEntry)
}

/** 404 for strangers. `lines`: how many are read. */
export async function showOwnSwap(db: Db, { lines, ...own }: Own & { lines: number }): Promise<SwapScreen> {
  const entry = await findOwnSwap(db, own)
  const [items, rounds, dispute, newest] = await Promise.all([
    listItems(db, own.swapId),
    listRounds(db, own.swapId),
    findDispute(db, own.swapId),
    findLines(db, own.swapId, { limit: lines }),
  ])
  return { ...entry, items, rounds, dispute, lines: newest }
}

/** The caller has checked that they may be shown. */
export async function findRecords(db: Db | Tx, swapId: number): Promise<SwapRecords> {
  return { rounds: await listRounds(db, swapId), dispute: await findDispute(db, swapId) }
}

/** Neither side is purged before `tx` ends. Waits for a purge that has begun. */
export function keepSides(tx: Tx, swapId: number): Promise<void> {
  return lockSides(tx, swapId)
}

export function presentSwap(work: Work, { swap_id: swapId }: Pick<Swap, 'swap_id'>): Promise<SwapEntry> {
  return findOwnSwap(work.tx, { userId: callerId(work), swapId })
}

async function findOwnSwap(db: Db | Tx, { userId, swapId }: Own): Promise<SwapEntry> {
  return toEntry(existing(await findEntry(db, userId, swapId), 'This swap'))
}

function toEntry(row: EntryRow): SwapEntry {
  const facts = toFacts(row)
  const confirmed = { me: facts.confirmed[row.side], other: facts.confirmed[otherSide(row.side)] }
  return {
    ...row,
    moves: listMoves(facts, row.side, row.is_blocked),
    canMessage: isChatOpen(row.status, { isOtherGone: row.other === null, isBlocked: row.is_blocked }),
    isMyTurn: isTurnOf(facts, row.side),
    confirmed,
  }
}
