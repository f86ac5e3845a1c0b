import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { drain } from '../../../test/support/drain.ts'
import {
  automaticMessages,
  givenProduct,
  givenProposal,
  productStates,
  swapStatus,
} from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { givenPair, propose, type Entry } from '../../../test/support/swap-pair.ts'
import type { Deps } from '../../deps.ts'
import { createGroup, requestToJoin } from '../groups/groups.ts'
import { findHistory } from '../history/history.ts'
import { sendSwapMessage } from '../chat/chat.ts'
import { editOwnProduct } from '../own-products/own-products.ts'
import { forgetInSwaps, invalidateSwaps } from './invalidate.ts'
import { counterSwap, moveSwap } from './move.ts'
import { requestSwap } from './propose.ts'
import { commitAs } from '../../../test/support/commit.ts'

type Screen = Entry & { items: Record<string, unknown>[] }

describe('a swap', () => {
  test('is visible only to its sides', async ({ service }) => {
    const { deps, given } = service
    const { swapId } = await givenProposal(service)
    const stranger = await given.user()
    for (const attempt of [
      () => commitAs(stranger, deps, moveSwap, { swapId, move: 'accept' }),
      () => commitAs(stranger, deps, moveSwap, { swapId: 1e9, move: 'accept' }),
      () => commitAs(stranger, deps, counterSwap, { swapId, proposal: { offered: [], requested: [] } }),
      () => commitAs(stranger, deps, sendSwapMessage, { swapId, text: 'Hello' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'This swap does not exist.' })
  })

  test('shows its products as everybody sees them: the verified revision, and no image of a rejected one', async ({
    service,
  }) => {
    const { owner, offered, requested, mine } = await givenPair(service)
    const swapId = await propose(mine, [offered], [requested])
    const edit = { title: 'Not verified', images: ['https://img.example.com/3.png'] }
    await commitAs(owner, service.deps, editOwnProduct, { productId: requested, edit })
    const expectShown = async (title: unknown, image_url: string | null) => {
      const screen = (await mine.get<Screen>(`/api/v1/swaps/${swapId}`)).json.data
      const [entry] = (await mine.get<Entry[]>('/api/v1/swaps')).json.data
      for (const shown of [
        screen['requested'],
        entry?.['requested'],
        screen.items.find(({ side }) => side === 'requested'),
      ])
        expect(shown).toMatchObject({ title, image_url })
    }
    await expectShown('A chair', 'https://img.example.com/1.png')
    const panel = await givenPanel(service)
    expect((await panel.post(`/mark-product-verified/${requested}`)).statusCode).toBe(200)
    await expectShown('Not verified', 'https://img.example.com/3.png')
    const refusal = { reason_code: 'offensive', message: 'Not here' }
    expect((await panel.post(`/reject-product/${requested}`, refusal)).statusCode).toBe(200)
    await expectShown(expect.any(String), null)
  })

  test('takes only products of its sides that are active and visible', async ({ service }) => {
    const { deps, given } = service
    const [requester, owner] = [await given.user(), await given.user()]
    const [mine, theirs] = [await givenProduct(deps, requester), await givenProduct(deps, owner)]
    const now = new Date(deps.clock.now())
    const unavailable = await Promise.all([
      givenProduct(deps, owner, { status: 'draft' }),
      givenProduct(deps, owner, { status: 'reserved' }),
      givenProduct(deps, owner, { hidden_at: now }),
      givenProduct(deps, owner, { deleted_at: now }),
      givenProduct(deps, owner, { verification: 'rejected' }),
    ])
    const before = await counted(deps)
    const wrong: [number[], number[], string][] = [
      ...unavailable.map((id): [number[], number[], string] => [[mine], [id], 'requested']),
      [[mine], [mine], 'requested'],
      [[theirs], [theirs], 'offered'],
      [[mine], [], 'requested'],
      [[], [theirs], 'offered'],
      [[mine, mine], [theirs], 'offered'],
      [[mine], [theirs, 1e9], 'requested'],
      [Array.from({ length: 21 }, (_, i) => i + 1), [theirs], 'offered'],
    ]
    for (const [offered, requested, field] of wrong) {
      const proposal = { offered, requested }
      await expect(commitAs(requester, deps, requestSwap, { proposal })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        extras: { errors: { [field]: expect.any(Array) } },
      })
    }
    expect(await counted(deps)).toEqual(before)
  })

  test('is read by opening it, not by asking for its headers', async ({ service }) => {
    const { owner, swapId } = await givenProposal(service)
    await drain(service)
    const call = (method: 'GET' | 'HEAD', url: string) => service.app.inject({ method, url, headers: owner.headers })
    const badge = async () => (await call('GET', '/api/v1/badge')).json().data.total
    expect(await badge()).toBe(1)
    expect((await call('HEAD', `/api/v1/swaps/${swapId}`)).statusCode).toBe(200)
    expect(await badge()).toBe(1)
    expect((await call('GET', `/api/v1/swaps/${swapId}`)).statusCode).toBe(200)
    expect(await badge()).toBe(0)
  })

  test('in a group is one between two of its members', async ({ service }) => {
    const { deps, given } = service
    const [requester, owner] = [await given.user(), await given.user()]
    const { group_id: groupId } = await commitAs(owner, deps, createGroup, { name: 'Ours', join_policy: 'open' })
    const proposal = { offered: [await givenProduct(deps, requester)], requested: [await givenProduct(deps, owner)] }
    const ask = () => commitAs(requester, deps, requestSwap, { proposal, groupId })
    await expect(ask()).rejects.toMatchObject({
      extras: { errors: { group_id: ['must be a group that both people are in'] } },
    })
    await commitAs(requester, deps, requestToJoin, { groupId })
    expect(await ask()).toMatchObject({ group_id: groupId, origin: 'request' })
    await deps.db.updateTable('groups').set({ status: 'archived' }).where('group_id', '=', groupId).execute()
    await expect(ask()).rejects.toMatchObject({ extras: { errors: { group_id: [expect.any(String)] } } })
  })
})

describe('what is said in a swap', () => {
  test('reaches the other side as a push that does not repeat it', async ({ service }) => {
    const { deps } = service
    const { requester, owner, swapId } = await givenProposal(service)
    // Ids are given to connections in blocks, so that only the time tells which message is the last.
    await service.clock.tick(1)
    const { swap_message_id: id } = await commitAs(owner, deps, sendSwapMessage, { swapId, text: 'Is it blue?' })
    const last = (await automaticMessages(deps)).at(-1)
    expect(last).toEqual({
      to: [requester.userId],
      data: {
        event: 'new_message',
        transaction_id: swapId,
        message_id: id,
        link: `swapbell://swaps/${swapId}/messages`,
      },
    })
    const { rows } = await deps.pool.query(`select 1 from messages where body like '%blue%'`)
    expect(rows).toEqual([])
  })

  test('has 1 to 2,000 characters, and ends with the swap', async ({ service }) => {
    const { deps } = service
    const { requester, swapId } = await givenProposal(service)
    for (const text of ['', '  ', 'up\u0000down'])
      await expect(commitAs(requester, deps, sendSwapMessage, { swapId, text })).rejects.toMatchObject({
        extras: { errors: { text: [expect.any(String)] } },
      })
    await commitAs(requester, deps, moveSwap, { swapId, move: 'withdraw' })
    const say = commitAs(requester, deps, sendSwapMessage, { swapId, text: 'Hello' })
    await expect(say).rejects.toMatchObject({ code: 'INVALID_STATE' })
  })
})

describe('when a product or an account goes', () => {
  test('its open swaps are invalidated, their products are free again, and the other side is notified', async ({
    service,
  }) => {
    const { deps } = service
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    const suspension = { userIds: [owner.userId], reason: 'user_suspended', actor: 'administrator' } as const
    const closed = await commitAs({ userId: 1e9 - 1 }, deps, invalidateSwaps, suspension).catch(() => -1)
    expect(closed).toBe(-1)
    expect(await swapStatus(deps, swapId)).toBe('accepted')
    await service.clock.tick(1)
    const { userId: actorId } = await service.given.admin()
    await commitAs({ userId: actorId }, deps, invalidateSwaps, suspension)
    expect(await swapStatus(deps, swapId)).toBe('invalidated')
    expect(await productStates(deps, [offered, requested])).toEqual(['active', 'active'])
    expect((await automaticMessages(deps)).at(-1)).toEqual({
      to: [requester.userId],
      data: {
        event: 'swap_status',
        transaction_id: swapId,
        status: 'invalidated',
        link: `swapbell://swaps/${swapId}`,
      },
    })
    expect((await findHistory(deps.db, 'swap', swapId))[0]).toMatchObject({ note: 'user_suspended', actor_id: actorId })
  })

  test('a product takes with it every open swap that names it, and no other', async ({ service }) => {
    const { deps } = service
    const [gone, stays] = [await givenProposal(service), await givenProposal(service)]
    await service.clock.tick(1)
    await commitAs(gone.requester, deps, invalidateSwaps, {
      productIds: [gone.offered],
      reason: 'product_deleted',
      actor: 'user',
    })
    expect([await swapStatus(deps, gone.swapId), await swapStatus(deps, stays.swapId)]).toEqual([
      'invalidated',
      'pending',
    ])
    expect((await automaticMessages(deps)).at(-1)?.to).toEqual([gone.owner.userId])
  })

  test('what a person wrote is forgotten, and what the other wrote stays', async ({ service }) => {
    const { deps } = service
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    const proposal = { offered: [offered], requested: [requested], note: 'by the owner' }
    await commitAs(owner, deps, counterSwap, { swapId, proposal })
    await commitAs(requester, deps, counterSwap, { swapId, proposal: { ...proposal, note: 'by the requester' } })
    await deps.db.transaction().execute((tx) => forgetInSwaps(tx, [requester.userId]))
    const rounds = await deps.db
      .selectFrom('swap_rounds')
      .select('note')
      .where('swap_id', '=', swapId)
      .orderBy('round')
      .execute()
    expect(rounds.map((round) => round.note)).toEqual([null, 'by the owner', null])
  })
})

async function counted({ pool }: Deps): Promise<unknown> {
  const { rows } = await pool.query(
    `select (select count(*) from swaps) swaps, (select count(*) from swap_items) items, (select count(*) from swap_rounds) rounds,
      (select count(*) from messages) messages, (select count(*) from state_changes) changes`,
  )
  return rows
}
