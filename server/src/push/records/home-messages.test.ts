import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { calmDown, expectTruth, send, sendToEveryone, tell, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { lockOverdueWork } from '../ledger/running-work.queries.ts'
import { coordinate } from '../pipeline/coordinate.ts'
import { findWorkOfAll, findWorkOfHome } from '../pipeline/poller.queries.ts'
import { toHome } from './home.queries.ts'
import { completeFinishedMessages, emptyMessages, emptyMessagesOfPeople } from './messages.queries.ts'

const NAMED = 1_000
const { signal } = new AbortController()

type Stopped = { counts: { selected: number; skipped: { stopped: number } } }

describe('what homes need of messages', () => {
  let service: Service
  let people: GivenUser[]
  beforeAll(async () => {
    service = await startService({}, { homes: 4 })
    people = await usersWithPhones(service, 6)
  })
  beforeEach(() => calmDown(service))
  afterAll(() => service.close())

  const known = async (messageId: number) => {
    const { rows } = await sql<{ home: number; title: string; about: object | null; recipient_id: number | null }>`
      select home, title, about, recipient_id from home_messages where message_id = ${messageId} order by home`.execute(
      service.deps.db,
    )
    return rows
  }

  /** More messages than are named to one person, with work `columns` in the home of that person. */
  const crowd = async (
    { userId }: GivenUser,
    columns: { status: string; provider: string | null; expires: string },
  ) => {
    const { db } = service.deps
    await sql`
      with made as (
        insert into messages (type, audience, lane, needs_opt_in, title, body, status, coordinated_at, recipient_id, created_at,
          expires_at, updated_at)
        select 'non_promotional', 'users', 'transactional', false, 'Crowd', '', ${columns.status}, now(), ${userId}::bigint, now(),
          ${columns.expires}::timestamptz, now()
        from generate_series(0, ${NAMED}::int)
        returning *),
      told as (
        insert into home_messages (home, message_id, type, audience, lane, needs_opt_in, title, body, recipient_id, created_at,
          expires_at, is_chat, is_end, is_inbox_only)
        select ${toHome(db, userId)}, message_id, type, audience, lane, needs_opt_in, title, body, recipient_id, created_at,
          expires_at, is_chat, is_end, is_inbox_only from made)
      insert into work (home, batch_id, message_id, provider, places, due_at)
      select ${toHome(db, userId)}, 1, message_id, ${columns.provider}, '{0}', 'epoch' from made`.execute(db)
  }

  const uncrowd = async () => {
    const { db } = service.deps
    await sql`delete from work where batch_id = 1`.execute(db)
    await sql`delete from home_messages where title = 'Crowd'`.execute(db)
    await sql`delete from messages where title = 'Crowd'`.execute(db)
  }

  test('is there in the homes of its people alone, without the people whom it is about', async () => {
    const [person] = people as [GivenUser]
    const about = { kind: 'join', userId: people[1]!.userId, groupId: 7 } as const
    const messageId = await tell(service, [person], { about })
    const home = toHome(service.deps.db, person.userId)
    expect(await known(messageId)).toEqual([{ home, title: 'Hello', about: {}, recipient_id: person.userId }])
  })

  test('is emptied with the message of a person who is purged', async () => {
    const { db } = service.deps
    const [, person] = people as [GivenUser, GivenUser]
    const messageId = await tell(service, [person])
    await inTransaction(db, (tx) => emptyMessagesOfPeople(tx, [person.userId]))
    expect(await known(messageId)).toMatchObject([{ title: 'Deleted', about: null }])
  })

  test('stays emptied although somebody who completes the message has read it before', async () => {
    const { db, pool } = service.deps
    const messageId = await send(service, people, { promotional: false })
    await drain(service)
    await sql`update messages set status = 'sending' where message_id = ${messageId}`.execute(db)
    const { completing } = await inTransaction(db, async (tx) => {
      await emptyMessages(tx, [messageId])
      const waiting = completeFinishedMessages(db, [messageId], new Date())
      const blocked = `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
      await expect.poll(async () => (await pool.query(blocked)).rowCount).toBe(1)
      return { completing: waiting }
    })
    await completing
    expect((await known(messageId)).map(({ title }) => title)).toEqual(['', '', '', ''])
  })

  test('a campaign gets its batches home by home, once for each person, and is over with the last', async () => {
    const messageId = await sendToEveryone(service)
    await coordinate(service.deps, messageId, signal)
    const { rows } = await sql<{ homes: number; people: number; everyone: number }>`
      select count(distinct home)::int as homes, count(distinct u)::int as people, count(u)::int as everyone
      from batches cross join unnest(user_ids) u where message_id = ${messageId}`.execute(service.deps.db)
    const wanted = await sql<{ n: number }>`
      select count(*)::int as n from users u join user_settings s using (user_id)
      where u.status = 'active' and s.setting_name = 'notification' and s.setting_value = '1'`.execute(service.deps.db)
    expect(rows[0]).toMatchObject({ people: wanted.rows[0]!.n, everyone: wanted.rows[0]!.n })
    expect(rows[0]!.homes).toBeGreaterThan(1)
    await drain(service)
    await expectTruth(service, messageId)
  })

  test('a stop counts and lists whom it left out in each home, however far the others were', async () => {
    const { db } = service.deps
    const messageId = await sendToEveryone(service)
    // As when the servers of the other homes were away.
    const own = toHome(db, people[0]!.userId)
    await sql`
      update messages set home_cursors = array(
        select case when n = ${own} then 0 else last_user_id end from generate_series(0, 3) n order by n)
      where message_id = ${messageId}`.execute(db)
    await coordinate(service.deps, messageId, signal)
    const ofOthers = sql`update messages set status = 'sending', coordinated_at = null, home_cursors = array(
        select case when n = ${own} then last_user_id else 0 end from generate_series(0, 3) n order by n)
      where message_id = ${messageId}`
    await ofOthers.execute(db)
    const { headers } = await service.given.admin()
    const call = (method: 'GET' | 'POST', url: string) =>
      service.app.inject({ method, url: `/api/admin/notifications/${messageId}/${url}`, headers })
    const { counts } = (await call('POST', 'stop')).json<{ data: Stopped }>().data
    const listed = (await call('GET', 'people?status=skipped&skip_reason=stopped&per_page=100')).json<{
      data: object[]
    }>()
    const everyone = await sql<{ n: number }>`
      select count(*)::int as n from users u, messages m where m.message_id = ${messageId} and u.user_id <= m.last_user_id
      `.execute(db)
    expect(counts.selected).toBe(everyone.rows[0]!.n)
    expect(listed.data).toHaveLength(counts.skipped.stopped)
  })

  test('what is overdue ends behind more paused messages than are named', async () => {
    const { db } = service.deps
    const [person] = people as [GivenUser]
    await crowd(person, { status: 'paused', provider: null, expires: 'epoch' })
    await crowd(person, { status: 'sending', provider: null, expires: 'epoch' })
    const overdue = await inTransaction(db, (tx) =>
      lockOverdueWork(tx, toHome(db, person.userId), { after: 0, limit: 10 }, new Date()),
    )
    expect(overdue).toHaveLength(10)
    await uncrowd()
  })

  test('what is due for one provider is found behind more that waits for another', async () => {
    const { db, clock } = service.deps
    const [person] = people as [GivenUser]
    const [home, now] = [toHome(db, person.userId), new Date(clock.now())]
    await crowd(person, { status: 'sending', provider: 'fcm', expires: 'infinity' })
    await tell(service, [person])
    const open = (await findWorkOfAll(db, ['expo'])).lanes
    const { lanes } = await findWorkOfHome({ db, own: db, home }, { awake: { transactional: 'many' }, open }, now)
    expect(lanes).toMatchObject([{ provider: 'expo', transactional_due: expect.any(Number) }])
    await uncrowd()
    await drain(service)
  })
})
