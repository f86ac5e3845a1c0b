import { describe, expect } from 'vitest'
import { call, people, test } from '../../../test/support/approvals.ts'
import { drain } from '../../../test/support/drain.ts'
import { usersWithPhones } from '../../../test/support/campaign.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { resumeByHand } from '../../push/pipeline/halt.ts'
import type { Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'

const CONTENT = { title: 'To some', text: 'Swap weekend' }
const HOUR_MS = 3_600_000

describe('A send to test users who became more before it began', () => {
  test('is paused: nobody approved so many, also when it is resumed', async ({ service }) => {
    const { sender, users, ids } = await givenPausedSends(service, 1)
    await markTestUsers(sender, users)
    for (let again = 0; again < 2; again++) {
      expect((await control(service, sender, ids[0]!, 'resume')).statusCode).toBe(200)
      await drain(service)
      expect(await reached(service, ids[0]!)).toEqual([])
      expect(await statusOf(service, ids[0]!)).toMatchObject({ status: 'paused', pause_reason: 'ApprovalNeeded' })
    }
  })

  test('goes on neither by the sweep nor by a resume of sending', async ({ service }) => {
    const { sender, users, ids } = await givenPausedSends(service, 1)
    await markTestUsers(sender, users)
    expect((await control(service, sender, ids[0]!, 'resume')).statusCode).toBe(200)
    await drain(service)
    const paused = await statusOf(service, ids[0]!)
    await service.clock.setTime(service.clock.now() + HOUR_MS)
    await sweep(service.deps)
    expect(await resumeByHand(service.deps, THE_SERVICE)).toBe(0)
    expect(await statusOf(service, ids[0]!)).toEqual(paused)
    expect(paused).toMatchObject({ pause_reason: 'ApprovalNeeded' })
  })

  test('counts in the hour in which it begins, so several cannot reach one group after another', async ({
    service,
  }) => {
    const { sender, users, ids } = await givenPausedSends(service, 2)
    await service.clock.setTime(service.clock.now() + 2 * HOUR_MS)
    for (const [at, group] of [users.slice(0, 2), users.slice(2)].entries()) {
      await service.deps.db.updateTable('users').set({ is_test_user: false }).execute()
      await markTestUsers(sender, group)
      await control(service, sender, ids[at]!, 'resume')
      await drain(service)
    }
    expect(await Promise.all(ids.map((id) => reached(service, id)))).toEqual([users.slice(0, 2), []])
  })
})

/** Sends to one test user, which their sender paused before they began, and four people with phones. */
async function givenPausedSends(service: Service, count: number) {
  await service.deps.db.updateTable('users').set({ is_test_user: false }).execute()
  const [sender] = await people(service)
  const users = (await usersWithPhones(service, 4)).map(({ userId }) => userId)
  await markTestUsers(sender, users.slice(0, 1))
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    const { data } = (await call(service, sender, 'send-notification-sandbox', CONTENT)).json()
    expect((await control(service, sender, data.notification_id, 'pause')).statusCode).toBe(200)
    ids.push(data.notification_id)
  }
  return { sender, users, ids }
}

async function markTestUsers(sender: Panel, users: number[]): Promise<void> {
  for (const id of users) expect((await sender.patch('/user-update', { id, is_test_user: true })).statusCode).toBe(200)
}

function control(service: Service, sender: Panel, id: number, verb: 'pause' | 'resume') {
  return call(service, sender, `promotional-notifications/${id}/${verb}`)
}

async function reached({ deps }: Service, id: number): Promise<number[]> {
  const copies = await deps.db.selectFrom('notifications').select('user_id').where('message_id', '=', id).execute()
  return copies.map(({ user_id }) => user_id).toSorted((a, b) => a - b)
}

function statusOf({ deps }: Service, id: number) {
  const message = deps.db.selectFrom('messages').select(['status', 'pause_reason']).where('message_id', '=', id)
  return message.executeTakeFirst()
}
