import type { IdentityDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { findAccountById } from '../accounts/auth.queries.ts'
import { deleteBlock, insertBlock, listBlockedAmong } from './blocks.queries.ts'

export type BlockState = { userId: number; isBlocked: boolean }

/** Decision E: swaps and chats that exist stay. Safe to repeat. */
export async function blockUser(
  { clock }: Pick<IdentityDeps, 'clock'>,
  tx: Tx,
  { userId, otherId }: { userId: number; otherId: number },
): Promise<BlockState> {
  if (userId === otherId) throw errors.validation({ id: ['must belong to another person'] })
  if ((await findAccountById(tx, otherId)) === undefined) throw errors.notFound('This user')
  await insertBlock(tx, userId, otherId, fromNow(clock))
  return { userId: otherId, isBlocked: true }
}

/** Safe to repeat, and for anyone, so that it tells nobody who exists. */
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

/** It looks at blocks in either direction. */
export async function blockedAmong(db: Db | Tx, userId: number, others: number[]): Promise<Set<number>> {
  return new Set(others.length === 0 ? [] : await listBlockedAmong(db, userId, others))
}
