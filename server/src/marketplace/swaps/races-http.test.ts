// Slow: random histories, or many who do the same at once.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { openPhone, type Phone } from '../../../test/support/phone.ts'
import type { Service } from '../../../test/support/service.ts'
import { swapFaults } from '../../../test/support/swap-faults.ts'
import { givenPair, propose, type Entry } from '../../../test/support/swap-pair.ts'

const AT_ONCE = 50
const PAIRS = 12
/** The same race in several pairs at once; gives the outcomes of each, in the order of its calls. */
async function race(service: Service, calls: (pair: Pair) => (() => Promise<string>)[], isAccepted = false) {
  return Promise.all(
    Array.from({ length: PAIRS }, async () => {
      const given = await givenPair(service)
      const id = await propose(given.mine, [given.offered], [given.requested])
      if (isAccepted) await move(given.theirs, id, 'accept')
      const outcomes = await Promise.all(calls({ ...given, id }).map((call) => call()))
      const swap = (await given.mine.get<Entry>(`/api/v1/swaps/${id}`)).json.data
      return { outcomes, status: swap.status }
    }),
  )
}

type Pair = Awaited<ReturnType<typeof givenPair>> & { id: number }

/** `done`, or the code of the refusal. */
async function move(phone: Phone, id: number, name: string, payload?: object): Promise<string> {
  const { json } = await phone.post(`/api/v1/swaps/${id}/${name}`, payload)
  return json.code ?? 'done'
}

describe('over HTTP, at the same moment', () => {
  test('fifty acceptances of one product: exactly one wins', async ({ service }) => {
    const { deps, given } = service
    const owner = await given.user()
    const wanted = await givenProduct(deps, owner)
    const theirs = openPhone(service, owner)
    const ids: number[] = []
    for (let n = 0; n < AT_ONCE; n++) {
      const requester = await given.user()
      ids.push(await propose(openPhone(service, requester), [await givenProduct(deps, requester)], [wanted]))
    }
    const outcomes = await Promise.all(ids.map((id) => move(theirs, id, 'accept')))
    expect(outcomes.toSorted()).toEqual([...Array<string>(AT_ONCE - 1).fill('INVALID_STATE'), 'done'])
    const { rows } = await deps.pool.query(
      `select status, count(*)::int as n from swaps where swap_id = any($1) group by 1 order by 1`,
      [ids],
    )
    expect(rows).toEqual([
      { status: 'accepted', n: 1 },
      { status: 'pending', n: AT_ONCE - 1 },
    ])
    expect(await swapFaults(deps)).toEqual([])
  })

  test('an acceptance and a withdrawal: one of them happens', async ({ service }) => {
    const races = await race(service, ({ mine, theirs, id }) => [
      () => move(theirs, id, 'accept'),
      () => move(mine, id, 'withdraw'),
    ])
    for (const { outcomes, status } of races)
      expect([
        [['done', 'INVALID_STATE'], 'accepted'],
        [['INVALID_STATE', 'done'], 'withdrawn'],
      ]).toContainEqual([outcomes, status])
    expect(await swapFaults(service.deps)).toEqual([])
  })

  test('a counter-proposal and an acceptance by the same side: the first counts', async ({ service }) => {
    const races = await race(service, ({ theirs, id, offered, requested }) => [
      () => move(theirs, id, 'counter', { offered: [offered], requested: [requested] }),
      () => move(theirs, id, 'accept'),
    ])
    for (const { outcomes, status } of races)
      expect([
        [['done', 'INVALID_STATE'], 'countered'],
        [['INVALID_STATE', 'done'], 'accepted'],
      ]).toContainEqual([outcomes, status])
    expect(await swapFaults(service.deps)).toEqual([])
  })

  test('confirmations of both sides, each twice: the swap is completed once', async ({ service }) => {
    const races = await race(
      service,
      ({ mine, theirs, id }) => [mine, theirs, mine, theirs].map((phone) => () => move(phone, id, 'confirm')),
      true,
    )
    for (const { outcomes, status } of races) {
      expect(outcomes.toSorted()).toEqual(['INVALID_STATE', 'INVALID_STATE', 'done', 'done'])
      expect(status).toBe('completed')
    }
    expect(await swapFaults(service.deps)).toEqual([])
  })

  test('an acceptance and the removal of its product: the swap never outlives the product', async ({ service }) => {
    const { deps } = service
    const panel = await givenPanel(service)
    const remove = (productId: number) => async () =>
      (await panel.delete(`/product/${productId}`)).statusCode === 200 ? 'done' : 'refused'
    const races = await race(service, ({ theirs, id, requested }) => [
      () => move(theirs, id, 'accept'),
      remove(requested),
    ])
    for (const { outcomes, status } of races) {
      expect(outcomes[1]).toBe('done')
      expect(['done', 'INVALID_STATE']).toContain(outcomes[0])
      expect(status).toBe('invalidated')
    }
    expect(await swapFaults(deps)).toEqual([])
  })

  test('a block and a proposal: a stored proposal was made before the block, and nothing follows it', async ({
    service,
  }) => {
    await Promise.all(
      Array.from({ length: PAIRS }, async () => {
        const { requester, offered, requested, mine, theirs } = await givenPair(service)
        const block = () => theirs.post(`/api/v1/users/${requester.userId}/block`)
        const ask = () => mine.post<Entry>('/api/v1/swaps', { offered: [offered], requested: [requested] })
        const [asked, blocked] = await Promise.all([ask(), block()])
        expect(blocked).toMatchObject({ status: 200 })
        expect([201, 422]).toContain(asked.status)
        if (asked.status === 201) {
          const { id } = asked.json.data
          expect(await move(theirs, id, 'accept')).toBe('INVALID_STATE')
          expect(await move(mine, id, 'messages', { text: 'Hello?' })).toBe('INVALID_STATE')
          expect(await move(mine, id, 'withdraw')).toBe('done')
        }
        expect((await ask()).status).toBe(422)
      }),
    )
    expect(await swapFaults(service.deps)).toEqual([])
  })
})
