import { expect } from 'vitest'
import { carryOutDueDecisions } from '../../server/src/administration/cases/decisions.ts'
import type { Service } from '../../server/test/support/service.ts'

/** A product that waits for its verification; gives its id. */
export async function givenWaitingProduct({ deps, given }: Service, title: string): Promise<number> {
  const { userId } = await given.user()
  const { category_id } = await deps.db
    .insertInto('categories')
    .values({ slug: `games-${userId}`, name: 'Games' })
    .returning('category_id')
    .executeTakeFirstOrThrow()
  const at = new Date(deps.clock.now())
  const product = { user_id: userId, category_id, title, description: 'As new', condition: 'good' as const }
  const { product_id } = await deps.db
    .insertInto('products')
    .values({
      ...product,
      images: JSON.stringify([]),
      status: 'active',
      submitted_at: at,
      created_at: at,
      updated_at: at,
    })
    .returning('product_id')
    .executeTakeFirstOrThrow()
  return product_id
}

/** Waits until this many decisions are stored and wait: the panel shows them a moment before. */
export async function untilWaiting({ deps }: Service, count: number): Promise<void> {
  const waiting = deps.db.selectFrom('desk_decisions').select('decision_id').where('status', '=', 'waiting')
  await expect.poll(() => waiting.execute()).toHaveLength(count)
}

/** The five seconds of all decisions pass. */
export async function passTime(service: Service): Promise<void> {
  await untilWaiting(service, 1)
  const { clock, deps } = service
  await clock.tick(5_000)
  await carryOutDueDecisions(deps)
}
