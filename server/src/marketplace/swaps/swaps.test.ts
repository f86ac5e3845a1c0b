import { describe, expect } from 'vitest'
import { drain } from '../../../test/support/drain.ts'
import { test } from '../../../test/support/app.ts'
import {
  automaticMessages,
  givenProduct,
  givenProposal,
  productStates,
  swapEvents,
  swapStatus,
} from '../../../test/support/marketplace.ts'
import { moveDueSwaps } from './due-moves.ts'
import { counterSwap, moveSwap } from './move.ts'
import { requestSwap } from './propose.ts'
import { commit } from '../../../test/support/commit.ts'

const DAY_MS = 24 * 3_600_000

describe('a swap', () => {
  test('is proposed, accepted and confirmed by both: its products are reserved, then swapped', async ({ service }) => {
    const { deps } = service
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    expect(await productStates(deps, [offered, requested])).toEqual(['active', 'active'])
    const accepted = await commit(deps, moveSwap, swapId, 'accept', owner)
    expect(accepted).toMatchObject({ status: 'accepted', turn: 'owner', version: 2 })
    expect(accepted.accepted_at).toEqual(accepted.responded_at)
    expect(await productStates(deps, [offered, requested])).toEqual(['reserved', 'reserved'])
    expect(await commit(deps, moveSwap, swapId, 'confirm', requester)).toMatchObject({ status: 'accepted' })
    const completed = await commit(deps, moveSwap, swapId, 'confirm', owner)
    expect(completed).toMatchObject({ status: 'completed', close_reason: 'completed' })
    expect(completed.completed_at).toEqual(completed.closed_at)
    expect(await productStates(deps, [offered, requested])).toEqual(['swapped', 'swapped'])
    expect(await swapEvents(deps, swapId)).toEqual(['pending', 'accepted', 'accepted', 'completed'])
  })

  test('notifies the other side of each change, once, without names', async ({ service }) => {
    const { deps } = service
    const { requester, owner, swapId } = await givenProposal(service)
    await drain(service)
    await commit(deps, moveSwap, swapId, 'accept', owner)
    await drain(service)
    await commit(deps, moveSwap, swapId, 'confirm', requester)
    await drain(service)
    await commit(deps, moveSwap, swapId, 'confirm', owner)
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
    const countered = await commit(deps, counterSwap, { swapId, userId: owner.userId, proposal })
    expect(countered).toMatchObject({ status: 'countered', turn: 'requester', round: 2 })
    expect(countered.expires_at.getTime()).toBe(clock.now() + 7 * DAY_MS)
    await expect(commit(deps, moveSwap, swapId, 'accept', owner)).rejects.toMatchObject({ code: 'INVALID_STATE' })
    const back = { offered: [other], requested: [requested] }
    expect(await commit(deps, counterSwap, { swapId, userId: requester.userId, proposal: back })).toMatchObject({
      status: 'pending',
      turn: 'owner',
      round: 3,
    })
    await commit(deps, moveSwap, swapId, 'accept', owner)
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
    await commit(deps, moveSwap, one.swapId, 'accept', one.owner)
    expect(await commit(deps, moveSwap, one.swapId, 'cancel', one.requester)).toMatchObject({ status: 'cancelled' })
    expect(await productStates(deps, [one.offered, one.requested])).toEqual(['active', 'active'])
    const again = { offered: [one.offered], requested: [one.requested] }
    const swap = await commit(deps, requestSwap, { requesterId: one.requester.userId, proposal: again })
    await commit(deps, moveSwap, swap.swap_id, 'accept', one.owner)
    await commit(deps, moveSwap, swap.swap_id, 'dispute', one.owner)
    expect(await productStates(deps, [one.offered, one.requested])).toEqual(['reserved', 'reserved'])
    const admin = { userId: (await service.given.admin()).userId, isAdministrator: true }
    await expect(commit(deps, moveSwap, swap.swap_id, 'confirm', one.owner)).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    expect(await commit(deps, moveSwap, swap.swap_id, 'resolve_as_cancelled', admin)).toMatchObject({
      status: 'cancelled',
    })
    expect(await productStates(deps, [one.offered, one.requested])).toEqual(['active', 'active'])
  })

  test('in dispute is completed by an administrator, and both sides are notified', async ({ service }) => {
    const { deps, given } = service
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    await commit(deps, moveSwap, swapId, 'accept', owner)
    await commit(deps, moveSwap, swapId, 'dispute', requester)
    const admin = { userId: (await given.admin()).userId, isAdministrator: true }
    expect(await commit(deps, moveSwap, swapId, 'resolve_as_completed', admin)).toMatchObject({ status: 'completed' })
    expect(await productStates(deps, [offered, requested])).toEqual(['swapped', 'swapped'])
    const told = (await automaticMessages(deps)).filter(({ data }) => data['transaction_id'] === swapId)
    expect(new Set(told.slice(-2).flatMap(({ to }) => to))).toEqual(new Set([requester.userId, owner.userId]))
  })

  test('is declined or withdrawn, and the product can be asked for again', async ({ service }) => {
    const { deps } = service
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    const proposal = { offered: [offered], requested: [requested] }
    const ask = () => commit(deps, requestSwap, { requesterId: requester.userId, proposal })
    await expect(ask()).rejects.toMatchObject({
      code: 'DUPLICATE',
      extras: { errors: { requested: [expect.any(String)] } },
    })
    const declined = await commit(deps, moveSwap, swapId, 'decline', owner)
    expect(declined).toMatchObject({ status: 'declined', responded_at: declined.closed_at })
    const { swap_id } = await ask()
    expect(await commit(deps, moveSwap, swap_id, 'withdraw', requester)).toMatchObject({
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
    await commit(deps, moveSwap, swapId, 'accept', owner)
    await clock.setTime(clock.now() + 20 * DAY_MS)
    await moveDueSwaps(deps)
    expect(await swapStatus(deps, swapId)).toBe('accepted')
    await commit(deps, moveSwap, swapId, 'confirm', owner)
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
    const other = await commit(deps, requestSwap, { requesterId: rival.userId, proposal })
    await commit(deps, moveSwap, swapId, 'accept', owner)
    expect(await swapStatus(deps, other.swap_id)).toBe('pending')
    await expect(commit(deps, moveSwap, other.swap_id, 'accept', owner)).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    await commit(deps, moveSwap, swapId, 'confirm', owner)
    await commit(deps, moveSwap, swapId, 'confirm', requester)
    expect(await swapStatus(deps, other.swap_id)).toBe('invalidated')
    expect(await productStates(deps, proposal.offered)).toEqual(['active'])
  })
})
