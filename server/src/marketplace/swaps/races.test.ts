// Slow: many costly requests, or long data.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { automaticMessages, givenProduct, givenProposal, moveDueSwaps } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { toRandom, type Random } from '../../../test/support/random.ts'
import type { Deps } from '../../deps.ts'
import { invalidateSwaps } from './invalidate.ts'
import { counterSwap, moveSwap, type PersonalMove } from './move.ts'
import { requestSwap } from './propose.ts'
import { commitAs } from '../../../test/support/commit.ts'

const AT_ONCE = 50
const DAY_MS = 24 * 3_600_000

describe('fifty at once', () => {
  test('accept swaps of one product: one wins, the others learn that it is no longer available', async ({
    service,
  }) => {
    const { deps, given } = service
    const owner = await given.user()
    const wanted = await givenProduct(deps, owner)
    const swapIds: number[] = []
    for (let i = 0; i < AT_ONCE; i++) {
      const requester = await given.user()
      const proposal = { offered: [await givenProduct(deps, requester)], requested: [wanted] }
      swapIds.push((await commitAs(requester, deps, requestSwap, { proposal })).swap_id)
    }
    const outcomes = await countOutcomes(
      swapIds.map((swapId) => () => commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })),
    )
    expect(outcomes).toEqual({ done: 1, INVALID_STATE: AT_ONCE - 1 })
    expect(await faults(deps)).toEqual([])
    const { rows } = await deps.pool.query('select count(*) as n from swap_items where is_held and product_id = $1', [
      wanted,
    ])
    expect(rows).toEqual([{ n: 1 }])
  })

  test('accept one swap: it is accepted once, with one event and one push', async ({ service }) => {
    const { deps } = service
    const { owner, swapId } = await givenProposal(service)
    const outcomes = await countOutcomes(
      Array.from({ length: AT_ONCE }, () => () => commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })),
    )
    expect(outcomes).toEqual({ done: 1, INVALID_STATE: AT_ONCE - 1 })
    expect(await listRecipients(deps, swapId, 'accepted')).toBe(1)
  })

  test('ask for one product by the same person: one proposal is made', async ({ service }) => {
    const { deps, given } = service
    const [requester, owner] = [await given.user(), await given.user()]
    const proposal = { offered: [await givenProduct(deps, requester)], requested: [await givenProduct(deps, owner)] }
    const outcomes = await countOutcomes(
      Array.from({ length: AT_ONCE }, () => () => commitAs(requester, deps, requestSwap, { proposal })),
    )
    expect(outcomes).toEqual({ done: 1, DUPLICATE: AT_ONCE - 1 })
    const { rows } = await deps.pool.query('select 1 from swaps where requester_id = $1', [requester.userId])
    expect(rows).toHaveLength(1)
  })

  test('confirm from both sides: the swap is completed once', async ({ service }) => {
    const { deps } = service
    const { requester, owner, swapId } = await givenProposal(service)
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    const outcomes = await countOutcomes(
      Array.from(
        { length: AT_ONCE },
        (_, i) => () => commitAs(i % 2 === 0 ? owner : requester, deps, moveSwap, { swapId, move: 'confirm' }),
      ),
    )
    expect(outcomes).toEqual({ done: 2, INVALID_STATE: AT_ONCE - 2 })
    expect(await listRecipients(deps, swapId, 'completed')).toBe(1)
    expect(await faults(deps)).toEqual([])
  })

  test('do any moves with swaps of the same few products: no deadlock, and all invariants hold', async ({
    service,
  }) => {
    const { deps } = service
    const people = await givenCrowd(service)
    const { userId: adminId } = await service.given.admin()
    const before = await deadlocks(deps)
    const [done, unexpected]: [string[], unknown[]] = [[], []]
    const doOne = async (n: number) => {
      const random = toRandom(n, 'swaps')
      const [deed, run] = await chooseDeed(deps, { people, adminId, random })
      await run().then(
        () => done.push(deed),
        (error: { status?: number }) =>
          error.status !== undefined && error.status < 500 ? undefined : unexpected.push(error),
      )
    }
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => doOne(round * AT_ONCE + i)))
      expect(await faults(deps)).toEqual([])
    }
    expect(unexpected).toEqual([])
    expect(await deadlocks(deps)).toBe(before)
    expect(new Set(done).size).toBeGreaterThanOrEqual(7)
  })
})

type Person = { userId: number; products: number[] }

/** Eight people with four products each. */
function givenCrowd({ deps, given }: Service): Promise<Person[]> {
  return Promise.all(
    Array.from({ length: 8 }, async () => {
      const person = await given.user()
      return { userId: person.userId, products: await Promise.all([1, 2, 3, 4].map(() => givenProduct(deps, person))) }
    }),
  )
}

type World = { people: Person[]; adminId: number; random: Random }
type Deed = [name: string, run: () => Promise<unknown>]

