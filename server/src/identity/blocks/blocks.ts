import { errors } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { findAccountById } from '../accounts/accounts.queries.ts'
import { deleteBlock, insertBlock } from './blocks.queries.ts'

/** Decision E: swaps and chats that exist stay. Safe to repeat. Gives the id of the other. */
export async function blockUser(work: Work, userId: number): Promise<number> {
  const blocker_id = callerId(work)
  if (userId === blocker_id) throw errors.validation({ id: ['must belong to another person'] })
  if ((await findAccountById(work.tx, userId)) === undefined) throw errors.notFound('This user')
  await insertBlock(work.tx, { blocker_id, blocked_id: userId, created_at: work.now() })
  return userId
}

/** Safe to repeat, and for anyone, so that it tells nobody who exists. */
export async function unblockUser(work: Work, userId: number): Promise<number> {
  await deleteBlock(work.tx, { blockerId: callerId(work), blockedId: userId })
  return userId
}
