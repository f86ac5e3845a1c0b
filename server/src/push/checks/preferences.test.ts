// Slow: a second or more for each test, or five for the file.
import { beforeEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, expectTruth, send, tell, usersWithPhones } from '../../../test/support/campaign.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { readLedger, storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { stopMessage } from '../messages/control.ts'
import { findOpenWork } from '../pipeline/poller.queries.ts'

const HOUR_MS = 3_600_000
const MORNING = Date.UTC(2027, 0, 11, 6, 0)

let today = Date.UTC(2027, 0, 10, 23, 30)
beforeEach<{ service: Service }>(async ({ service }) => {
  await drain(service)
  service.simulator.reset()
  // A night of its own for each test.
  await service.clock.setTime((today += 24 * HOUR_MS))
})

/** The end of the quiet hours of the night that the test is in. */
function morning(): number {
  return MORNING + today - Date.UTC(2027, 0, 10, 23, 30)
}

describe('A push to somebody in quiet hours', () => {
  test('waits until they end in their zone, and is counted as waiting', async ({ service, deps, clock }) => {
    const [asleep, awake] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
    await sleepAtNight(service, asleep)

    const messageId = await send(service, [asleep, awake])
    await drain(service)

    expect(await readCopies(service, messageId)).toHaveLength(1)
    expect(await openBatches(service, messageId)).toEqual([{ places: [0], due_at: new Date(morning()) }])
    expect(await storedCounts(service, messageId)).toMatchObject({ selected: 2, skipped: 0, notified: 1 })

    await clock.setTime(morning() + 1)
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ expected: 2, accepted: 2 })
    await expectTruth(service, messageId)
    expect(await readStatus(deps, messageId)).toBe('completed')
  })

  test('shares one batch with the others who wait for the same minute', async ({ service }) => {
    const users = await usersWithPhones(service, 12)
    for (const [index, user] of users.entries()) {
      if (index < 8) await sleepAtNight(service, user)
      else if (index < 11) await sleepAtNight(service, user, { end: '08:30' })
    }
    const messageId = await send(service, users)
    await drain(service)
    const open = await openBatches(service, messageId)
    expect(open.map((batch) => batch.places.length).toSorted((a, b) => a - b)).toEqual([3, 8])
    expect(await storedCounts(service, messageId)).toMatchObject({ selected: 12, skipped: 0, notified: 1 })
  })

  test('of a kind that they except comes at once; a muted kind is skipped as opted out', async ({ service }) => {
    const [ada, bob, eve] = (await usersWithPhones(service, 3)) as [GivenUser, GivenUser, GivenUser]
    await sleepAtNight(service, ada, { except: ['new_message'] })
    await sleepAtNight(service, bob)
    await change(service, eve, { events: { new_message: false } })

    const messageId = await tell(service, [ada, bob, eve], { event: 'new_message' })
    const system = await tell(service, [ada, bob, eve], { event: 'system' })
    await drain(service)

    expect(await readUsers(service, messageId)).toEqual([ada.userId])
    expect(await readUsers(service, system)).toEqual([eve.userId])
    expect((await openBatches(service, messageId)).map((batch) => batch.places)).toEqual([[1]])
    expect(await toSkips(service, messageId)).toEqual([{ reason: 'opted_out', user_ids: [eve.userId] }])
    expect(await storedCounts(service, messageId)).toMatchObject({ selected: 3, skipped: 1, notified: 1 })
  })

  test('does not keep a worker busy: it sleeps, and the poller knows until when', async ({ service, deps, clock }) => {
    const [ada] = (await usersWithPhones(service, 1)) as [GivenUser]
    await sleepAtNight(service, ada)
    const messageId = await tell(service, [ada], { event: 'system' })
    await drain(service)

    const { sleeps_until } = await deps.db
      .selectFrom('messages')
      .select('sleeps_until')
      .where('message_id', '=', messageId)
      .executeTakeFirstOrThrow()
    expect(sleeps_until).toEqual(new Date(morning()))
    const work = await findOpenWork(deps.db, 0, ['expo'], new Date(deps.clock.now()))
    expect(work.lanes[0]?.transactional_due).toBe(morning())

    await clock.setTime(morning())
    await drain(service)
    expect(await readUsers(service, messageId)).toEqual([ada.userId])
    await expectTruth(service, messageId)
  })

  test('that is to be tried again waits too, with the attempts that are left', async ({
    service,
    clock,
    simulator,
  }) => {
    const [ada, bob] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
    simulator.script([{ match: 'send', ticketErrors: { 0: 'MessageRateExceeded', 1: 'MessageRateExceeded' } }])
    const messageId = await send(service, [ada, bob])
    await drain(service)
    await sleepAtNight(service, ada)
    await clock.tick(61_000)
    await drain(service)

    expect((await readLedger(service, messageId)).accepted).toBe(1)
    expect(await openBatches(service, messageId)).toEqual([{ places: [0], due_at: new Date(morning()) }])

    await clock.setTime(morning())
    await drain(service)
    expect((await readCopies(service, messageId)).map(({ attempts, is_send }) => ({ attempts, is_send }))).toEqual([
      { attempts: 2, is_send: true },
      { attempts: 2, is_send: true },
    ])
    await expectTruth(service, messageId)
  })

  test('of a message that is stopped in the night is skipped as stopped', async ({ service, deps }) => {
    const [ada, bob] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
    await sleepAtNight(service, ada)
    const messageId = await send(service, [ada, bob])
    await drain(service)
    await commitWork(deps, stopMessage, messageId)
    expect(await toSkips(service, messageId)).toEqual([{ reason: 'stopped', user_ids: [ada.userId] }])
    await expectTruth(service, messageId)
  })

  test('of a message whose time limit is before their end expires', async ({ service, deps, clock }) => {
    const [ada] = (await usersWithPhones(service, 1)) as [GivenUser]
    await sleepAtNight(service, ada)
    const messageId = await tell(service, [ada], { event: 'system' })
    await drain(service)
    await deps.db
      .updateTable('messages')
      .set({ expires_at: new Date(morning() - 1) })
      .where('message_id', '=', messageId)
      .execute()
    await clock.setTime(morning())
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ error_message: 'MessageExpired', attempts: 0 }])
    await expectTruth(service, messageId)
  })

  test('that is a test send comes at once', async ({ service, app, given }) => {
    const [ada] = (await usersWithPhones(service, 1)) as [GivenUser]
    await sleepAtNight(service, ada)
    const url = `/api/send-test-notification?user_id=${ada.userId}&title=Hi&text=There`
    expect((await app.inject({ url, headers: (await given.admin()).headers })).statusCode).toBe(202)
    await drain(service)
    expect(service.simulator.log()).toHaveLength(1)
  })
})

