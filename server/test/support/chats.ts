import { expect } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { givenProposal } from './marketplace.ts'
import { openPhone, type Phone } from './phone.ts'
import type { Service } from './service.ts'
import { TRUTHS } from './truths.ts'

/** A message as an answer shows it. */
export type Message = { id: number; sender_id: number; text: string; is_read: boolean }

/** A proposal with the phones of its sides. */
export async function givenChat(service: Service) {
  const proposal = await givenProposal(service)
  const [mine, theirs] = [openPhone(service, proposal.requester), openPhone(service, proposal.owner)]
  return { ...proposal, mine, theirs, messages: `/api/v1/swaps/${proposal.swapId}/messages` }
}

/** Says something, which must succeed. */
export async function say(phone: Phone, messages: string, text: string): Promise<Message> {
  const answer = await phone.post<Message>(messages, { text })
  expect(answer).toMatchObject({ status: 201 })
  return answer.json.data
}

/** What contradicts the truths about chats. */
export async function chatFaults({ pool, clock }: Deps): Promise<unknown[]> {
  const chats = TRUTHS.filter(([truth]) => /talk about it|unread/.test(truth))
  expect(chats).toHaveLength(2)
  const found = await Promise.all(
    chats.map(
      async ([, statement]) =>
        (await pool.query(statement, statement.includes('$1') ? [new Date(clock.now())] : [])).rows,
    ),
  )
  return found.flat()
}
