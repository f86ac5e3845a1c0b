import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { say } from '../../../test/support/chats.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import type { Phone } from '../../../test/support/phone.ts'
import { givenPair, make, propose, type Entry } from '../../../test/support/swap-pair.ts'
import type { Service } from '../../../test/support/service.ts'

const SWAPS = '/api/v1/swaps'

describe('a list of conversations', () => {
  test('begins with the swap of the last move or line, page by page, whoever made it', async ({ service }) => {
    const { clock } = service
    const { mine, theirs, ids } = await givenSwaps(service, 5)
    expect(await readIds(mine, '?sort_by=activity')).toEqual(ids.toReversed())
    await clock.tick(1_000)
    const since = new Date(clock.now()).toISOString()
    await say(theirs, `${SWAPS}/${ids[1]}/messages`, 'Hello')
    await clock.tick(1_000)
    await make(ids[3]!, [theirs, 'decline'])
    const order = [ids[3], ids[1], ids[4], ids[2], ids[0]]
    for (const phone of [mine, theirs]) {
      expect(await readIds(phone, '?sort_by=activity')).toEqual(order)
      expect(await readPages(phone, '?sort_by=activity&limit=2')).toEqual(order)
      expect(await readIds(phone)).toEqual(ids.toReversed())
      expect(await readIds(phone, `?sort_by=activity&updated_since=${since}`)).toEqual([ids[3], ids[1]])
      expect(await readIds(phone, `?updated_since=${since}`)).toEqual([ids[3], ids[1]])
      expect(await readIds(phone, '?sort_by=activity&state=open')).toEqual([ids[1], ids[4], ids[2], ids[0]])
    }
    const [first] = (await mine.get<Entry[]>(`${SWAPS}?sort_by=activity`)).json.data
    expect(first).toMatchObject({ active_at: new Date(clock.now()).toISOString() })
  })

  test('may be of those alone that the caller has not read', async ({ service }) => {
    const { mine, theirs, ids } = await givenSwaps(service, 3)
    const line = await say(theirs, `${SWAPS}/${ids[1]}/messages`, 'Hello')
    for (const sort of ['created', 'activity']) {
      expect(await readIds(mine, `?unread=true&sort_by=${sort}`)).toEqual([ids[1]])
      expect(await readIds(theirs, `?unread=true&sort_by=${sort}`)).toEqual([])
      expect(await readIds(theirs, `?unread=false&sort_by=${sort}`)).toHaveLength(3)
    }
    await mine.post(`${SWAPS}/${ids[1]}/read`, { message_id: line.id })
    expect(await readIds(mine, '?unread=true')).toEqual([])
  })

  test('takes no moment that is none, and no cursor of the other order', async ({ service }) => {
    const { mine } = await givenSwaps(service, 3)
    for (const moment of ['yesterday', '2026-11-25', '2026-13-01T00:00:00Z', '2016-12-31T23:59:60Z'])
      await expectRefusal(mine, `updated_since=${moment}`, 'updated_since')
    const { next_cursor: cursor } = (await mine.get(`${SWAPS}?limit=1`)).json
    await expectRefusal(mine, `sort_by=activity&cursor=${cursor}`, 'cursor')
  })
})

async function expectRefusal(phone: Phone, query: string, field: string): Promise<void> {
  const { status, json } = await phone.get(`${SWAPS}?${query}`)
  expect([query, status, Object.keys(json.errors ?? {})]).toEqual([query, 422, [field]])
}

/** Swaps of two people, proposed a second apart. */
async function givenSwaps(service: Service, count: number) {
  const { requester, owner, mine, theirs } = await givenPair(service)
  const ids: number[] = []
  for (let swap = 0; swap < count; swap++) {
    const [offered, requested] = [await givenProduct(service.deps, requester), await givenProduct(service.deps, owner)]
    ids.push(await propose(mine, [offered], [requested]))
    await service.clock.tick(1_000)
  }
  return { mine, theirs, ids }
}

async function readIds(phone: Phone, query = ''): Promise<number[]> {
  return (await phone.get<Entry[]>(`${SWAPS}${query}`)).json.data.map(({ id }) => id)
}

async function readPages(phone: Phone, query: string): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | null | undefined = ''
  while (typeof cursor === 'string') {
    const page: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { json } = await phone.get<Entry[]>(`${SWAPS}${query}${page}`)
    ids.push(...json.data.map(({ id }) => id))
    cursor = json.next_cursor
  }
  return ids
}
