import type { Db, Tx } from '../../platform/db/connect.ts'
import type { SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import { errors, existing } from '../../platform/shared/errors.ts'
import { refuseFaultyText } from '../../platform/shared/plain-text.ts'
import { OPEN_SWAP } from '../../platform/shared/words.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { countLines } from '../../push/badges/badges.ts'
import { openSwap } from '../../push/inbox/reading.ts'
import { publish } from '../events/publish.ts'
import {
  countUnanswered,
  deleteUserSides,
  haveAgreed,
  insertLine,
  isSwapSide,
  listLines,
  lockChat,
  markRead,
  type ChatFacts,
  type ChatLine,
  type LinesRequest,
} from './chat.queries.ts'

/** How many lines a requester may write before the other side answers for the first time. */
export const LINES_TO_STRANGERS = 10
const STRANGERS_RETRY_SECONDS = 3_600

const HAS_CHAT: readonly SwapStatus[] = [...OPEN_SWAP, 'completed']

/** Writes to the other side of a swap (spec: new message); the push does not repeat the text. 409 INVALID_STATE when
 * the chat is over or across a block, 429 after ten lines to a stranger. */
export async function sendSwapMessage(
  work: Work,
  { swapId, text }: { swapId: number; text: string },
): Promise<ChatLine> {
  refuseFaultyText({ text }, 'lines')
  const { tx } = work
  const senderId = callerId(work)
  const chat = existing(await lockChat(tx, swapId, senderId), 'This swap')
  const receiverId = chat.other_id
  // One sentence for all reasons: a block is not told.
  if (receiverId === null || !isChatOpen(chat.status, { isOtherGone: chat.is_other_gone, isBlocked: chat.is_blocked }))
    throw errors.invalidState('The conversation has ended.')
  const at = work.now()
  const swap_message_id = await insertLine(tx, { swapId, senderId, receiverId, text, at })
  const facts = { swapId, messageId: swap_message_id }
  await publish(work, [{ name: 'swap.message', facts, by: senderId, recipients: [receiverId] }])
  await countLines(work, receiverId, 1)
  // This comes after the receiver's count, whose row serializes lines to one person in several chats.
  await refuseTooManyLines(tx, chat, { senderId, receiverId })
  return { swap_message_id, swap_id: swapId, sender_id: senderId, body: text, read_at: null, created_at: at }
}

export function isChatOpen(status: SwapStatus, other: { isOtherGone: boolean; isBlocked: boolean }): boolean {
  return HAS_CHAT.includes(status) && !other.isOtherGone && !other.isBlocked
}

/** 429 unless the receiver has answered in this chat with a line or a move, or has agreed with the sender before. */
async function refuseTooManyLines(
  tx: Tx,
  chat: ChatFacts,
  { senderId, receiverId }: { senderId: number; receiverId: number },
): Promise<void> {
  const isAnswered = !chat.is_requester || chat.has_received || chat.responded_at !== null
  if (isAnswered || (await countUnanswered(tx, senderId, receiverId)) <= LINES_TO_STRANGERS) return
  if (await haveAgreed(tx, senderId, receiverId)) return
  throw errors.rateLimited(
    STRANGERS_RETRY_SECONDS,
    `Wait for an answer: you may write ${LINES_TO_STRANGERS} messages to a person you have not swapped with before they answer.`,
  )
}

export async function readChat(
  db: Db,
  { swapId, userId, ...request }: LinesRequest & { swapId: number; userId: number },
): Promise<ChatLine[]> {
  if (!(await isSwapSide(db, swapId, userId))) throw errors.notFound('This swap')
  return listLines(db, swapId, request)
}

/** The caller has made sure that the lines may be read. */
export function findLines(db: Db | Tx, swapId: number, request: LinesRequest): Promise<ChatLine[]> {
  return listLines(db, swapId, request)
}

/** Marks the lines received up to one as read. Safe to repeat. 404 for strangers. */
export async function readUpTo(
  work: Work,
  { swapId, messageId }: { swapId: number; messageId: number },
): Promise<{ swapId: number; unread: number }> {
  const userId = callerId(work)
  if (!(await isSwapSide(work.tx, swapId, userId))) throw errors.notFound('This swap')
  const { unread, marked } = await markRead(work.tx, { swapId, userId, upTo: messageId, at: work.now() })
  await openSwap(work, userId, { swapId, lines: marked })
  return { swapId, unread }
}

/** Forgets the chats of people who are purged (decision C7). */
export async function forgetInChats(tx: Tx, userIds: number[]): Promise<void> {
  await deleteUserSides(tx, userIds)
}
