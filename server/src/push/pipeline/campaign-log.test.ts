import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { Service } from '../../../test/support/service.ts'
import { sendToAll } from '../../../test/support/send.ts'
import { createFailureLog } from './failure-log.ts'
import { runOnce } from './submit.ts'

type Line = { level: string; msg: string } & Record<string, unknown>

function toLines(service: Service, msg: string): Line[] {
  const lines = service.logged().split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg)
}

describe('The log', () => {
  test('has a line when a campaign has its batches, and one with its counts when it is completed', async ({
    service,
    given,
    clock,
  }) => {
    await usersWithPhones(service, 3)
    await given.user()
    await given.user({ devices: [{ token: 'ExponentPushToken[dead-one]' }] })
    const { userId: senderId } = await given.admin()
    const id = await sendToAll(service.deps, { title: 'Hello', text: 'There' }, senderId)
    await service.deps.db
      .updateTable('messages')
      .set({ started_at: new Date(clock.now()) })
      .execute()
    await clock.setTime(clock.now() + 90_000)
    await drain(service)
    expect(toLines(service, 'a campaign has all its batches')).toMatchObject([{ level: 'info', message_id: id }])
    expect(toLines(service, 'a campaign was completed')).toMatchObject([
      { level: 'info', message_id: id, seconds: 90, notified: 4, notifications: 4, sent: 3, failed: 1, delivered: 0 },
    ])
    await send(service, await usersWithPhones(service, 1), { promotional: false })
    await drain(service)
    expect(toLines(service, 'a campaign was completed')).toHaveLength(1)
  })

  test('has a line when a campaign is stopped, and none when it is stopped again', async ({ service, given }) => {
    const id = await send(service, await usersWithPhones(service, 2))
    const { headers } = await given.admin()
    const stop = () => service.app.inject({ method: 'POST', url: `/api/admin/notifications/${id}/stop`, headers })
    for (let n = 0; n < 2; n++) expect((await stop()).statusCode).toBe(200)
    expect(toLines(service, 'a campaign was stopped')).toMatchObject([
      { level: 'info', message_id: id, selected: 2, skipped: 2, notified: 0 },
    ])
  })

  test('has a line for a code of the provider, at most one a minute, with the copies since the last', async ({
    service,
    given,
    clock,
  }) => {
    const { deps } = service
    const failures = createFailureLog(deps, 'expo')
    const lane = { ...deps, ...deps.providers[0], failures }
    const sendDead = async (count: number) => {
      const devices = Array.from({ length: count }, () => ({ token: `ExponentPushToken[dead-${Math.random()}]` }))
      await send(service, [await given.user({ devices: [{}, ...devices] })])
      await runOnce(lane, 'campaign', new AbortController().signal)
    }
    const told = () => toLines(service, 'the provider did not accept pushes').map(({ code, copies }) => [code, copies])
    await sendDead(1)
    expect(told()).toEqual([['DeviceNotRegistered', 1]])
    await sendDead(2)
    await sendDead(3)
    expect(told()).toHaveLength(1)
    await clock.setTime(clock.now() + 60_000)
    failures.tell()
    failures.tell()
    expect(told()).toEqual([
      ['DeviceNotRegistered', 1],
      ['DeviceNotRegistered', 5],
    ])
    expect(toLines(service, 'the provider did not accept pushes')[0]).toMatchObject({ level: 'warn', provider: 'expo' })
  })
})
