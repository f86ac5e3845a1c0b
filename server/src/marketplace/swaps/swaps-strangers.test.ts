// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { limited } from '../../../test/support/limits.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { openPhone } from '../../../test/support/phone.ts'
import { givenPair, make, propose, type Entry } from '../../../test/support/swap-pair.ts'

describe('a block between the sides', () => {
  test('hides the products of the other as if there were none, in both directions', async ({ service }) => {
    const { requester, owner, offered, requested, mine } = await givenPair(service)
    const none = await mine.post('/api/v1/swaps', { offered: [offered], requested: [999_999_999] })
    await openPhone(service, owner).post(`/api/v1/users/${requester.userId}/block`)
    const answer = await mine.post('/api/v1/swaps', { offered: [offered], requested: [requested] })
    expect(answer.status).toBe(422)
    expect(answer.json.errors).toEqual({ requested: [`no such product: ${requested}`] })
    expect(none.json.errors).toEqual({ requested: ['no such product: 999999999'] })
    const back = await openPhone(service, owner).post('/api/v1/swaps', { offered: [requested], requested: [offered] })
    expect(back.status).toBe(422)
  })

  test('stops proposals, acceptance and messages; the way out stays open', async ({ service }) => {
    for (const [status, allowed] of [
      ['pending', { owner: ['decline'], requester: ['withdraw'] }],
      ['accepted', { owner: ['confirm', 'cancel', 'dispute'], requester: ['confirm', 'cancel', 'dispute'] }],
    ] as const) {
      const { requester, owner, offered, requested, mine, theirs } = await givenPair(service)
      const id = await propose(mine, [offered], [requested])
      if (status === 'accepted') await make(id, [theirs, 'accept'])
      await openPhone(service, requester).post(`/api/v1/users/${owner.userId}/block`)
      for (const [phone, side] of [
        [mine, 'requester'],
        [theirs, 'owner'],
      ] as const) {
        const { data } = (await phone.get<Entry>(`/api/v1/swaps/${id}`)).json
        expect(data).toMatchObject({ moves: allowed[side], can_message: false })
        expect((await phone.post(`/api/v1/swaps/${id}/messages`, { text: 'Hello?' })).json).toMatchObject({
          code: 'INVALID_STATE',
          error: 'The conversation has ended.',
        })
      }
      const counter = { offered: [offered], requested: [requested] }
      expect((await theirs.post(`/api/v1/swaps/${id}/counter`, counter)).status).toBe(409)
      expect((await theirs.post(`/api/v1/swaps/${id}/accept`)).status).toBe(409)
      await make(id, status === 'pending' ? [theirs, 'decline'] : [mine, 'cancel'])
    }
  })
})

describe('proposals', () => {
  test('to strangers are five an hour, and refused ones do not count; to acquaintances more', async ({ service }) => {
    const { deps, given } = service
    const { app } = await limited(deps)
    const { requester, owner, offered, requested, theirs } = await givenPair(service)
    const mine = openPhone({ app }, requester)
    const known = await propose(mine, [offered], [requested])
    await make(known, [theirs, 'accept'])
    const ask = async (wanted: number) =>
      mine.post('/api/v1/swaps', { offered: [await givenProduct(deps, requester)], requested: [wanted] })
    const stranger = async () => givenProduct(deps, await given.user())
    for (let n = 0; n < 8; n++) expect((await ask(999_999_999)).status).toBe(422)
    for (let n = 0; n < 4; n++) expect((await ask(await stranger())).status).toBe(201)
    const refused = await ask(await stranger())
    expect(refused.status).toBe(429)
    expect(refused.json.error).toContain('the limit `swap-stranger` allows 5 in 3600 s')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    for (let n = 0; n < 8; n++) expect((await ask(await givenProduct(deps, owner))).status).toBe(201)
  })
})
