import { describe, expect } from 'vitest'
import { createGroup, invite, requestToJoin } from '../src/marketplace/groups/groups.ts'
import { likeProduct } from '../src/marketplace/likes/likes.ts'
import { sendSwapMessage } from '../src/marketplace/chat/chat.ts'
import { moveSwap } from '../src/marketplace/swaps/move.ts'
import { test } from './support/app.ts'
import { automaticMessages, givenProduct, givenProposal } from './support/marketplace.ts'
import { givenPanel } from './support/panel.ts'
import { givenReport } from './support/product-reports.ts'
import { commitAs } from './support/commit.ts'

describe('A push that the service writes itself', () => {
  test('opens the right screen, for every kind of event', async ({ service, deps, given }) => {
    const panel = await givenPanel(service, 'super_admin')
    const { swapId, requester, owner, offered, requested } = await givenProposal(service)
    await commitAs(requester, deps, sendSwapMessage, { swapId, text: 'Hello' })
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    for (const side of [requester, owner]) await commitAs(side, deps, moveSwap, { swapId, move: 'confirm' })
    const [ann, bob] = [await given.user(), await given.user()]
    const [ofAnn, ofBob] = [await givenProduct(deps, ann), await givenProduct(deps, bob)]
    await commitAs(ann, deps, likeProduct, { productId: ofBob })
    await commitAs(bob, deps, likeProduct, { productId: ofAnn })
    const { group_id: groupId } = await commitAs(ann, deps, createGroup, { name: 'Lamps', join_policy: 'request' })
    await commitAs(bob, deps, requestToJoin, { groupId })
    await commitAs(ann, deps, invite, { groupId, userId: owner.userId })
    const waiting = await givenProduct(deps, ann, { verification: 'pending' })
    const verdict = { reason_code: 'unclear_photos', message: 'Please take photos by daylight.' }
    const warned = await givenReport(deps, { productId: ofAnn, reporterId: bob.userId })
    const dismissed = await givenReport(deps, { productId: ofAnn, reporterId: owner.userId })
    const removing = await givenReport(deps, { productId: ofBob, reporterId: ann.userId })
    for (const [path, body] of [
      [`/request-product-changes/${waiting}`, verdict],
      [`/reject-product/${waiting}`, verdict],
      [`/mark-product-verified/${waiting}`],
      [`/report/reported-product/${warned}/resolve`, { action: 'warn_owner', note: 'Be fair.' }],
      [`/report/reported-product/${dismissed}/dismiss`],
      [`/report/reported-product/${removing}/resolve`, { action: 'remove_product', note: 'No weapons.' }],
    ] as const) {
      const answer = await panel.post(path, body)
      expect(answer.statusCode).toBe(200)
    }

    const said = await automaticMessages(deps)
    const toLinks = (event: string) => [
      ...new Set(said.filter(({ data }) => data['event'] === event).map(({ data }) => data['link'])),
    ]
    expect(new Set(said.map(({ data }) => data['event']))).toEqual(
      new Set(['swap_status', 'new_message', 'swap_match', 'group_join_request', 'system']),
    )
    expect(toLinks('swap_status')).toEqual([`swapbell://swaps/${swapId}`])
    expect(toLinks('new_message')).toEqual([`swapbell://swaps/${swapId}/messages`])
    expect(toLinks('swap_match')).toEqual(['swapbell://matches'])
    expect(toLinks('group_join_request')).toEqual([
      `swapbell://groups/${groupId}/requests`,
      `swapbell://groups/${groupId}`,
    ])
    const products = [waiting, ofAnn, ofBob].map((id) => `swapbell://products/${id}`)
    expect(new Set(toLinks('system'))).toEqual(new Set([...products, 'swapbell://reports']))
    expect([offered, requested]).not.toContain(waiting)
  })
})
