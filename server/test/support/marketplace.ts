import type { Insertable } from 'kysely'
import type { Tables } from '../../src/platform/tables/schema.ts'
import type { Deps } from '../../src/deps.ts'
import { findHistory } from '../../src/marketplace/history/history.ts'
import { completeConfirmedSwaps, expireOldProposals } from '../../src/marketplace/swaps/due-moves.ts'
import { requestSwap } from '../../src/marketplace/swaps/propose.ts'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'
import { commitAs } from './commit.ts'

type ProductWishes = Partial<Insertable<Tables['products']>>

/** A stored product of somebody; only what a test cares about need be said. */
export async function givenProduct({ db, clock }: Deps, owner: GivenUser, wishes: ProductWishes = {}): Promise<number> {
  const now = new Date(clock.now())
  const { category_id } = await db
    .insertInto('categories')
    .values({ slug: 'things', name: 'Things' })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ name: 'Things' }))
    .returning('category_id')
    .executeTakeFirstOrThrow()
  const { product_id } = await db
    .insertInto('products')
    .values({
      user_id: owner.userId,
      category_id,
      title: 'A thing',
      description: 'It is a thing',
      condition: 'good',
      images: '[]',
      status: 'active',
      verification: 'verified',
      submitted_at: now,
      created_at: now,
      updated_at: now,
      ...wishes,
    })
    .returning('product_id')
    .executeTakeFirstOrThrow()
  return product_id
}

/** Two people with a product each, and a proposal of one to the other. */
export async function givenProposal({ deps, given }: Pick<Service, 'deps' | 'given'>) {
  const [requester, owner] = [await given.user({ devices: [{}] }), await given.user({ devices: [{}] })]
  const [offered, requested] = [await givenProduct(deps, requester), await givenProduct(deps, owner)]
  const proposal = { offered: [offered], requested: [requested] }
  const swap = await commitAs(requester, deps, requestSwap, { proposal })
  return { requester, owner, offered, requested, swapId: swap.swap_id }
}

/** What the service itself said, oldest first: to whom, with which data. */
export async function automaticMessages({ db }: Deps): Promise<{ to: number[]; data: Record<string, unknown> }[]> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('batches', 'batches.message_id', 'messages.message_id')
    .select(['messages.data', 'batches.user_ids'])
    .where('origin', '=', 'automatic')
    .orderBy('messages.created_at')
    .orderBy('messages.message_id')
    .execute()
  return rows.map((row) => ({ to: row.user_ids, data: row.data ?? {} }))
}

/** The states of products, in the order of these ids. */
export async function productStates({ db }: Deps, ids: number[]): Promise<string[]> {
  const rows = await db.selectFrom('products').select(['product_id', 'status']).where('product_id', 'in', ids).execute()
  return ids.map((id) => rows.find((row) => row.product_id === id)?.status ?? 'none')
}

/** The status of a swap. */
export async function swapStatus({ db }: Deps, swapId: number): Promise<string> {
  return (await db.selectFrom('swaps').select('status').where('swap_id', '=', swapId).executeTakeFirstOrThrow()).status
}

/** The states that a swap has been in, by its events. */
export async function swapEvents({ db }: Deps, swapId: number): Promise<string[]> {
  return (await findHistory(db, 'swap', swapId)).map((event) => event.to_state).toReversed()
}

/** What becomes of swaps by time. */
export async function moveDueSwaps(deps: Deps): Promise<void> {
  await expireOldProposals(deps)
  await completeConfirmedSwaps(deps)
}
