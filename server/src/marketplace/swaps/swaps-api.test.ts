import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct, givenProposal, moveDueSwaps } from '../../../test/support/marketplace.ts'
import { openPhone, type Phone } from '../../../test/support/phone.ts'
import { givenSwapWorld, createSwapCalls } from '../../../test/support/swap-calls.ts'
import { givenPair, make, propose, type Entry } from '../../../test/support/swap-pair.ts'

const DAY_MS = 24 * 3_600_000

type Screen = Entry & {
  items: Record<string, unknown>[]
  rounds: Record<string, unknown>[]
  dispute: Record<string, unknown> | null
  messages: { data: { text: string }[]; next_cursor: string | null }
}

async function idsIn(phone: Phone, state: string): Promise<number[]> {
  const { json } = await phone.get<Entry[]>(`/api/v1/swaps?state=${state}`)
  return json.data.map(({ id }) => id)
}

/** The ids in each of a person's lists. */
async function lists(phone: Phone): Promise<Record<string, number[]>> {
  const states = ['open', 'waiting_for_me', 'done']
  return Object.fromEntries(await Promise.all(states.map(async (state) => [state, await idsIn(phone, state)] as const)))
}

describe('a swap over HTTP', () => {
  test('is proposed, and each side sees the other, what is given, whose turn it is and its moves', async ({
    service,
  }) => {
    const { requester, owner, offered, requested, mine, theirs } = await givenPair(service)
    const proposal = { offered: [offered], requested: [requested], note: 'It would suit my lamp.' }
    const answer = await mine.post<Entry>('/api/v1/swaps', proposal)
    expect(answer).toMatchObject({ status: 201 })
    const swap = answer.json.data
    expect(swap).toMatchObject({
      status: 'pending',
      side: 'requester',
      turn: 'owner',
      is_my_turn: false,
      moves: ['withdraw'],
      can_message: true,
      other: { id: owner.userId, name: 'Olga', avatar_url: null, city: null, username: expect.any(String) },
      offered: { count: 1, title: 'A lamp', image_url: null },
      requested: { count: 1, title: 'A chair', image_url: 'https://img.example.com/1.png' },
      last_message: null,
      unread_count: 0,
      confirmed: { me: false, other: false },
    })
    expect(answer.headers['etag']).toBe('"v1"')
    const [theirEntry] = (await theirs.get<Entry[]>('/api/v1/swaps')).json.data
    expect(theirEntry).toMatchObject({
      id: swap.id,
      side: 'owner',
      is_my_turn: true,
      moves: ['counter', 'accept', 'decline'],
    })
    const screen = (await theirs.get<Screen>(`/api/v1/swaps/${swap.id}`)).json.data
    expect(screen.items).toEqual([
      { product_id: offered, side: 'offered', title: 'A lamp', image_url: null, status: 'active' },
      {
        product_id: requested,
        side: 'requested',
        title: 'A chair',
        image_url: 'https://img.example.com/1.png',
        status: 'active',
      },
    ])
    expect(screen.rounds).toMatchObject([{ round: 1, proposed_by: 'requester', note: 'It would suit my lamp.' }])
    expect(screen).toMatchObject({ dispute: null, messages: { data: [], next_cursor: null } })
    expect(JSON.stringify(screen)).not.toContain(requester.email)
  })

  test('goes from list to list as it waits for one side or the other, and ends', async ({ service }) => {
    const { offered, requested, mine, theirs } = await givenPair(service)
    const id = await propose(mine, [offered], [requested])
    expect(await lists(mine)).toEqual({ open: [id], waiting_for_me: [], done: [] })
    expect(await lists(theirs)).toEqual({ open: [id], waiting_for_me: [id], done: [] })
    const counter = { offered: [offered], requested: [requested] }
    expect((await theirs.post<Entry>(`/api/v1/swaps/${id}/counter`, counter)).json.data).toMatchObject({
      status: 'countered',
      round: 2,
      moves: ['withdraw'],
    })
    expect(await lists(mine)).toMatchObject({ waiting_for_me: [id] })
    expect(await lists(theirs)).toMatchObject({ waiting_for_me: [] })
    expect(await make(id, [mine, 'accept'])).toMatchObject({
      moves: ['confirm', 'cancel', 'dispute'],
      expires_at: null,
    })
    expect(await lists(mine)).toEqual({ open: [id], waiting_for_me: [], done: [] })
    expect(await make(id, [theirs, 'confirm'])).toMatchObject({ moves: ['dispute'], is_my_turn: false })
    expect(await lists(mine)).toEqual({ open: [id], waiting_for_me: [id], done: [] })
    expect(await make(id, [mine, 'confirm'])).toMatchObject({ status: 'completed', moves: [], is_my_turn: false })
    for (const phone of [mine, theirs]) expect(await lists(phone)).toEqual({ open: [], waiting_for_me: [], done: [id] })
  })

  test('is declined, withdrawn or cancelled, and then takes no other move', async ({ service }) => {
    const { offered, requested, mine, theirs } = await givenPair(service)
    for (const [moves, status] of [
      [[[theirs, 'decline']], 'declined'],
      [[[mine, 'withdraw']], 'withdrawn'],
      [
        [
          [theirs, 'accept'],
          [mine, 'cancel'],
        ],
        'cancelled',
      ],
    ] as [[Phone, string][], string][]) {
      const id = await propose(mine, [offered], [requested])
      expect(await make(id, ...moves)).toMatchObject({ status, moves: [] })
      for (const move of ['accept', 'decline', 'withdraw', 'confirm', 'cancel'])
        expect((await mine.post(`/api/v1/swaps/${id}/${move}`)).json.code).toBe('INVALID_STATE')
    }
  })

  test('in dispute shows its reason to both sides, and only an administrator resolves it', async ({ service }) => {
    const { offered, requested, mine, theirs } = await givenPair(service)
    const id = await propose(mine, [offered], [requested])
    await make(id, [theirs, 'accept'])
    const dispute = (payload: object) => mine.post<Entry>(`/api/v1/swaps/${id}/dispute`, payload)
    for (const payload of [{}, { reason: ' ' }, { reason: 'x'.repeat(1_001) }])
      expect((await dispute(payload)).json.errors).toHaveProperty('reason')
    expect((await dispute({ reason: 'The chair\nhas three legs.' })).json.data).toMatchObject({
      status: 'disputed',
      moves: [],
    })
    for (const phone of [mine, theirs]) {
      const screen = (await phone.get<Screen>(`/api/v1/swaps/${id}`)).json.data
      expect(screen.dispute).toMatchObject({
        side: 'requester',
        reason: 'The chair\nhas three legs.',
        resolution: null,
      })
    }
    expect((await theirs.post(`/api/v1/swaps/${id}/confirm`)).json.code).toBe('INVALID_STATE')
  })

  test('is 404 for everybody else, on every route', async ({ service }) => {
    const person = await service.given.user()
    const stranger = await service.given.user()
    const calls = Object.entries(createSwapCalls(await givenSwapWorld(service, person)))
    const asked = calls.filter(([name]) => name.includes('/api/v1/swaps/:id'))
    expect(asked.length).toBeGreaterThanOrEqual(11)
    for (const [name, { method, url, payload }] of asked) {
      const answer = await service.app.inject({ method, url, headers: stranger.headers, ...(payload && { payload }) })
      expect({ name, ...answer.json() }).toMatchObject({ name, code: 'NOT_FOUND', error: 'This swap does not exist.' })
    }
    expect((await openPhone(service, stranger).get<Entry[]>('/api/v1/swaps')).json.data).toEqual([])
  })

  test('is refused with the field that is wrong, and nothing is stored', async ({ service }) => {
    const { requester, owner, offered, requested, mine } = await givenPair(service)
    const another = await givenProduct(service.deps, await service.given.user())
    const many = Array.from({ length: 21 }, (_, n) => n + 1)
    for (const [proposal, field] of [
      [{ offered: [], requested: [requested] }, 'offered'],
      [{ offered: many, requested: [requested] }, 'offered'],
      [{ offered: [offered, offered], requested: [requested] }, 'offered'],
      [{ offered: [offered], requested: [offered] }, 'requested'],
      [{ offered: [offered], requested: [requested, another] }, 'requested'],
      [{ offered: [requested], requested: [requested] }, 'offered'],
      [{ offered: [offered], requested: [999_999_999] }, 'requested'],
      [{ offered: [offered], requested: [requested], note: '\u202Efoo' }, 'note'],
      [{ offered: [offered], requested: [requested], group_id: 999_999_999 }, 'group_id'],
      [{ offered: [offered], requested: [requested], status: 'accepted' }, 'status'],
    ] as const) {
      const answer = await mine.post('/api/v1/swaps', proposal)
      expect({ proposal, status: answer.status }).toEqual({ proposal, status: 422 })
      expect(answer.json.errors).toHaveProperty(field)
    }
    const people = [requester.userId, owner.userId]
    const stored = service.deps.db.selectFrom('swaps').select('swap_id').where('requester_id', 'in', people)
    expect(await stored.execute()).toEqual([])
  })

  test('that changed since it was seen is not accepted: 412 with the swap as it is', async ({ service }) => {
    const { offered, requested, mine, theirs } = await givenPair(service)
    const id = await propose(mine, [offered], [requested])
    const counter = { offered: [offered], requested: [requested] }
    await theirs.post(`/api/v1/swaps/${id}/counter`, counter)
    await mine.post(`/api/v1/swaps/${id}/counter`, counter)
    const stale = await theirs.post<Entry>(`/api/v1/swaps/${id}/accept`, undefined, { 'if-match': '"v1"' })
    expect(stale).toMatchObject({ status: 412 })
    expect(stale.json.data).toMatchObject({
      id,
      side: 'owner',
      round: 3,
      version: 3,
      moves: ['counter', 'accept', 'decline'],
    })
    const seen = await theirs.post<Entry>(`/api/v1/swaps/${id}/accept`, undefined, { 'if-match': '"v3"' })
    expect(seen.json.data).toMatchObject({ status: 'accepted', version: 4 })
  })

  test('moves by the clock: a proposal expires, and what one side confirmed is completed', async ({ service }) => {
    const { deps, clock } = service
    const { offered, requested, mine, theirs } = await givenPair(service)
    const expiring = await propose(mine, [offered], [requested])
    const agreed = await givenProposal(service)
    const [one, other] = [openPhone(service, agreed.requester), openPhone(service, agreed.owner)]
    await make(agreed.swapId, [other, 'accept'], [one, 'confirm'])
    await clock.setTime(clock.now() + 7 * DAY_MS)
    await moveDueSwaps(deps)
    expect((await mine.get<Entry>(`/api/v1/swaps/${expiring}`)).json.data).toMatchObject({
      status: 'expired',
      moves: [],
    })
    expect((await theirs.post(`/api/v1/swaps/${expiring}/accept`)).json.code).toBe('INVALID_STATE')
    expect((await other.get<Entry>(`/api/v1/swaps/${agreed.swapId}`)).json.data).toMatchObject({ is_my_turn: true })
    const page = await other.get(`/api/v1/products/${agreed.requested}`)
    expect(page.json.data).toMatchObject({ my_open_swaps: [{ transaction_id: agreed.swapId, is_my_turn: true }] })
    await clock.setTime(clock.now() + 7 * DAY_MS)
    await moveDueSwaps(deps)
    expect((await other.get<Entry>(`/api/v1/swaps/${agreed.swapId}`)).json.data).toMatchObject({
      status: 'completed',
      confirmed: { me: true, other: true },
    })
    expect((await other.post(`/api/v1/swaps/${agreed.swapId}/dispute`, { reason: 'Too late' })).status).toBe(409)
  })

  test('is listed by pages that a new swap does not shift', async ({ service }) => {
    const { requester, requested, mine, theirs } = await givenPair(service)
    const add = async () => {
      const id = await propose(mine, [await givenProduct(service.deps, requester)], [requested])
      await make(id, [mine, 'withdraw'])
      return id
    }
    const ids = [await add(), await add(), await add(), await add(), await add()].toReversed()
    const first = await theirs.get<Entry[]>('/api/v1/swaps?limit=2&state=done')
    await add()
    const second = await theirs.get<Entry[]>(`/api/v1/swaps?limit=2&state=done&cursor=${first.json.next_cursor}`)
    const third = await theirs.get<Entry[]>(`/api/v1/swaps?limit=2&state=done&cursor=${second.json.next_cursor}`)
    expect([first, second, third].flatMap(({ json }) => json.data.map(({ id }) => id))).toEqual(ids)
    expect(third.json.next_cursor).toBeNull()
    expect((await theirs.get('/api/v1/swaps?state=lost')).json.errors).toHaveProperty('state')
    expect((await theirs.get('/api/v1/swaps?cursor=abc')).json.errors).toHaveProperty('cursor')
  })
})
