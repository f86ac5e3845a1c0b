// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { sql } from 'kysely'
import { test } from '../../../test/support/app.ts'
import { send, sendToEveryone } from '../../../test/support/campaign.ts'
import { campaigns } from '../../../test/support/campaign-world.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'
import { coordinate } from '../pipeline/coordinate.ts'

const DAY_MS = 86_400_000

type Person = {
  user_id: number
  name: string
  outcome: string
  skip_reason: string | null
  skipped_at: string | null
  notifications: { state: string; error_message: string | null; device_id: string }[]
}
type Counts = { selected: number; skipped: Record<string, number> }
type Page = { data: Person[]; next_cursor: string | null }
type Query = Record<string, string | number>

async function get({ app, given }: Service, messageId: number, query: Query = {}) {
  const { headers } = await given.admin()
  const url = `/api/admin/notifications/${messageId}/people`
  return app.inject({ url, query: query as Record<string, string>, headers })
}

/** All pages; each page but the last leads on, and no person comes twice. */
async function readPeople(service: Service, messageId: number, query: Query = {}): Promise<Person[]> {
  const people: Person[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const answer = await get(service, messageId, { ...query, ...(cursor && { cursor }) })
    expect(answer.statusCode).toBe(200)
    const page = answer.json<Page>()
    people.push(...page.data)
    cursor = page.next_cursor
  }
  expect(new Set(people.map((person) => person.user_id)).size).toBe(people.length)
  return people
}

async function readSaid(service: Service, messageId: number, query: Query = {}) {
  const people = await readPeople(service, messageId, query)
  expect(await readPeople(service, messageId, { ...query, limit: 1 })).toEqual(people)
  return people.map(({ name, outcome, skip_reason }) => `${name}: ${outcome} ${skip_reason ?? ''}`.trim())
}

async function expectPeopleAsCounted(service: Service, messageId: number): Promise<void> {
  const { headers } = await service.given.admin()
  const answer = await service.app.inject({ url: `/api/admin/notifications/${messageId}`, headers })
  const { selected, skipped } = answer.json<{ summary: { counts: Counts } }>().summary.counts
  expect(await readPeople(service, messageId)).toHaveLength(selected)
  for (const [skip_reason, count] of Object.entries(skipped))
    expect(await readPeople(service, messageId, { skip_reason })).toHaveLength(count)
}

async function stop({ app, given }: Service, messageId: number): Promise<void> {
  const { headers } = await given.admin()
  const answer = await app.inject({ method: 'POST', url: `/api/admin/notifications/${messageId}/stop`, headers })
  expect(answer.statusCode).toBe(200)
}

const ALL = ['Ada 100% Byron', 'Bob 100 Byron', 'Cho\\Lee', 'Dan']

