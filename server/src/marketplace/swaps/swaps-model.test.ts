// For CI: random histories, or many who do the same at once.
import { array, assert, asyncProperty, constantFrom, nat, oneof, record, type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProduct, moveDueSwaps, productStates } from '../../../test/support/marketplace.ts'
import { openPhone } from '../../../test/support/phone.ts'
import type { Service } from '../../../test/support/service.ts'
import {
  addProposal,
  makeMove,
  listMoves,
  passTime,
  proposalAnswer,
  resolve,
  type Model,
  type ModelSwap,
} from '../../../test/support/swap-model.ts'
import { swapFaults } from '../../../test/support/swap-faults.ts'
import type { Entry } from '../../../test/support/swap-pair.ts'
import { refreshInsights } from '../../administration/insights/refresh.ts'
import { keepSwapTallies } from '../../administration/statistics/swap-summary.ts'

const DAY_MS = 86_400_000
const MOVES = ['counter', 'accept', 'accept', 'decline', 'withdraw', 'confirm', 'confirm', 'cancel', 'dispute'] as const

/** A call of somebody. Numbers choose among the existing records. */
type Deed =
  | { kind: 'propose'; who: number; whom: number; seed: number }
  | { kind: 'move'; who: number; swap: number; move: (typeof MOVES)[number]; seed: number; isRight: boolean }
  | { kind: 'resolve'; swap: number; resolution: 'completed' | 'cancelled' }
  | { kind: 'wait'; days: number }
  | { kind: 'say'; who: number; swap: number }

const person = nat({ max: 2 })
const some = nat({ max: 1_000 })
const proposals = record({ kind: constantFrom('propose' as const), who: person, whom: person, seed: some })
const moves = record({
  kind: constantFrom('move' as const),
  who: person,
  swap: some,
  move: constantFrom(...MOVES),
  seed: some,
  isRight: constantFrom(true, true, false),
})
const deeds: Arbitrary<Deed> = oneof(
  { weight: 4, arbitrary: proposals },
  { weight: 10, arbitrary: moves },
  {
    weight: 1,
    arbitrary: record({
      kind: constantFrom('resolve' as const),
      swap: some,
      resolution: constantFrom('completed', 'cancelled'),
    }),
  },
  { weight: 1, arbitrary: record({ kind: constantFrom('wait' as const), days: constantFrom(1, 7, 14) }) },
  { weight: 1, arbitrary: record({ kind: constantFrom('say' as const), who: person, swap: some }) },
)

/** Chance rarely gets as far as this. */
const CANCELLED: Deed[] = [
  { kind: 'propose', who: 0, whom: 1, seed: 1 },
  { kind: 'move', who: 1, swap: 0, move: 'accept', seed: 1, isRight: true },
  { kind: 'move', who: 0, swap: 0, move: 'cancel', seed: 1, isRight: true },
]

type World = { service: Service; model: Model; people: GivenUser[]; admin: GivenUser; done: Set<string> }

test('random histories of three people and the clock: every answer and every number is that of decision D', async ({
  service,
}) => {
  const done = new Set<string>()
  const since = service.clock.now()
  await assert(
    asyncProperty(array(deeds, { minLength: 15, maxLength: 40 }), async (history) => {
      const world = await givenWorld(service, done)
      for (const deed of history) await act(world, deed)
      await expectTruth(world)
    }),
    { numRuns: 40, examples: [[CANCELLED]] },
  )
  await expectInsights(service, since)
  for (const one of [
    '201 propose',
    '200 counter',
    '200 accept',
    '409 accept',
    '404 accept',
    '200 confirm',
    '200 cancel',
    '200 wait',
  ])
    expect([...done]).toContain(one)
})

/** Three people with three products each. */
async function givenWorld(service: Service, done: Set<string>): Promise<World> {
  const { deps, given, clock } = service
  const people = [await given.user(), await given.user(), await given.user()]
  const products: Model['products'] = new Map()
  for (const [owner, user] of people.entries())
    for (let n = 0; n < 3; n++) products.set(await givenProduct(deps, user), { owner, status: 'active' })
  const model = { now: clock.now(), products, swaps: [] }
  return { service, model, people, admin: await given.admin(), done }
}

async function act(world: World, deed: Deed): Promise<void> {
  const { model, done } = world
  if (deed.kind === 'wait') {
    await wait(world, deed.days)
    done.add('200 wait')
    return
  }
  if (deed.kind === 'propose') return propose(world, deed)
  const swap = model.swaps[deed.swap % Math.max(1, model.swaps.length)]
  if (swap === undefined) return
  if (deed.kind === 'resolve') {
    const payload = { resolution: deed.resolution, note: 'As seen.' }
    const url = `/api/admin/v1/swap/${swap.id}/resolve`
    const { status } = await openPhone(world.service, world.admin).post(url, payload)
    expect({ ...deed, status }).toEqual({ ...deed, status: resolve(model, swap, deed.resolution) })
    done.add(`${status} resolve`)
  } else if (deed.kind === 'say') await say(world, swap, deed.who)
  else await move(world, swap, deed)
}

