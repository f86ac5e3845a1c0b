// Slow: a second or more for each test, or five for the file.
import * as fc from 'fast-check'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectTruth, send } from '../../../test/support/campaign.ts'
import { waitingCopies } from '../../../test/support/waiting-copies.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { scannedBy, watchPlans } from '../../../test/support/plans.ts'
import type { Service } from '../../../test/support/service.ts'
import { openAll } from '../messages/opens.ts'
import { listHistory } from './history.queries.ts'

type Entry = { notification_id: number; title: string; is_open: boolean; created_at: string }
type Page = { data: Entry[]; next_cursor: string | null }

async function pageOf({ app }: Service, { headers }: GivenUser, query = ''): Promise<Page> {
  const answer = await app.inject({ url: `/api/v1/notifications?${query}`, headers })
  expect(answer.statusCode).toBe(200)
  return answer.json<Page>()
}

async function allOf(service: Service, user: GivenUser, query: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await pageOf(service, user, `${query}&cursor=${cursor}`)
    entries.push(...page.data)
    cursor = page.next_cursor
  }
  return entries
}

function readAll({ app }: Service, { headers }: GivenUser) {
  return app.inject({ method: 'POST', url: '/api/v1/notifications/read-all', headers })
}

/**
 * Messages to a user, oldest first, each with copies on phones, opened or not. Ids do not follow the time, as when
 * several connections draw them, and `isOld` ones are from before the time of a message was kept with its copies.
 */
async function givenHistory({ deps }: Service, userId: number, messages: { phones: number; isOpen: boolean }[]) {
  const copies = waitingCopies('phones')
  await deps.pool.query(
    `with wanted as (
      select n, phones, is_open, '2026-01-01'::timestamptz + n * interval '1 minute' as at
      from unnest($2::int[], $3::boolean[]) with ordinality w(phones, is_open, n)),
    said as (
      insert into messages (type, audience, lane, needs_opt_in, title, body, created_at, expires_at, updated_at)
      select 'promotional', 'users', 'campaign', false, 'No. ' || n, 'x', at, at, at from wanted order by n % 3, n
      returning message_id, created_at),
    told as (
      select message_id, created_at as at, phones, is_open from wanted join said on said.created_at = wanted.at),
    entered as (insert into entries (user_id, message_id, made_at) select $1, message_id, at from told),
    opened as (
      insert into reactions (user_id, message_id, made_at, opened_at) select $1, message_id, at, at from told where is_open)
    insert into batches (message_id, ${copies.columns})
    select message_id, ${copies.values('$1::bigint', 'at')} from told`,
    [userId, messages.map(({ phones }) => phones), messages.map(({ isOpen }) => isOpen)],
  )
}

