// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import { assert, asyncProperty, array, constantFrom, integer, record } from 'fast-check'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { chatFaults, givenChat, say, type Message } from '../../../test/support/chats.ts'
import { openPhone, type Phone } from '../../../test/support/phone.ts'

type Entry = { unread_count: number; last_message: Message | null }

async function readUnread(phone: Phone, swapId: number): Promise<number> {
  return (await phone.get<Entry>(`/api/v1/swaps/${swapId}`)).json.data.unread_count
}

describe('a chat', () => {
  test('shows what each side said, what is unread, and what the other has read', async ({ service }) => {
    const { swapId, mine, theirs, messages, requester } = await givenChat(service)
    const first = await say(mine, messages, 'Is it blue?')
    expect(first).toEqual({
      id: expect.any(Number),
      transaction_id: swapId,
      sender_id: requester.userId,
      text: 'Is it blue?',
      is_read: false,
      created_at: expect.any(String),
    })
    const second = await say(mine, messages, 'Or green?\nEither is fine.')
    expect([await readUnread(mine, swapId), await readUnread(theirs, swapId)]).toEqual([0, 2])
    const [entry] = (await theirs.get<Entry[]>('/api/v1/swaps')).json.data
    expect(entry).toMatchObject({ unread_count: 2, last_message: { id: second.id, text: second.text } })

    const read = (phone: Phone, id: number) => phone.post(`/api/v1/swaps/${swapId}/read`, { message_id: id })
    expect((await read(theirs, first.id)).json.data).toEqual({ transaction_id: swapId, unread_count: 1 })
    const { data } = (await mine.get<Message[]>(messages)).json
    expect(data.map(({ id, is_read }) => [id, is_read])).toEqual([
      [second.id, false],
      [first.id, true],
    ])
    expect((await read(theirs, Number.MAX_SAFE_INTEGER)).json.data).toMatchObject({ unread_count: 0 })
    // A later line is unread, whatever was asked for; and an earlier mark takes nothing back.
    await say(mine, messages, 'Hello?')
    expect(await readUnread(theirs, swapId)).toBe(1)
    expect((await read(theirs, first.id)).json.data).toMatchObject({ unread_count: 1 })
    // Reading does not mark the lines of the other side.
    expect((await read(mine, Number.MAX_SAFE_INTEGER)).json.data).toMatchObject({ unread_count: 0 })
    expect(await readUnread(theirs, swapId)).toBe(1)
    expect(await chatFaults(service.deps)).toEqual([])
  })

  test('takes no line for somebody who is gone, as its screen says', async ({ service }) => {
    const { swapId, mine, theirs, messages, owner } = await givenChat(service)
    const gone = { deleted_at: new Date(service.clock.now()) }
    for (const [phone, move] of [
      [theirs, 'accept'],
      [theirs, 'confirm'],
      [mine, 'confirm'],
    ] as const)
      expect(await phone.post(`/api/v1/swaps/${swapId}/${move}`)).toMatchObject({ status: 200 })
    await say(mine, messages, 'Thank you!')
    await service.deps.db.updateTable('users').set(gone).where('user_id', '=', owner.userId).execute()
    expect((await mine.get(`/api/v1/swaps/${swapId}`)).json.data).toMatchObject({ can_message: false, other: null })
    expect(await mine.post(messages, { text: 'Hello?' })).toMatchObject({
      status: 409,
      json: { code: 'INVALID_STATE' },
    })
  })

  test.for(['userId', 'swapId', 'limit', 'elsewhere'])(
    'refuses a cursor that names “%s” in place of a direction',
    async (word, { service, given }) => {
      const { mine, messages, requester } = await givenChat(service)
      await say(mine, messages, 'Meet me at seven.')
      const stranger = openPhone(service, await given.user())
      const cursor = Buffer.from(JSON.stringify(['messages', word, requester.userId])).toString('base64url')
      for (const phone of [stranger, mine])
        expect(await phone.get(`${messages}?cursor=${cursor}`)).toMatchObject({ status: 422 })
    },
  )

  test('is paged back to older messages, and on to newer ones', async ({ service }) => {
    const { mine, theirs, messages } = await givenChat(service)
    const ids: number[] = []
    for (let n = 0; n < 7; n++) ids.push((await say(n % 2 === 0 ? mine : theirs, messages, `Line ${n}`)).id)
    const page = async (query: string) => {
      const answer = await mine.get<Message[]>(`${messages}?${query}`)
      expect(answer).toMatchObject({ status: 200 })
      const { json } = answer
      return { ids: json.data.map(({ id }) => id), next: json.next_cursor }
    }
    const [one, newer] = [await page('limit=3'), await page(`limit=3&after=${ids[0]}`)]
    expect(one.ids).toEqual([ids[6], ids[5], ids[4]])
    const two = await page(`limit=3&cursor=${one.next}`)
    expect(two.ids).toEqual([ids[3], ids[2], ids[1]])
    expect(await page(`limit=3&cursor=${two.next}`)).toEqual({ ids: [ids[0]], next: null })
    expect(newer.ids).toEqual(ids.slice(1, 4))
    for (const query of ['', `after=${ids[0]}&`, 'after=1&'])
      expect(await page(`${query}limit=3&cursor=${newer.next}`)).toEqual({ ids: ids.slice(4), next: null })
    expect(await page(`after=${ids[6]}`)).toEqual({ ids: [], next: null })
    expect((await mine.get(`${messages}?cursor=bm9uZQ`)).json.errors).toHaveProperty('cursor')
    expect((await mine.get(`${messages}?after=-1`)).json.errors).toHaveProperty('after')
  })

  test('refuses anything but plain text of 1 to 2,000 characters', async ({ service }) => {
    const { mine, messages } = await givenChat(service)
    for (const text of [undefined, null, 7, '', ' \n ', 'x'.repeat(2_001), 'a\u0000b', 'a\ud800b', '\u2800'])
      expect((await mine.post(messages, { text })).json.errors).toHaveProperty('text')
    const pasted = '\u2068Meet\u2069\tat 5\u202E\r\n\u202Ahere\u202C'
    expect((await say(mine, messages, pasted)).text).toBe('Meet at 5\r\nhere')
    expect((await mine.post(messages, { text: '\u2068\u2069\t' })).json.errors).toHaveProperty('text')
    expect((await say(mine, messages, '🦎'.repeat(2_000))).text).toHaveLength(4_000)
  })

  test('stays open after a completed swap, and ends with a swap without an exchange', async ({ service }) => {
    const { swapId, mine, theirs, messages } = await givenChat(service)
    const move = (phone: Phone, name: string) => phone.post(`/api/v1/swaps/${swapId}/${name}`)
    await move(theirs, 'accept')
    await move(theirs, 'confirm')
    await move(mine, 'confirm')
    await say(theirs, messages, 'Thank you!')
    const other = await givenChat(service)
    await other.theirs.post(`/api/v1/swaps/${other.swapId}/decline`)
    const late = await other.mine.post(other.messages, { text: 'But why?' })
    expect([late.status, late.json.code]).toEqual([409, 'INVALID_STATE'])
    expect((await other.mine.get(other.messages)).status).toBe(200)
  })

  test('stores a message once for one Idempotency-Key', async ({ service }) => {
    const { mine, messages } = await givenChat(service)
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => mine.post<Message>(messages, { text: 'Once' }, headers)),
    )
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.data.id}`)).size).toBe(1)
    expect((await mine.get<Message[]>(messages)).json.data).toHaveLength(1)
  })
})

describe('whatever is said and read at once', () => {
  test('the unread count equals the rows', async ({ service }) => {
    const deed = record({
      isMine: constantFrom(true, false),
      kind: constantFrom('say', 'say', 'read'),
      back: integer({ min: 0, max: 4 }),
    })
    await assert(
      asyncProperty(
        array(array(deed, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        async (rounds) => {
          const { swapId, mine, theirs, messages } = await givenChat(service)
          await theirs.post(`/api/v1/swaps/${swapId}/accept`)
          const known = { last: 1 }
          for (const deeds of rounds) {
            await Promise.all(
              deeds.map(async ({ isMine, kind, back }) => {
                const phone = isMine ? mine : theirs
                if (kind === 'say') known.last = Math.max(known.last, (await say(phone, messages, 'Hello')).id)
                else await phone.post(`/api/v1/swaps/${swapId}/read`, { message_id: Math.max(1, known.last - back) })
              }),
            )
            expect(await chatFaults(service.deps)).toEqual([])
          }
          for (const phone of [mine, theirs]) {
            const before = await readUnread(phone, swapId)
            const { rows } = await service.deps.pool.query(
              `select count(*)::int as n from swap_messages where swap_id = $1 and read_at is null and sender_id <> $2`,
              [swapId, await readId(phone)],
            )
            expect(before).toBe(rows[0].n)
          }
        },
      ),
      { numRuns: 10 },
    )
  })

  test('a reader who asks for newer messages misses none', async ({ service }) => {
    const { swapId, mine, theirs, messages } = await givenChat(service)
    await theirs.post(`/api/v1/swaps/${swapId}/accept`)
    const sent: number[] = []
    const speak = async (phone: Phone) => {
      for (let n = 0; n < 25; n++) sent.push((await say(phone, messages, 'Hello')).id)
    }
    const state = { isOver: false }
    const heard: number[] = []
    const listen = async () => {
      for (let last = 1, rest = 2; rest > 0; rest -= state.isOver ? 1 : 0) {
        const { data } = (await mine.get<Message[]>(`${messages}?after=${last}&limit=100`)).json
        heard.push(...data.map(({ id }) => id))
        last = heard.at(-1) ?? last
      }
    }
    const listening = listen()
    await Promise.all([mine, theirs, mine, theirs].map(speak))
    state.isOver = true
    await listening
    expect(heard).toEqual(sent.toSorted((a, b) => a - b))
  })
})

async function readId(phone: Phone): Promise<number> {
  return (await phone.get<{ id: number }>('/api/v1/account')).json.data.id
}
