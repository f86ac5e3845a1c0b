// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectTruth } from '../../../test/support/campaign.ts'
import { commitAs, commitWork } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { blockUser } from '../../identity/blocks/blocks.ts'
import { sendSwapMessage } from '../chat/chat.ts'
import { createGroup, requestToJoin } from '../groups/groups.ts'
import { moveSwap } from '../swaps/move.ts'
import { publish } from './publish.ts'

const HOUR_MS = 3_600_000
let night = Date.UTC(2030, 0, 10, 23, 30)

type Cause = (service: Service, from: GivenUser, to: GivenUser, swapId: number) => Promise<unknown>
type Way = (
  service: Service,
  to: GivenUser,
  act: { cause: () => Promise<unknown>; block: () => Promise<unknown> },
) => Promise<void>

const CAUSES: [string, Cause][] = [
  ['a line of a chat', ({ deps }, from, _, swapId) => commitAs(from, deps, sendSwapMessage, { swapId, text: 'Hello' })],
  ['a move of a swap', ({ deps }, from, _, swapId) => commitAs(from, deps, moveSwap, { swapId, move: 'withdraw' })],
  [
    'a match',
    ({ deps }, { userId }, to) =>
      commitWork(deps, publish, [
        { name: 'match', facts: { productId: 1, userId }, by: userId, recipients: [to.userId] },
      ]),
  ],
  [
    'a request to join',
    async ({ deps }, from, to) => {
      const { group_id: groupId } = await commitAs(to, deps, createGroup, { name: 'Bikes', join_policy: 'request' })
      await commitAs(from, deps, requestToJoin, { groupId })
    },
  ],
  [
    'an invitation',
    ({ deps }, from, to) =>
      commitWork(deps, publish, [
        { name: 'group.invited', facts: { groupId: 1 }, by: from.userId, recipients: [to.userId] },
      ]),
  ],
  [
    'a push that the sender wrote',
    async ({ app }, { headers }, { userId: admin_user_id }) => {
      const payload = { admin_user_id, title: 'Join?', text: 'Please', link: 'swapbell://groups/1' }
      const url = '/api/send-group-join-notification'
      expect((await app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(202)
    },
  ],
]

const WAYS: [string, Way][] = [
  [
    'waits for the end of quiet hours',
    async (service, { headers }, { cause, block }) => {
      const payload = { quiet_hours: { start: '22:00', end: '07:00' } }
      const answer = await service.app.inject({ method: 'PATCH', url: '/api/v1/me/settings', headers, payload })
      expect(answer.statusCode).toBe(200)
      await cause()
      await drain(service)
      await block()
      await service.clock.setTime(night + 8 * HOUR_MS)
    },
  ],
  [
    'is to be tried again',
    async (service, { devices: [phone] }, { cause, block }) => {
      service.simulator.script([{ match: 'send', ticketErrors: { [phone!.token]: 'MessageRateExceeded' } }])
      await cause()
      await drain(service)
      await block()
      await service.clock.tick(61_000)
    },
  ],
]

describe.for(WAYS)('Nobody hears from whom they have blocked: a push that %s,', ([, way]) => {
  test.for(CAUSES)('about %s', async ([, cause], { service }) => {
    const { deps, simulator, app, clock } = service
    await clock.setTime((night += 24 * HOUR_MS))
    const { owner: to, requester: from, swapId } = await givenProposal(service)
    await drain(service)
    const earlier = await listMessages(service)
    await app.inject({
      method: 'POST',
      url: '/api/v1/inbox/read',
      headers: to.headers,
      payload: { subject: `swap:${swapId}` },
    })
    simulator.reset()
    await way(service, to, {
      cause: () => cause(service, from, to, swapId),
      block: () => commitAs(to, deps, blockUser, from.userId),
    })
    await drain(service)
    expect(simulator.log().filter(({ token }) => to.devices.some((phone) => phone.token === token))).toEqual([])
    const badge = await app.inject({ url: '/api/v1/badge', headers: to.headers })
    expect(badge.json()).toMatchObject({ data: { notifications: 0 } })
    const unread = await app.inject({ url: '/api/notification', headers: to.headers })
    expect(unread.json()).toMatchObject({ unread_count: 0, data: [] })
    const later = (await listMessages(service)).filter((id) => !earlier.includes(id))
    expect(later).toHaveLength(1)
    await expectTruth(service, later[0]!)
  })
})

async function listMessages({ deps }: Service): Promise<number[]> {
  return (await deps.db.selectFrom('messages').select('message_id').execute()).map((row) => row.message_id)
}
