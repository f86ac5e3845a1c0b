import type { Deps } from '../../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { findAccountById } from '../accounts/auth.queries.ts'
import { deleteBlock, insertBlock, listBlockedAmong } from './blocks.queries.ts'

/** What a person decided about another: `isBlocked` after the call. */
export type BlockState = { userId: number; isBlocked: boolean }

/**
 * Blocks a person (decision E). From then on neither sees, writes to, or is told of the other. Swaps and chats that
 * exist stay. Safe to repeat. 404 for an account that is not there or deleted, 422 for oneself.
 */
export async function blockUser(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { userId, otherId }: { userId: number; otherId: number },
): Promise<BlockState> {
  if (userId === otherId) throw errors.validation({ id: ['must be another person’s'] })
  if ((await findAccountById(tx, otherId)) === undefined) throw errors.notFound('This user')
  await insertBlock(tx, userId, otherId, fromNow(clock))
  return { userId: otherId, isBlocked: true }
}

/** Takes back a block of one’s own. Safe to repeat, and for anyone, so that it tells nobody who exists. */
export async function unblockUser(
  tx: Tx,
  { userId, otherId }: { userId: number; otherId: number },
): Promise<BlockState> {
  await deleteBlock(tx, userId, otherId)
  return { userId: otherId, isBlocked: false }
}

export async function areBlocked(db: Db | Tx, userId: number, otherId: number): Promise<boolean> {
  return (await blockedAmong(db, userId, [otherId])).has(otherId)
}

/** Of `others`, those who block the user or whom the user blocks. */
export async function blockedAmong(db: Db | Tx, userId: number, others: number[]): Promise<Set<number>> {
  return new Set(others.length === 0 ? [] : await listBlockedAmong(db, userId, others))
}