describe('A message to users inside and outside quiet hours', () => {
  test('counts each once: sent to or waiting', async ({ service, clock }) => {
    const users = await usersWithPhones(service, 120)
    const sleepers = users.filter((_, index) => index % 3 === 0)
    await Promise.all(sleepers.map((user) => sleepAtNight(service, user)))
    const messageId = await send(service, users)
    await drain(service)
    expect(await storedCounts(service, messageId)).toMatchObject({ selected: 120, skipped: 0, notified: 80 })
    await clock.setTime(morning())
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ expected: 120, accepted: 120, duplicated: 0 })
    await expectTruth(service, messageId)
  })
})

function sleepAtNight(service: Service, user: GivenUser, change_: object = {}): Promise<void> {
  return change(service, user, { quiet_hours: { start: '22:00', end: '07:00', ...change_ }, zone: 'Europe/Berlin' })
}

async function change(
  service: Service,
  user: GivenUser,
  { zone = 'Europe/Berlin', ...payload }: Record<string, unknown>,
) {
  const set = { time_zone: String(zone) }
  await service.deps.db.updateTable('users').set(set).where('user_id', '=', user.userId).execute()
  const { headers } = user
  const answer = await service.app.inject({ method: 'PATCH', url: '/api/v1/me/settings', headers, payload })
  expect(answer.statusCode).toBe(200)
}

async function readUsers({ deps }: Service, messageId: number): Promise<number[]> {
  const copies = deps.db.selectFrom('notifications').select('user_id').where('message_id', '=', messageId)
  return (await copies.orderBy('user_id').execute()).map((copy) => copy.user_id)
}

function openBatches({ deps }: Service, messageId: number) {
  return deps.db
    .selectFrom('work')
    .select(['places', 'due_at'])
    .where('message_id', '=', messageId)
    .orderBy('due_at')
    .execute()
}

function toSkips({ deps }: Service, messageId: number) {
  return deps.db.selectFrom('skips').select(['reason', 'user_ids']).where('message_id', '=', messageId).execute()
}

async function readStatus({ db }: Service['deps'], messageId: number): Promise<string> {
  const message = db.selectFrom('messages').select('status').where('message_id', '=', messageId)
  return (await message.executeTakeFirstOrThrow()).status
}
