import type { Db, Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { findAccountById } from '../accounts/auth.queries.ts'
import { deleteBlock, insertBlock, hasBlock } from './blocks.queries.ts'

export type BlockState = { userId: number; isBlocked: boolean }

/** Decision E: swaps and chats that exist stay. Safe to repeat. */
export async function blockUser(work: Work, userId: number): Promise<BlockState> {
  const blocker_id = callerId(work)
  if (userId === blocker_id) throw errors.validation({ id: ['must belong to another person'] })
  if ((await findAccountById(work.tx, userId)) === undefined) throw errors.notFound('This user')
  await insertBlock(work.tx, { blocker_id, blocked_id: userId, created_at: work.now() })
  return { userId, isBlocked: true }
}

/** Safe to repeat, and for anyone, so that it tells nobody who exists. */
export async function unblockUser(work: Work, userId: number): Promise<BlockState> {
  await deleteBlock(work.tx, { blockerId: callerId(work), blockedId: userId })
  return { userId, isBlocked: false }
}

/** It looks at blocks in either direction. */
export function areBlocked(db: Db | Tx, two: readonly [number, number]): Promise<boolean> {
  return hasBlock(db, two)
}