/** Something that somebody does with one of the swaps that are open now. */
async function chooseDeed(deps: Deps, { people, adminId, random }: World): Promise<Deed> {
  const [requester, owner] = random.some(people, 2) as [Person, Person]
  const proposal = { offered: random.some(requester.products, 2), requested: random.some(owner.products, 1) }
  const ask: Deed = ['request', () => commitAs(requester, deps, requestSwap, { proposal })]
  const swap = await anOpenSwap(deps, random)
  if (swap === undefined || random.next() < 0.3) return ask
  const { swap_id: swapId, status } = swap
  const onTurn = { userId: (swap.turn === 'owner' ? swap.owner_id : swap.requester_id)! }
  const side = { userId: (random.next() < 0.5 ? swap.owner_id : swap.requester_id)! }
  const gone = random.next() < 0.5 ? { userIds: [side.userId] } : { productIds: swap.requested }
  const invalidation = { ...gone, reason: 'test', actor: 'administrator' } as const
  if (random.next() < 0.08)
    return ['invalidate', () => commitAs({ userId: adminId }, deps, invalidateSwaps, invalidation)]
  if (random.next() < 0.08) return ['by time', () => moveDueSwaps(random.next() < 0.2 ? later(deps) : deps)]
  if (status === 'disputed') {
    const admin = { userId: adminId }
    return ['resolve_as_cancelled', () => commitAs(admin, deps, moveSwap, { swapId, move: 'resolve_as_cancelled' })]
  }
  if (status === 'accepted') {
    const move = random.pick<PersonalMove>(['cancel', 'dispute', 'confirm', 'confirm'])
    return [move, () => commitAs(side, deps, moveSwap, { swapId, move })]
  }
  if (random.next() < 0.3)
    return [
      'counter',
      () =>
        commitAs(onTurn, deps, counterSwap, { swapId, proposal: { offered: swap.offered, requested: swap.requested } }),
    ]
  return ['accept', () => commitAs(onTurn, deps, moveSwap, { swapId, move: 'accept' })]
}

async function anOpenSwap({ db }: Deps, random: Random) {
  const open = await db
    .selectFrom('swaps')
    .innerJoin('swap_rounds', (join) =>
      join.onRef('swap_rounds.swap_id', '=', 'swaps.swap_id').onRef('swap_rounds.round', '=', 'swaps.round'),
    )
    .select(['swaps.swap_id', 'status', 'turn', 'requester_id', 'owner_id', 'offered', 'requested'])
    .where('status', 'in', ['pending', 'countered', 'accepted', 'disputed'])
    .orderBy('swaps.swap_id')
    .execute()
  return random.some(open, 1)[0]
}

function later(deps: Deps): Deps {
  return { ...deps, clock: { now: () => deps.clock.now() + 15 * DAY_MS } }
}

/** How many calls did it, and how many failed with which code. */
async function countOutcomes(calls: (() => Promise<unknown>)[]): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    calls.map((call) =>
      call().then(
        () => 'done',
        (error: { code?: string; message: string }) => error.code ?? error.message,
      ),
    ),
  )
  return Object.fromEntries(
    [...new Set(outcomes)].map((outcome) => [outcome, outcomes.filter((o) => o === outcome).length]),
  )
}

async function listRecipients(deps: Deps, swapId: number, status: string): Promise<number> {
  const told = await automaticMessages(deps)
  return told.filter(({ data }) => data['transaction_id'] === swapId && data['status'] === status).length
}

/** Reads the server's statistics; each session of the pool reports what it has counted first. */
async function deadlocks({ pool }: Deps): Promise<number> {
  await Promise.all(Array.from({ length: 16 }, () => pool.query('select pg_stat_force_next_flush(), pg_sleep(0.05)')))
  const { rows } = await pool.query('select deadlocks from pg_stat_database where datname = current_database()')
  return Number(rows[0]!.deadlocks)
}

/** What must hold of all swaps and their products at any time. */
async function faults({ pool }: Deps): Promise<unknown[]> {
  const { rows } = await pool.query(`
    select 'held without need' as fault, i.swap_id, i.product_id from swap_items i join swaps s using (swap_id)
      where i.is_held <> (s.status in ('accepted', 'disputed', 'completed'))
    union all select 'asked for without need', i.swap_id, i.product_id from swap_items i join swaps s using (swap_id)
      where (i.asked_by is not null) <> (s.status in ('pending', 'countered') and i.side = 'requested')
    union all select 'product and swap differ', s.swap_id, p.product_id from swap_items i join swaps s using (swap_id)
      join products p using (product_id)
      where i.is_held and p.status <> case s.status when 'completed' then 'swapped' else 'reserved' end
    union all select 'reserved for nothing', null, p.product_id from products p where p.status in ('reserved', 'swapped')
      and not exists (select 1 from swap_items i where i.product_id = p.product_id and i.is_held)
    union all select 'last event is not the state', s.swap_id, null from swaps s where s.status is distinct from (
      select to_state from state_changes c where c.entity = 'swap' and c.entity_id = s.swap_id order by state_change_id desc limit 1)
    union all select 'rounds', s.swap_id, null from swaps s where s.round <> (select count(*) from swap_rounds r where r.swap_id = s.swap_id)`)
  return rows
}
