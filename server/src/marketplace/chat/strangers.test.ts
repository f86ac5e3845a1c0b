// Slow: random histories, or many who do the same at once.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { chatFaults, givenChat, say, type Message } from '../../../test/support/chats.ts'
import { limited } from '../../../test/support/limits.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { openPhone } from '../../../test/support/phone.ts'

describe('messages to a stranger', () => {
  test('are ten until the answer, of fifty at once too; the 429 says so', async ({ service }) => {
    const { mine, theirs, messages } = await givenChat(service)
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, n) => mine.post<Message>(messages, { text: `Hello ${n}` })),
    )
    const refused = tries.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(40)
    expect(refused[0]?.json.error).toContain('you may write 10 messages to a person you have not swapped with')
    expect(refused[0]?.headers['retry-after']).toBe('3600')
    expect((await mine.get<Message[]>(`${messages}?limit=100`)).json.data).toHaveLength(10)
    // The owner was asked, so is no stranger to the requester; the answer frees both.
    await say(theirs, messages, 'Stop it, please')
    await say(mine, messages, 'Sorry')
    expect(await chatFaults(service.deps)).toEqual([])
  })

  test('are ten to a person, about however many proposals, until the answer to one frees its own', async ({
    service,
  }) => {
    const { swapId, mine, theirs, messages, requester, owner } = await givenChat(service)
    const anotherChat = async () => {
      const offered = [await givenProduct(service.deps, requester)]
      const requested = [await givenProduct(service.deps, owner)]
      const { id } = (await mine.post<{ id: number }>('/api/v1/swaps', { offered, requested })).json.data
      return `/api/v1/swaps/${id}/messages`
    }
    const second = await anotherChat()
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, n) => mine.post(n % 2 === 0 ? messages : second, { text: `Hello ${n}` })),
    )
    expect(tries.filter(({ status }) => status === 201)).toHaveLength(10)
    expect((await mine.post(second, { text: 'Hello' })).status).toBe(429)
    expect((await mine.post(`/api/v1/swaps/${swapId}/withdraw`)).status).toBe(200)
    const third = await anotherChat()
    expect((await mine.post(third, { text: 'Hello again' })).status).toBe(429)
    await say(theirs, second, 'Which one do you want?')
    await say(mine, second, 'The lamp')
    expect(await chatFaults(service.deps)).toEqual([])
  })

  test('are unlimited once the owner has countered, and between people who agreed on a swap before', async ({
    service,
  }) => {
    const { swapId, offered, requested, mine, theirs, messages, requester, owner } = await givenChat(service)
    for (let n = 0; n < 10; n++) await say(mine, messages, 'Hello')
    expect((await mine.post(messages, { text: 'Hello' })).status).toBe(429)
    await theirs.post(`/api/v1/swaps/${swapId}/counter`, { offered: [offered], requested: [requested] })
    await say(mine, messages, 'Good')
    await mine.post(`/api/v1/swaps/${swapId}/accept`)
    const proposal = {
      offered: [await givenProduct(service.deps, requester)],
      requested: [await givenProduct(service.deps, owner)],
    }
    const { id } = (await mine.post<{ id: number }>('/api/v1/swaps', proposal)).json.data
    for (let n = 0; n < 12; n++) await say(mine, `/api/v1/swaps/${id}/messages`, 'Old friend')
  })

  test('and to everyone are sixty a minute', async ({ service }) => {
    const { owner, messages } = await givenChat(service)
    const { app } = await limited(service.deps)
    const theirs = openPhone({ app }, owner)
    const tries = await Promise.all(Array.from({ length: 65 }, () => theirs.post(messages, { text: 'Hello' })))
    expect(tries.filter(({ status }) => status === 201)).toHaveLength(60)
    expect(tries.find(({ status }) => status === 429)?.json.error).toContain(
      'the limit `swap-message` allows 60 in 60 s',
    )
  })
})