describe('GET /api/v1/notifications', () => {
  test('lists what was sent, read and unread, one for each message, newest first', async ({ service, given }) => {
    const user = await given.user({ devices: [{}, {}] })
    for (const title of ['First', 'Second', 'Third']) await send(service, [user], { title })
    await drain(service)
    const { data } = await pageOf(service, user)
    expect(data.map(({ title }) => title)).toEqual(['Third', 'Second', 'First'])
    const url = `/api/notification/${data[1]!.notification_id}/read`
    expect((await service.app.inject({ url, headers: user.headers })).statusCode).toBe(200)
    expect((await pageOf(service, user, 'state=read')).data).toMatchObject([{ title: 'Second', is_open: true }])
    expect((await pageOf(service, user, 'state=unread')).data).toMatchObject([{ title: 'Third' }, { title: 'First' }])
    expect((await pageOf(service, user, 'state=all')).data).toHaveLength(3)
    expect((await pageOf(service, await given.user())).data).toEqual([])
    const { headers } = user
    expectInvalid(await service.app.inject({ url: '/api/v1/notifications?state=new', headers }), 'state')
    expectInvalid(await service.app.inject({ url: '/api/v1/notifications?cursor=new', headers }), 'cursor')
  })

  test('goes through any history page by page, each message once, in the order of their time', async ({
    service,
    given,
  }) => {
    const messages = fc.array(
      fc.record({ phones: fc.integer({ min: 1, max: 3 }), isOpen: fc.boolean(), isOld: fc.boolean() }),
      { maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(messages, fc.integer({ min: 1, max: 4 }), async (history, limit) => {
        const user = await given.user()
        await givenHistory(service, user.userId, history)
        const numbered = history.map(({ isOpen }, n) => ({ isOpen, title: `No. ${n + 1}` })).toReversed()
        for (const [state, isOf] of Object.entries({
          all: () => true,
          read: ({ isOpen }: { isOpen: boolean }) => isOpen,
          unread: ({ isOpen }: { isOpen: boolean }) => !isOpen,
        }))
          expect((await allOf(service, user, `state=${state}&limit=${limit}`)).map(({ title }) => title)).toEqual(
            numbered.filter(isOf).map(({ title }) => title),
          )
      }),
      { numRuns: 25 },
    )
  })

  test('reads by the index what it shows of 20,000 notifications', async ({ service, given }) => {
    const user = await given.user()
    const many = Array.from({ length: 20_000 }, (_, n) => ({ phones: 1, isOpen: n % 2 === 0 }))
    await givenHistory(service, user.userId, many)
    await service.deps.pool.query('analyze batches; analyze entries; analyze reactions; analyze messages')
    const watch = await watchPlans(service)
    onTestFinished(() => watch.close())
    for (const state of ['all', 'read', 'unread'] as const) {
      const page = { after: [Date.parse('2026-01-10') * 1_000, Number.MAX_SAFE_INTEGER] as [number, number], limit: 21 }
      expect(await listHistory(watch.deps.db, user.userId, state, page)).toHaveLength(21)
    }
    const plans = watch.plans.filter((plan) => plan.includes('made_at'))
    expect(plans.length).toBeGreaterThanOrEqual(3)
    expect(scannedBy(plans)).not.toContain('entries')
    expect(scannedBy(plans)).not.toContain('batches')
    for (const plan of plans) expect(plan).toMatch(/Index .*Scan.* (?:using|on) entries_in_order/)
  })
})

describe('POST /api/v1/notifications/read-all', () => {
  test('opens everything of the user and nothing of another, and counts it; repeating it changes nothing', async ({
    service,
    given,
  }) => {
    const [user, other] = [await given.user({ devices: [{}, {}] }), await given.user({ devices: [{}] })]
    const ids = [await send(service, [user, other]), await send(service, [user])]
    await drain(service)
    const first = await readAll(service, user)
    expect(first.json()).toEqual({ success: true, data: { opened: 4 }, message: 'All notifications opened' })
    expect((await readAll(service, user)).json()).toMatchObject({ data: { opened: 0 } })
    for (const id of ids) await expectTruth(service, id)
    expect((await pageOf(service, user, 'state=unread')).data).toEqual([])
    expect((await pageOf(service, other, 'state=unread')).data).toHaveLength(1)
  })

  test('has the same counts as opening one by one, also concurrently, whatever was open', async ({
    service,
    deps,
    given,
  }) => {
    const messages = fc.array(fc.record({ phones: fc.integer({ min: 1, max: 3 }), isOpen: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    })
    const pushCounts = async () => {
      const { rows } = await deps.pool.query<{ n: number }>(
        'select coalesce(sum(opened), 0)::int as n from push_counts',
      )
      return rows[0]!.n
    }
    await fc.assert(
      fc.asyncProperty(messages, fc.boolean(), async (history, isBeside) => {
        const [all, single] = [await given.user(), await given.user()]
        for (const { userId } of [all, single]) await givenHistory(service, userId, history)
        const before = await pushCounts()
        const oneByOne = async (user: GivenUser) => {
          for (const entry of (await allOf(service, user, 'state=unread')).toReversed())
            await service.app.inject({ url: `/api/notification/${entry.notification_id}/read`, headers: user.headers })
        }
        await Promise.all([readAll(service, all), ...(isBeside ? [oneByOne(all)] : [])])
        const between = await pushCounts()
        await oneByOne(single)
        expect(await openedOf(service, all.userId)).toEqual(await openedOf(service, single.userId))
        expect(between - before).toBe((await pushCounts()) - between)
      }),
      { numRuns: 20 },
    )
  })

  test('opens more copies than one round takes', async ({ service, deps, given }) => {
    const user = await given.user()
    await givenHistory(
      service,
      user.userId,
      Array.from({ length: 1_001 }, () => ({ phones: 1, isOpen: false })),
    )
    expect(await openAll(deps, user.userId)).toBe(1_001)
    expect((await openedOf(service, user.userId)).every(({ stored }) => stored === 1)).toBe(true)
  })
})

/** Of each message of a user, oldest first: how many copies are open, and how many are counted as opened. */
async function openedOf({ deps }: Service, userId: number): Promise<{ open: number; stored: number }[]> {
  const { rows } = await deps.pool.query<{ open: number; stored: number }>(
    `select count(*) filter (where is_open)::int as open,
       coalesce((select sum(opened) from message_counts c where c.message_id = n.message_id), 0)::int as stored
     from notifications n where user_id = $1 group by message_id order by min(coalesce(message_at, created_at))`,
    [userId],
  )
  return rows
}
