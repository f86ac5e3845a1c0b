// Slow: a second or more for each test, or five for the file.
import { beforeEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, expectTruth, send, tell, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { readLedger, storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { changePreferences } from '../../identity/settings/preferences.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inWork } from '../../platform/work/work.ts'

const HOUR_MS = 3_600_000
const NIGHT = { quiet_hours: { start: '22:00', end: '07:00' } }

let night = Date.UTC(2028, 0, 10, 23, 30)
beforeEach<{ service: Service }>(async ({ service }) => {
  await drain(service)
  service.simulator.reset()
  await service.clock.setTime((night += 24 * HOUR_MS))
})

describe('What waits for the end of quiet hours', () => {
  test('is sent at once when they are switched off, and others of its batch wait on', async ({ service, clock }) => {
    const [ada, bob] = await sleepers(service, 2)
    const campaign = await send(service, [ada, bob])
    const [single, chat] = [
      await tell(service, [ada]),
      await tell(service, [ada], { place: { screen: 'swapMessages', id: 7 } }),
    ]
    await drain(service)
    expect(await listDelivered(service, campaign, single, chat)).toEqual([[], [], []])

    await change(service, ada, { quiet_hours: null })
    await drain(service)
    expect(await listDelivered(service, campaign, single, chat)).toEqual([[ada.userId], [ada.userId], [ada.userId]])
    expect(await openWork(service, campaign)).toEqual([{ places: [1], due_at: new Date(night + 7.5 * HOUR_MS) }])
    expect(await storedCounts(service, campaign)).toMatchObject({ selected: 2, skipped: 0, notified: 1 })

    await clock.setTime(night + 7.5 * HOUR_MS)
    await drain(service)
    for (const messageId of [campaign, single, chat]) await expectTruth(service, messageId)
    expect(await readLedger(service, campaign)).toMatchObject({ accepted: 2, duplicated: 0 })
  })

  test.for<[what: string, change: object, hours: number]>([
    ['an earlier end', { quiet_hours: { start: '22:00', end: '01:00' } }, 1.5],
    ['a later end', { quiet_hours: { start: '22:00', end: '09:00' } }, 9.5],
  ])('waits for %s, and sleeps until then', async ([, payload, hours], { service, clock, deps }) => {
    const [ada] = await sleepers(service, 1)
    const messageId = await tell(service, [ada])
    await drain(service)
    await change(service, ada, payload)
    await drain(service)
    const due = new Date(night + hours * HOUR_MS)
    expect(await openWork(service, messageId)).toEqual([{ places: [0], due_at: due }])
    const message = deps.db.selectFrom('messages').select('sleeps_until').where('message_id', '=', messageId)
    expect(await message.executeTakeFirst()).toEqual({ sleeps_until: due })

    await clock.setTime(due.getTime())
    await drain(service)
    expect(await listDelivered(service, messageId)).toEqual([[ada.userId]])
  })

  test('follows a new time zone', async ({ service, app }) => {
    const [ada] = await sleepers(service, 1)
    const messageId = await tell(service, [ada])
    await drain(service)
    const payload = { time_zone: 'America/New_York' }
    const answer = await app.inject({ method: 'PATCH', url: '/api/v1/me', headers: ada.headers, payload })
    expect(answer.statusCode).toBe(200)
    await drain(service)
    expect(await listDelivered(service, messageId)).toEqual([[ada.userId]])
  })

  test('is skipped when its kind is muted meanwhile, and sent when it is excepted', async ({ service }) => {
    const [ada, bob] = await sleepers(service, 2)
    const [muted, excepted] = [await tell(service, [ada]), await tell(service, [bob])]
    await drain(service)
    await change(service, ada, { events: { swap_status: false } })
    await change(service, bob, { quiet_hours: { ...NIGHT.quiet_hours, except: ['swap_status'] } })
    await drain(service)
    expect(await storedCounts(service, muted)).toMatchObject({ selected: 1, skipped: 1 })
    expect(await listDelivered(service, muted, excepted)).toEqual([[], [bob.userId]])
  })

  test('also as a copy that is tried again', async ({ service, clock, simulator }) => {
    const [ada] = (await usersWithPhones(service, 1)) as [GivenUser]
    simulator.script([{ match: 'send', ticketErrors: { 0: 'MessageRateExceeded' } }])
    const messageId = await send(service, [ada])
    await drain(service)
    await change(service, ada, NIGHT)
    await clock.tick(61_000)
    await drain(service)
    expect(await openWork(service, messageId)).toMatchObject([{ due_at: new Date(night + 7.5 * HOUR_MS) }])
    await change(service, ada, { quiet_hours: null })
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 2 }])
  })

  test('is decided a second later while the change is not stored yet', async ({ service, deps, clock }) => {
    const [ada] = await sleepers(service, 1)
    const messageId = await tell(service, [ada])
    await inWork(deps, { ...THE_SERVICE, userId: ada.userId }, async (work) => {
      await changePreferences(work, { ...deps, change: { quiet_hours: null } })
      await drain(service)
      expect(await openWork(service, messageId)).toMatchObject([{ due_at: new Date(night + 1_000) }])
    })
    await clock.tick(1_000)
    await drain(service)
    expect(await listDelivered(service, messageId)).toEqual([[ada.userId]])
  })
})

async function sleepers(service: Service, count: 1): Promise<[GivenUser]>
async function sleepers(service: Service, count: 2): Promise<[GivenUser, GivenUser]>
async function sleepers(service: Service, count: number): Promise<GivenUser[]> {
  const users = await usersWithPhones(service, count)
  for (const user of users) await change(service, user, NIGHT)
  return users
}

async function change({ app }: Service, { headers }: GivenUser, payload: object): Promise<void> {
  const answer = await app.inject({ method: 'PATCH', url: '/api/v1/me/settings', headers, payload })
  expect(answer.statusCode).toBe(200)
}

/** Who was rung by each message. */
async function listDelivered({ deps }: Service, ...messageIds: number[]): Promise<number[][]> {
  const copies = deps.db.selectFrom('notifications').select(['message_id', 'user_id']).where('is_send', '=', true)
  const rows = await copies.where('message_id', 'in', messageIds).execute()
  return messageIds.map((messageId) => rows.filter((row) => row.message_id === messageId).map((row) => row.user_id))
}

function openWork({ deps }: Service, messageId: number) {
  return deps.db.selectFrom('work').select(['places', 'due_at']).where('message_id', '=', messageId).execute()
}
