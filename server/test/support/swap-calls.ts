import { moveSwap } from '../../src/marketplace/swaps/move.ts'
import { requestSwap } from '../../src/marketplace/swaps/propose.ts'
import { sendSwapMessage } from '../../src/marketplace/chat/chat.ts'
import type { Call } from './calls.ts'
import { commitAs } from './commit.ts'
import type { GivenUser } from './given.ts'
import { givenProduct } from './marketplace.ts'
import type { Service } from './service.ts'

/** Swaps of one person in the states that the moves of that person start from. */
export type SwapWorld = {
  /** What the person may propose. */
  proposal: { offered: number[]; requested: number[] }
  /** Proposals of others, which wait for the person. */
  toAccept: number
  toDecline: number
  toCounter: { swapId: number; offered: number[]; requested: number[] }
  /** The person's own proposal. */
  toWithdraw: number
  /** Accepted swaps of the person. */
  toConfirm: number
  toCancel: number
  toDispute: number
  /** A message that the person received. */
  said: { swapId: number; messageId: number }
  disputed: number
}

export async function givenSwapWorld({ deps, given }: Service, person: GivenUser): Promise<SwapWorld> {
  const other = await given.user()
  const pair = async () => ({
    offered: [await givenProduct(deps, other)],
    requested: [await givenProduct(deps, person)],
  })
  const asked = async () => {
    const proposal = await pair()
    const swap = await commitAs(other, deps, requestSwap, { proposal })
    return { swapId: swap.swap_id, ...proposal }
  }
  const accepted = async () => {
    const { swapId } = await asked()
    await commitAs(person, deps, moveSwap, { swapId, move: 'accept' })
    return swapId
  }
  const { offered: theirs, requested: mine } = await pair()
  const own = { offered: [await givenProduct(deps, person)], requested: [await givenProduct(deps, other)] }
  const withdrawn = await commitAs(person, deps, requestSwap, { proposal: own })
  const toCounter = await asked()
  const text = { swapId: toCounter.swapId, senderId: other.userId, text: 'Is it blue?' }
  const line = await commitAs({ userId: text.senderId }, deps, sendSwapMessage, text)
  const disputed = await accepted()
  await commitAs(person, deps, moveSwap, { swapId: disputed, move: 'dispute', words: 'It is broken.' })
  return {
    proposal: { offered: mine, requested: theirs },
    toAccept: (await asked()).swapId,
    toDecline: (await asked()).swapId,
    toCounter,
    toWithdraw: withdrawn.swap_id,
    toConfirm: await accepted(),
    toCancel: await accepted(),
    toDispute: await accepted(),
    said: { swapId: toCounter.swapId, messageId: line.swap_message_id },
    disputed,
  }
}

/** The calls of swaps and their chats. */
export function createSwapCalls(world: SwapWorld): Record<string, Call> {
  const swaps = '/api/v1/swaps'
  const admin = '/api/admin/v1'
  const post = (path: string, payload?: Record<string, unknown>, status = 200): Call => ({
    method: 'POST',
    url: `${swaps}${path}`,
    status,
    ...(payload && { payload }),
  })
  const { swapId, ...proposal } = world.toCounter
  return {
    [`GET ${swaps}/:id`]: { method: 'GET', url: `${swaps}/${swapId}`, status: 200 },
    [`POST ${swaps}`]: post('', world.proposal, 201),
    [`GET ${swaps}/:id/messages`]: { method: 'GET', url: `${swaps}/${swapId}/messages`, status: 200 },
    [`POST ${swaps}/:id/messages`]: post(`/${world.said.swapId}/messages`, { text: 'It is.' }, 201),
    [`POST ${swaps}/:id/read`]: post(`/${world.said.swapId}/read`, { message_id: world.said.messageId }),
    [`POST ${swaps}/:id/counter`]: post(`/${swapId}/counter`, { ...proposal, note: 'With a bow, please.' }),
    [`POST ${swaps}/:id/accept`]: post(`/${world.toAccept}/accept`),
    [`POST ${swaps}/:id/decline`]: post(`/${world.toDecline}/decline`),
    [`POST ${swaps}/:id/withdraw`]: post(`/${world.toWithdraw}/withdraw`),
    [`POST ${swaps}/:id/confirm`]: post(`/${world.toConfirm}/confirm`),
    [`POST ${swaps}/:id/cancel`]: post(`/${world.toCancel}/cancel`),
    [`GET ${admin}/swap/:id`]: {
      method: 'GET',
      url: `${admin}/swap/${swapId}?include=messages&reason=A+complaint`,
      status: 200,
    },
    [`POST ${admin}/swap/:id/messages`]: {
      method: 'POST',
      url: `${admin}/swap/${swapId}/messages`,
      payload: { reason: 'A complaint' },
      status: 200,
    },
    [`POST ${admin}/swap/:id/resolve`]: {
      method: 'POST',
      url: `${admin}/swap/${world.disputed}/resolve`,
      payload: { resolution: 'cancelled', note: 'They agreed on it.' },
      status: 200,
    },
    [`POST ${swaps}/:id/dispute`]: post(`/${world.toDispute}/dispute`, { reason: 'It never came.' }),
  }
}