describe('GET /api/admin/notifications/{notification_id}/people', () => {
  campaigns.for<[Query, string[]]>([
    [{}, ALL],
    [{ status: 'sent' }, ['Ada 100% Byron', 'Bob 100 Byron', 'Dan']],
    [{ status: 'delivered' }, ['Ada 100% Byron', 'Bob 100 Byron']],
    [{ status: 'opened' }, ['Bob 100 Byron']],
    [{ status: 'failed' }, ['Cho\\Lee', 'Dan']],
    [{ status: 'skipped' }, []],
    [{ platform: 'android' }, ['Ada 100% Byron', 'Dan']],
    [{ platform: 'android', status: 'delivered' }, ['Ada 100% Byron']],
    [{ platform: 'android', status: 'opened' }, []],
    [{ search: 'BYRON' }, ['Ada 100% Byron', 'Bob 100 Byron']],
    [{ search: 'example.org' }, ['Cho\\Lee']],
    [{ search: '%' }, ['Ada 100% Byron']],
    [{ search: 'an', status: 'failed' }, []],
    [{ search: 'da', status: 'failed' }, ['Dan']],
    [{ search: "'; drop table users; --" }, []],
  ])('filtered by %j shows %j', async ([query, names], { service, messageId }) => {
    expect((await readPeople(service, messageId, query)).map(({ name }) => name)).toEqual(names)
    const paged = await readPeople(service, messageId, { ...query, limit: 1 })
    expect(paged.map(({ name }) => name)).toEqual(names)
  })

  campaigns(
    'has one row for a person with each copy and its fault, and no push token',
    async ({ service, messageId }) => {
      const [ada, , cho, dan] = await readPeople(service, messageId)
      expect(ada).toMatchObject({ outcome: 'notified', skip_reason: null, skipped_at: null })
      expect(ada?.notifications.map(({ state }) => state)).toEqual(['Delivered', 'Delivered'])
      expect(cho?.notifications).toMatchObject([{ state: 'Permanently Failed', error_message: 'DeviceNotRegistered' }])
      expect(dan?.notifications).toMatchObject([{ state: 'Delivery Failed', error_message: 'DeviceNotRegistered' }])
      const { summary } = (await get(service, messageId)).json<{ summary: object }>()
      expect(summary).toMatchObject({ notification_id: messageId, counts: { selected: 4, failed: 2 } })
      expect(JSON.stringify([ada, cho, dan])).not.toContain('ExponentPushToken')
    },
  )

  campaigns.for<[string, string | number]>([
    ['status', 'lost'],
    ['skip_reason', 'lazy'],
    ['platform', 'windows'],
    ['search', 'x'.repeat(201)],
    ['cursor', 'abc'],
    ['limit', 0],
  ])('refuses %s = “%s”', async ([field, value], { service, messageId }) => {
    expectInvalid(await get(service, messageId, { [field]: value }), field)
  })

  campaigns('is 404 for an id that is no message’s', async ({ service }) => {
    expectError(await get(service, 999_999_999), 404, 'NOT_FOUND')
    expectInvalid(
      await service.app.inject({
        url: '/api/admin/notifications/0/people',
        headers: (await service.given.admin()).headers,
      }),
      'notification_id',
    )
  })

  campaigns('is for administrators', async ({ service, messageId }) => {
    for (const role of ['user', 'analyst', 'moderator'] as const) {
      const { headers } = await service.given.user({ role })
      const answer = await service.app.inject({ url: `/api/admin/notifications/${messageId}/people`, headers })
      expectError(answer, 403, 'FORBIDDEN')
    }
  })

  test('says of everybody of a send to named users why they got nothing, also by name and by id', async ({
    service,
    given,
    clock,
  }) => {
    const ann = await given.user({ name: 'Ann Notified', devices: [{}] })
    const ben = await given.user({ name: 'Ben Phoneless' })
    const cat = await given.user({ name: 'Cat Silent', devices: [{}], notification: '0' })
    const dot = await given.user({ name: 'Dot Phoneless' })
    await given.user({ name: 'Eve Phoneless' })
    const id = await send(service, [ann, ben, cat, dot], { promotional: false })
    expect(await readSaid(service, id, { search: 'Ben' })).toEqual(['Ben Phoneless: waiting'])
    await drain(service)
    const all = [
      'Ann Notified: notified',
      'Ben Phoneless: skipped no_device',
      'Cat Silent: skipped opted_out',
      'Dot Phoneless: skipped no_device',
    ]
    const [, phoneless, silent, last] = all
    expect(await readSaid(service, id)).toEqual(all)
    expect(await readSaid(service, id, { status: 'skipped' })).toEqual([phoneless, silent, last])
    expect(await readSaid(service, id, { skip_reason: 'no_device' })).toEqual([phoneless, last])
    expect(await readSaid(service, id, { skip_reason: 'stale' })).toEqual([])
    expect(await readSaid(service, id, { skip_reason: 'no_device', status: 'failed' })).toEqual([])
    expect(await readSaid(service, id, { search: 'Phoneless' })).toEqual([phoneless, last])
    expect(await readSaid(service, id, { search: 'cat', skip_reason: 'no_device' })).toEqual([])
    expect(await readSaid(service, id, { search: String(cat.userId) })).toEqual([silent])
    const [row] = await readPeople(service, id, { search: 'Dot' })
    expect(row).toMatchObject({ skipped_at: new Date(clock.now()).toISOString(), notifications: [] })
  })

  test('of a bulk send tells apart who waits, who was left out by a stop, and who came or went', async ({
    service,
    given,
    deps,
  }) => {
    const ann = await given.user({ name: 'Zoe Early', devices: [{}] })
    await given.user({ name: 'Zoe Inactive', status: 'inactive', devices: [{}] })
    const gone = await given.user({ name: 'Zoe Gone', devices: [{}] })
    await deps.db
      .updateTable('users')
      .set({ deleted_at: new Date(0) })
      .where('user_id', '=', gone.userId)
      .execute()
    const id = await sendToEveryone(service)
    await given.user({ name: 'Zoe Late', devices: [{}] })
    expect(await readSaid(service, id, { search: 'Zoe' })).toEqual(['Zoe Early: waiting', 'Zoe Inactive: waiting'])
    await drain(service)
    expect(await readSaid(service, id, { search: 'Zoe' })).toEqual([
      'Zoe Early: notified',
      'Zoe Inactive: skipped inactive',
    ])
    const stopped = await sendToEveryone(service)
    await stop(service, stopped)
    await drain(service)
    const left = await readSaid(service, stopped, { skip_reason: 'stopped' })
    expect(left).toEqual(await readSaid(service, stopped))
    expect(left).toEqual(await readSaid(service, stopped, { status: 'skipped' }))
    expect(left).toContain('Zoe Early: skipped stopped')
    expect(left).not.toContain('Zoe Gone: skipped stopped')
    expect(await readSaid(service, stopped, { skip_reason: 'no_device' })).toEqual([])
    expect(await readSaid(service, stopped, { search: String(ann.userId) })).toContain('Zoe Early: skipped stopped')
  })

  test('shows who slept in a batch of a bulk send when it was stopped', async ({ service, app, given, clock }) => {
    await clock.setTime((Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS + 23 * 3_600_000)
    const payload = { quiet_hours: { start: '22:00', end: '07:00' } }
    for (const name of ['Uma Early', 'Uma Awake', 'Uma Late']) {
      const { headers } = await given.user({ name, devices: [{}] })
      if (name !== 'Uma Awake') await app.inject({ method: 'PATCH', url: '/api/v1/me/settings', headers, payload })
    }
    const id = await sendToEveryone(service)
    await drain(service)
    await stop(service, id)
    const left = ['Uma Early: skipped stopped', 'Uma Late: skipped stopped']
    expect(await readSaid(service, id, { search: 'Uma', skip_reason: 'stopped' })).toEqual(left)
    expect(await readSaid(service, id, { skip_reason: 'stopped' })).toEqual(left)
    await expectPeopleAsCounted(service, id)
  })

  test('shows who was in batches of a bulk send when it was stopped', async ({ service, given, deps }) => {
    await given.user({ name: 'Yan Coordinated', devices: [{}] })
    await given.user({ name: 'Yan Optedout', devices: [{}], notification: '0' })
    const id = await sendToEveryone(service)
    await coordinate(deps, id, new AbortController().signal)
    await given.user({ name: 'Yan Late', devices: [{}] })
    await stop(service, id)
    await drain(service)
    expect(await readSaid(service, id, { search: 'Yan' })).toEqual([
      'Yan Coordinated: skipped stopped',
      'Yan Optedout: skipped opted_out',
    ])
    expect(await readSaid(service, id, { skip_reason: 'stopped' })).toContain('Yan Coordinated: skipped stopped')
    expect(await readSaid(service, id, { skip_reason: 'opted_out' })).toContain('Yan Optedout: skipped opted_out')
    await expectPeopleAsCounted(service, id)
    await sql`insert into lettings_go (made_before, let_go_at) values ('infinity', now())`.execute(deps.db)
    expect(await readSaid(service, id)).toEqual([])
  })
})
