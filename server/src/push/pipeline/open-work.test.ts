import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { claimAll } from '../../../test/support/attempt.ts'
import { readCopies, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { wakeMessages } from '../records/messages.queries.ts'
import { listWaitingFor } from '../records/unfinished.queries.ts'
import { wakeResumed } from './halt.ts'
import { findOpenWork } from './poller.queries.ts'
import { sweepChores } from './sweep.ts'

const MESSAGES = 5_000

test('looking for work among many messages that are due reads few of them, and among none the first that will be', async ({
  deps,
  clock,
}) => {
  const now = clock.now()
  await sql`
    insert into messages (type, audience, lane, needs_opt_in, title, body, status, coordinated_at, created_at, expires_at, updated_at)
    select 'non_promotional', 'users', 'transactional', true, 'a', 'b', 'sending', now(), now(), 'infinity', now()
    from generate_series(1, ${MESSAGES}::int)`.execute(deps.db)
  await sql`
    insert into work (batch_id, message_id, places, due_at)
    select 1, message_id, '{0}', ${new Date(now - 1)}::timestamptz from messages`.execute(deps.db)
  await sql`analyze messages, work`.execute(deps.db)
  const look = async (db: Db = deps.db) =>
    (await findOpenWork(db, 0, ['expo'], new Date(now))).lanes[0]?.transactional_due
  expect(await look()).toBe(now - 1)
  expect(await rowsRead(deps.db, ['messages', 'work'], look)).toBeLessThan(20)

  const [early, late] = [new Date(now + 5_000), new Date(now + 9_000)]
  await sql`update work set due_at = case when work_id % 99 = 7 then ${early}::timestamptz else ${late} end`.execute(
    deps.db,
  )
  expect(await look()).toBe(early.getTime())
})

test('the sweep completes what is finished among many that are not, and none of these leaves the database', async ({
  service,
  deps,
}) => {
  const { db } = deps
  const statusOf = (isFinished: boolean) =>
    sql<{ status: string; messages: number }>`
      select status, count(*) as messages from messages where title = 'a' and (recipient_id is null) = ${isFinished}
      group by status order by status`.execute(db)
  await sql`delete from messages`.execute(db)
  const { userId } = await service.given.user()
  // Finished batches are among the first and among the last, by time and by id.
  await sql`
    insert into messages (type, audience, lane, needs_opt_in, title, body, status, coordinated_at, created_at, expires_at, updated_at,
      recipient_id)
    select 'non_promotional', 'users', 'transactional', true, 'a', 'b', 'sending', now(), now() + n / 10 * interval '1 microsecond',
      'infinity', now(), case when n % 1000 > 1 then ${userId}::bigint end
    from generate_series(0, ${MESSAGES}::int) n`.execute(db)
  await sql`delete from work`.execute(db)
  await sql`
    insert into work (batch_id, message_id, places, due_at)
    select 1, message_id, '{0}', now() from messages where recipient_id is not null`.execute(db)
  await sql`analyze messages, work`.execute(db)
  let rows = 0
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      rows += result.rows.length
      return result
    },
  })
  await sweepChores({ ...deps, db: watched }, () => true)['complete finished messages']!()
  expect((await statusOf(true)).rows).toEqual([{ status: 'completed', messages: 11 }])
  expect((await statusOf(false)).rows).toEqual([{ status: 'sending', messages: 4_990 }])
  expect(rows).toBeLessThan(100)
  await sql`delete from work`.execute(db)
  await sql`delete from messages`.execute(db)
})

test('a message whose push waits for a retry sleeps until then', async ({ service, simulator }) => {
  const [user] = (await usersWithPhones(service, 1)) as [GivenUser]
  simulator.setToken(user.devices[0]!.token, { ticketError: 'MessageRateExceeded' })
  const messageId = await send(service, [user], { promotional: false })
  await drain(service)
  await expectAsleep(service, messageId)
  simulator.setToken(user.devices[0]!.token, {})
  await untilRetry(service)
  await drain(service)
  expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 2 }])
})

test('so does one whose worker died with it', async ({ service, clock }) => {
  const messageId = await send(service, await usersWithPhones(service, 1), { promotional: false })
  for (const attempt of [1, 2, 3]) {
    await claimAll(service, messageId)
    await clock.tick(61_000)
    await sweep(service.deps)
    if (attempt === 3) await expectAsleep(service, messageId)
  }
  await untilRetry(service)
  await drain(service)
  expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 4 }])
})

test('of those who sleep, a round wakes 5,000', async ({ deps, clock }) => {
  const early = new Date(clock.now() - 1)
  await sql`
    insert into messages (type, audience, lane, needs_opt_in, title, body, status, coordinated_at, created_at, expires_at, updated_at, sleeps_until)
    select 'non_promotional', 'users', 'transactional', true, 'a', 'b', 'stopped', now(), now(), now(), now(), ${early}
    from generate_series(1, 6000)`.execute(deps.db)
  const asleep = deps.db.selectFrom('messages').select('message_id').where('sleeps_until', '=', early)
  for (const left of [1_000, 0]) {
    await wakeMessages(deps.db, new Date(clock.now()))
    expect(await asleep.execute()).toHaveLength(left)
  }
})

test('what waits for a platform is made due in rounds, and a retry and quiet hours stay', async ({ deps, clock }) => {
  const later = new Date(clock.now() + 60_000)
  await sql`
    insert into work (batch_id, message_id, provider, places, due_at, is_entered, platform)
    select 2, 1000000 + n, 'expo', '{0}', ${later}::timestamptz, n % 3 > 0, case when n % 3 = 2 then 'ios' end
    from generate_series(1, ${MESSAGES}::int) n`.execute(deps.db)
  const of = { home: 0, provider: 'expo', platform: 'ios' } as const
  const round = (tx: Tx) => listWaitingFor(tx, of, { after: 0, limit: 1_000 })
  expect(await rowsRead(deps.db, ['work'], round)).toBeLessThanOrEqual(2_000)
  await wakeResumed(deps)
  const due = deps.db.selectFrom('work').select(({ fn }) => ['platform', fn.countAll<number>().as('n')])
  const rows = await due.where('batch_id', '=', 2).where('due_at', '<', later).groupBy('platform').execute()
  expect(rows).toEqual([{ platform: null, n: Math.floor((MESSAGES + 1) / 3) }])
})

async function expectAsleep({ deps }: Service, messageId: number): Promise<void> {
  const message = deps.db.selectFrom('messages').select('sleeps_until').where('message_id', '=', messageId)
  const work = deps.db.selectFrom('work').select('due_at as sleeps_until').where('message_id', '=', messageId)
  expect(await message.execute()).toEqual(await work.execute())
}
