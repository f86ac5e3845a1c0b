import { describe, expect } from 'vitest'
import { drain } from '../../../test/support/drain.ts'
import { test } from '../../../test/support/app.ts'
import {
  automaticMessages,
  givenProduct,
  givenProposal,
  moveDueSwaps,
  productStates,
  swapEvents,
  swapStatus,
} from '../../../test/support/marketplace.ts'
import { counterSwap, moveSwap } from './move.ts'
import { requestSwap } from './propose.ts'
import { commitAs } from '../../../test/support/commit.ts'

const DAY_MS = 24 * 3_600_000

describe('a swap', () => {
  test('is proposed, accepted and confirmed by both: its products are reserved, then swapped', async ({ service }) => {
    const { deps } = service
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    expect(await productStates(deps, [offered, requested])).toEqual(['active', 'active'])
    const accepted = await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    expect(accepted).toMatchObject({ status: 'accepted', turn: 'owner', version: 2 })
    expect(accepted.accepted_at).toEqual(accepted.responded_at)
    expect(await productStates(deps, [offered, requested])).toEqual(['reserved', 'reserved'])
    expect(await commitAs(requester, deps, moveSwap, { swapId, move: 'confirm' })).toMatchObject({ status: 'accepted' })
    const completed = await commitAs(owner, deps, moveSwap, { swapId, move: 'confirm' })
    expect(completed).toMatchObject({ status: 'completed', close_reason: 'completed' })
    expect(completed.completed_at).toEqual(completed.closed_at)
    expect(await productStates(deps, [offered, requested])).toEqual(['swapped', 'swapped'])
    expect(await swapEvents(deps, swapId)).toEqual(['pending', 'accepted', 'accepted', 'completed'])
  })

  test('notifies the other side of each change, once, without names', async ({ service }) => {
    const { deps } = service
    const { requester, owner, swapId } = await givenProposal(service)
    await drain(service)
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    await drain(service)
    await commitAs(requester, deps, moveSwap, { swapId, move: 'confirm' })
    await drain(service)
    await commitAs(owner, deps, moveSwap, { swapId, move: 'confirm' })
    const told = (await automaticMessages(deps)).filter(({ data }) => data['transaction_id'] === swapId)
    expect(told.map(({ to, data }) => [to, data['status']])).toEqual([
      [[owner.userId], 'pending'],
      [[requester.userId], 'accepted'],
      [[owner.userId], 'confirmed'],
      [[requester.userId], 'completed'],
    ])
    await drain(service)
    const { rows } = await deps.pool.query(
      `select m.title, m.body, m.type, m.status, n.user_id, n.is_send from messages m join notifications n using (message_id)
       where m.data ->> 'transaction_id' = $1 order by m.message_id`,
      [String(swapId)],
    )
    expect(rows.map((row) => row.user_id)).toEqual([owner, requester, owner, requester].map((user) => user.userId))
    for (const row of rows) {
      expect(row).toMatchObject({ title: 'Swap update', type: 'non_promotional', is_send: true, status: 'completed' })
      expect(row.body).not.toMatch(/User|@/)
    }
  })

  test('can be countered several times: each counter-proposal is a round, with the other side’s turn and seven more days', async ({
    service,
  }) => {
    const { deps, clock } = service
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    const other = await givenProduct(deps, requester)
    await clock.setTime(clock.now() + DAY_MS)
    const proposal = { offered: [offered, other], requested: [requested], note: 'and that' }
    const countered = await commitAs(owner, deps, counterSwap, { swapId, proposal })
    expect(countered).toMatchObject({ status: 'countered', turn: 'requester', round: 2 })
    expect(countered.expires_at.getTime()).toBe(clock.now() + 7 * DAY_MS)
    await expect(commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    const back = { offered: [other], requested: [requested] }
    expect(await commitAs(requester, deps, counterSwap, { swapId, proposal: back })).toMatchObject({
      status: 'pending',
      turn: 'owner',
      round: 3,
    })
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    expect(await productStates(deps, [offered, other, requested])).toEqual(['active', 'reserved', 'reserved'])
    const rounds = await deps.db.selectFrom('swap_rounds').selectAll().where('swap_id', '=', swapId).execute()
    expect(rounds.map(({ round, proposed_by, offered: given }) => [round, proposed_by, given])).toEqual([
      [1, 'requester', [offered]],
      [2, 'owner', [offered, other]],
      [3, 'requester', [other]],
    ])
  })

  test('that is cancelled, or resolved so, gives its products back', async ({ service }) => {
    const { deps } = service
    const one = await givenProposal(service)
    await commitAs(one.owner, deps, moveSwap, { swapId: one.swapId, move: 'accept' })
    expect(await commitAs(one.requester, deps, moveSwap, { swapId: one.swapId, move: 'cancel' })).toMatchObject({
      status: 'cancelled',
    })
    expect(await productStates(deps, [one.offered, one.requested])).toEqual(['active', 'active'])
    const again = { offered: [one.offered], requested: [one.requested] }
    const swap = await commitAs(one.requester, deps, requestSwap, { proposal: again })
    await commitAs(one.owner, deps, moveSwap, { swapId: swap.swap_id, move: 'accept' })
    await commitAs(one.owner, deps, moveSwap, { swapId: swap.swap_id, move: 'dispute' })
    expect(await productStates(deps, [one.offered, one.requested])).toEqual(['reserved', 'reserved'])
    const admin = { userId: (await service.given.admin()).userId }
    await expect(commitAs(one.owner, deps, moveSwap, { swapId: swap.swap_id, move: 'confirm' })).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    expect(await commitAs(admin, deps, moveSwap, { swapId: swap.swap_id, move: 'resolve_as_cancelled' })).toMatchObject(
      {
        status: 'cancelled',
      },
    )
    expect(await productStates(deps, [one.offered, one.requested])).toEqual(['active', 'active'])
  })

  test('in dispute is completed by an administrator, and both sides are notified', async ({ service }) => {
    const { deps, given } = service
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    await commitAs(requester, deps, moveSwap, { swapId, move: 'dispute' })
    const admin = { userId: (await given.admin()).userId }
    expect(await commitAs(admin, deps, moveSwap, { swapId, move: 'resolve_as_completed' })).toMatchObject({
      status: 'completed',
    })
    expect(await productStates(deps, [offered, requested])).toEqual(['swapped', 'swapped'])
    const told = (await automaticMessages(deps)).filter(({ data }) => data['transaction_id'] === swapId)
    expect(new Set(told.slice(-2).flatMap(({ to }) => to))).toEqual(new Set([requester.userId, owner.userId]))
  })

  test('is declined or withdrawn, and the product can be asked for again', async ({ service }) => {
    const { deps } = service
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    const proposal = { offered: [offered], requested: [requested] }
    const ask = () => commitAs(requester, deps, requestSwap, { proposal })
    await expect(ask()).rejects.toMatchObject({
      code: 'DUPLICATE',
      extras: { errors: { requested: [expect.any(String)] } },
    })
    const declined = await commitAs(owner, deps, moveSwap, { swapId, move: 'decline' })
    expect(declined).toMatchObject({ status: 'declined', responded_at: declined.closed_at })
    const { swap_id } = await ask()
    expect(await commitAs(requester, deps, moveSwap, { swapId: swap_id, move: 'withdraw' })).toMatchObject({
      status: 'withdrawn',
      responded_at: null,
    })
    await ask()
  })

  test('expires seven days after its last proposal, once however often the job runs', async ({ service }) => {
    const { deps, clock } = service
    const { requester, owner, swapId } = await givenProposal(service)
    await clock.setTime(clock.now() + 7 * DAY_MS - 1)
    await moveDueSwaps(deps)
    expect(await swapStatus(deps, swapId)).toBe('pending')
    await clock.setTime(clock.now() + 1)
    await Promise.all(Array.from({ length: 5 }, () => moveDueSwaps(deps)))
    expect(await swapStatus(deps, swapId)).toBe('expired')
    expect(await swapEvents(deps, swapId)).toEqual(['pending', 'expired'])
    const told = (await automaticMessages(deps)).filter(({ data }) => data['transaction_id'] === swapId)
    expect(new Set(told.slice(-2).flatMap(({ to }) => to))).toEqual(new Set([requester.userId, owner.userId]))
    expect(told).toHaveLength(3)
  })

  test('that one side confirmed is completed fourteen days later', async ({ service }) => {
    const { deps, clock } = service
    const { owner, offered, requested, swapId } = await givenProposal(service)
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    await clock.setTime(clock.now() + 20 * DAY_MS)
    await moveDueSwaps(deps)
    expect(await swapStatus(deps, swapId)).toBe('accepted')
    await commitAs(owner, deps, moveSwap, { swapId, move: 'confirm' })
    await clock.setTime(clock.now() + 14 * DAY_MS)
    await Promise.all(Array.from({ length: 5 }, () => moveDueSwaps(deps)))
    expect(await swapStatus(deps, swapId)).toBe('completed')
    expect(await swapEvents(deps, swapId)).toEqual(['pending', 'accepted', 'accepted', 'completed'])
    expect(await productStates(deps, [offered, requested])).toEqual(['swapped', 'swapped'])
  })

  test('leaves the proposals of others open when it is accepted, and invalidates them when it is completed', async ({
    service,
  }) => {
    const { deps, given } = service
    const { requester, owner, requested, swapId } = await givenProposal(service)
    const rival = await given.user()
    const proposal = { offered: [await givenProduct(deps, rival)], requested: [requested] }
    const other = await commitAs(rival, deps, requestSwap, { proposal })
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    expect(await swapStatus(deps, other.swap_id)).toBe('pending')
    await expect(commitAs(owner, deps, moveSwap, { swapId: other.swap_id, move: 'accept' })).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    await commitAs(owner, deps, moveSwap, { swapId, move: 'confirm' })
    await commitAs(requester, deps, moveSwap, { swapId, move: 'confirm' })
    expect(await swapStatus(deps, other.swap_id)).toBe('invalidated')
    expect(await productStates(deps, proposal.offered)).toEqual(['active'])
  })
})
