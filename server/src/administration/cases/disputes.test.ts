import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { commitAs, commitWork } from '../../../test/support/commit.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { automaticMessages, givenProposal, productStates } from '../../../test/support/marketplace.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import { openPhone } from '../../../test/support/phone.ts'
import type { Service } from '../../../test/support/service.ts'
import { sendSwapMessage } from '../../marketplace/chat/chat.ts'
import { invalidateSwaps } from '../../marketplace/swaps/invalidate.ts'

/** A swap in dispute, opened by its requester. */
async function givenDispute(service: Service, reason = 'It is broken.') {
  const proposal = await givenProposal(service)
  const [mine, theirs] = [openPhone(service, proposal.requester), openPhone(service, proposal.owner)]
  await theirs.post(`/api/v1/swaps/${proposal.swapId}/accept`)
  expect(await mine.post(`/api/v1/swaps/${proposal.swapId}/dispute`, { reason })).toMatchObject({ status: 200 })
  return { ...proposal, mine, theirs }
}

async function readAudit(panel: Panel, action: string): Promise<Record<string, unknown>[]> {
  return (await panel.get(`/audit-log?action=${action}`)).json().data
}

describe('a swap for administrators', () => {
  test('shows rounds, items, dispute and history, and no messages unless asked', async ({ service }) => {
    const { swapId, requester, owner, offered, requested } = await givenDispute(service)
    const panel = await givenPanel(service, 'moderator')
    const answer = await panel.get(`/swap/${swapId}`)
    expect(answer.statusCode).toBe(200)
    const { data } = answer.json()
    expect(data.swap).toMatchObject({
      id: swapId,
      status: 'disputed',
      requester: { id: requester.userId },
      owner: { id: owner.userId },
    })
    expect(data.swap.items.map((item: { product_id: number }) => item.product_id)).toEqual([offered, requested])
    expect(data.rounds).toMatchObject([{ round: 1, offered: [offered], requested: [requested] }])
    expect(data.dispute).toMatchObject({
      side: 'requester',
      reason: 'It is broken.',
      resolution: null,
      resolved_by: null,
    })
    expect(data.history.map((change: { to_state: string }) => change.to_state)).toEqual([
      'disputed',
      'accepted',
      'pending',
    ])
    expect(data.messages).toBeNull()
    expectError(await panel.get('/swap/999999999'), 404, 'NOT_FOUND')
  })

  test('shows its messages for a reason, and each reading is in the audit log', async ({ service }) => {
    const { swapId, requester, owner } = await givenDispute(service)
    for (const [senderId, text] of [
      [requester.userId, 'It is broken'],
      [owner.userId, 'It was not'],
    ] as const)
      await commitAs({ userId: senderId }, service.deps, sendSwapMessage, { swapId, text })
    const panel = await givenPanel(service)
    expectInvalid(await panel.get(`/swap/${swapId}?include=messages`), 'reason')
    expectInvalid(await panel.get(`/swap/${swapId}?include=messages&reason=%20`), 'reason')
    const readings = async () =>
      (await readAudit(panel, 'swap.messages.read')).filter((entry) => entry['entity_id'] === swapId)
    expect(await readings()).toEqual([])
    const read = async (more: string) =>
      (await panel.get(`/swap/${swapId}?include=messages&reason=A%20complaint&limit=1${more}`)).json().data.messages
    const first = await read('')
    expect(first.data).toMatchObject([{ sender_id: owner.userId, text: 'It was not', is_read: false }])
    expect(await read(`&cursor=${first.next_cursor}`)).toMatchObject({
      data: [{ text: 'It is broken' }],
      next_cursor: null,
    })
    const reading = { actor: { user_id: panel.user.userId }, after: { reason: 'A complaint' } }
    expect(await readings()).toMatchObject([reading, reading])
  })
})