async function propose({ service, model, people, done }: World, { who, whom, seed }: Deed & { kind: 'propose' }) {
  const sides = { offered: pick(model, who, seed), requested: pick(model, whom, seed >> 3) }
  const answer = await openPhone(service, people[who]!).post<Entry>('/api/v1/swaps', sides)
  const expected = proposalAnswer(model, who, sides)
  expect({ sides, status: answer.status }).toEqual({ sides, status: expected })
  if (expected === 201) addProposal(model, answer.json.data.id, who, sides)
  done.add(`${expected} propose`)
}

async function move({ service, model, people, done }: World, swap: ModelSwap, deed: Deed & { kind: 'move' }) {
  // Mostly somebody who may do it now, if anybody may.
  const able = [swap.requester, swap.owner].find((side) => listMoves(swap, side).includes(deed.move))
  const who = deed.isRight ? (able ?? deed.who) : deed.who
  const others = { offered: pick(model, swap.requester, deed.seed), requested: pick(model, swap.owner, deed.seed >> 3) }
  const sides = deed.seed % 2 === 0 ? others : { offered: swap.offered, requested: swap.requested }
  const payload = deed.move === 'counter' ? sides : deed.move === 'dispute' ? { reason: 'It is broken.' } : undefined
  const answer = await openPhone(service, people[who]!).post(`/api/v1/swaps/${swap.id}/${deed.move}`, payload)
  const expected = makeMove(model, swap, who, deed.move, sides)
  expect({ move: deed.move, status: answer.status }).toEqual({ move: deed.move, status: expected })
  done.add(`${expected} ${deed.move}`)
}

async function say({ service, people, done }: World, swap: ModelSwap, who: number) {
  const isOver = ['declined', 'withdrawn', 'expired', 'cancelled', 'invalidated'].includes(swap.status)
  const expected = who !== swap.requester && who !== swap.owner ? 404 : isOver ? 409 : 201
  const phone = openPhone(service, people[who]!)
  expect(await phone.post(`/api/v1/swaps/${swap.id}/messages`, { text: 'Hello' })).toMatchObject({ status: expected })
  done.add(`${expected} say`)
}

/** Sessions last 30 days, so everybody signs in again. */
async function wait({ service, model, people, admin }: World, days: number): Promise<void> {
  passTime(model, days * DAY_MS)
  await service.clock.setTime(model.now)
  await moveDueSwaps(service.deps)
  for (const user of [...people, admin]) {
    const { token } = await service.deps.sessions.open({ userId: user.userId })
    user.headers = { authorization: `Bearer ${token}` }
  }
}

/** One or two products of somebody. */
function pick({ products }: Model, owner: number, seed: number): number[] {
  const own = [...products].filter(([, product]) => product.owner === owner).map(([id]) => id)
  const first = seed % own.length
  return seed % 4 === 0 ? [own[first]!, own[(first + 1) % own.length]!] : [own[first]!]
}

/** What the app and the reports show is the model, and the rows contradict no truth. */
async function expectTruth({ service, model, people, admin }: World): Promise<void> {
  const { deps } = service
  for (const [place, user] of people.entries()) {
    const own = model.swaps.filter(({ requester, owner }) => requester === place || owner === place)
    const shown = (await openPhone(service, user).get<Entry[]>('/api/v1/swaps?limit=100')).json.data
    const expected = own.map((swap) => ({ id: swap.id, status: swap.status, moves: listMoves(swap, place) }))
    expect(shown.map(({ id, status, moves: allowed }) => ({ id, status, moves: allowed }))).toEqual(
      expected.toReversed(),
    )
    const url = `/api/admin/v1/report/transaction?user_id=${user.userId}`
    const { summary } = (await openPhone(service, admin).get(url)).json as unknown as { summary: Summary }
    expect(summary).toMatchObject({ total: own.length, by_status: toCounts(own) })
  }
  const ids = [...model.products.keys()]
  expect(await productStates(deps, ids)).toEqual(ids.map((id) => model.products.get(id)!.status))
  expect(await swapFaults(deps)).toEqual([])
}

type Summary = { total: number; by_status: Record<string, number> }

function toCounts(swaps: { status: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of swaps) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The summary of all swaps and the insights are counts of the rows, before and after the tallies are folded. */
async function expectInsights(service: Service, since: number): Promise<void> {
  const { deps, given, clock } = service
  const panel = openPhone(service, await given.admin())
  const { rows } = await deps.pool.query<{ status: string }>('select status from swaps')
  for (const fold of [async () => undefined, () => keepSwapTallies(deps)]) {
    await fold()
    const { summary } = (await panel.get('/api/admin/v1/report/transaction')).json as unknown as { summary: Summary }
    expect(summary).toMatchObject({ total: rows.length, by_status: toCounts(rows) })
  }
  await refreshInsights(deps)
  const range = `start_date=${toDay(since - DAY_MS)}&end_date=${toDay(clock.now())}&interval=month`
  for (const [insight, column] of [
    ['total-swap-requests-sent', 'created_at'],
    ['total-successful-swaps', 'completed_at'],
  ]) {
    const { data } = (await panel.get<{ totals: { value: number } }>(`/api/admin/v1/insight/${insight}?${range}`)).json
    const { rows: counted } = await deps.pool.query<{ n: number }>(`select count(${column})::int as n from swaps`)
    expect(data.totals.value).toBe(counted[0]?.n)
  }
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