describe('the desk of disputes', () => {
  test('lists open ones, the longest first, with how long they wait', async ({ service, clock }) => {
    const first = await givenDispute(service, 'One')
    await clock.setTime(clock.now() + 3_600_000)
    const second = await givenDispute(service, 'Two')
    await clock.setTime(clock.now() + 60_000)
    const panel = await givenPanel(service, 'moderator')
    const { data, pagination } = (await panel.get('/disputes?per_page=100')).json()
    const known = data.filter(({ swap }: { swap: { id: number } }) => [first.swapId, second.swapId].includes(swap.id))
    expect(known).toMatchObject([
      { swap: { id: first.swapId, status: 'disputed' }, side: 'requester', reason: 'One', waiting_seconds: 3_660 },
      { swap: { id: second.swapId }, reason: 'Two', waiting_seconds: 60 },
    ])
    expect(pagination.total_items).toBe(data.length)
  })

  test.for([
    ['completed', 'swapped'],
    ['cancelled', 'active'],
  ] as const)(
    'resolves one as %s: both are told, and the audit log says who did it',
    async ([resolution, products], { service }) => {
      const { swapId, requester, owner, offered, requested, theirs } = await givenDispute(service)
      const panel = await givenPanel(service, 'moderator')
      expectInvalid(await panel.post(`/swap/${swapId}/resolve`, { resolution }), 'note')
      expectInvalid(await panel.post(`/swap/${swapId}/resolve`, { resolution: 'expired', note: 'No' }), 'resolution')
      const { data } = (await panel.post(`/swap/${swapId}/resolve`, { resolution, note: 'They agreed.' })).json()
      expect(data.swap.status).toBe(resolution)
      expect(data.dispute).toMatchObject({ resolution, note: 'They agreed.', resolved_by: panel.user.userId })
      expect(await productStates(service.deps, [offered, requested])).toEqual([products, products])
      const told = (await automaticMessages(service.deps)).filter(
        ({ data: { transaction_id } }) => transaction_id === swapId,
      )
      expect(
        told
          .slice(-2)
          .flatMap(({ to }) => to)
          .toSorted((a, b) => a - b),
      ).toEqual([requester.userId, owner.userId].toSorted((a, b) => a - b))
      const screen = (await theirs.get<{ dispute: object }>(`/api/v1/swaps/${swapId}`)).json.data
      expect(screen).toMatchObject({ status: resolution, dispute: { reason: 'It is broken.', resolution } })
      expect(JSON.stringify(screen)).not.toContain('They agreed.')
      expectError(await panel.post(`/swap/${swapId}/resolve`, { resolution, note: 'Again' }), 409, 'INVALID_STATE')
      const admin = await givenPanel(service)
      const [entry] = (await readAudit(admin, 'swap.resolve')).filter(({ entity_id }) => entity_id === swapId)
      expect(entry).toMatchObject({
        actor: { user_id: panel.user.userId },
        before: { status: 'disputed' },
        after: { status: resolution },
      })
    },
  )

  test('keeps administrators from their own disputes, and forgets one whose swap is invalidated', async ({
    service,
  }) => {
    const { swapId, offered, requester } = await givenDispute(service)
    const { db } = service.deps
    await db.updateTable('users').set({ role: 'moderator' }).where('user_id', '=', requester.userId).execute()
    const { token } = await service.deps.sessions.open({ userId: requester.userId })
    const own = await service.app.inject({
      method: 'POST',
      url: `/api/admin/v1/swap/${swapId}/resolve`,
      headers: { authorization: `Bearer ${token}` },
      payload: { resolution: 'completed', note: 'Mine!' },
    })
    expectError(own, 403, 'FORBIDDEN')
    const gone = { productIds: [offered], reason: 'product_removed', actor: 'administrator' } as const
    await commitWork(service.deps, invalidateSwaps, gone)
    const panel = await givenPanel(service, 'moderator')
    const { data } = (await panel.get('/disputes?per_page=100')).json()
    expect(data.map(({ swap }: { swap: { id: number } }) => swap.id)).not.toContain(swapId)
    expect((await panel.get(`/swap/${swapId}`)).json().data.dispute).toMatchObject({
      resolution: 'invalidated',
      note: null,
    })
  })
})
