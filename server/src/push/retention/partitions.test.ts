// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { watchPlans } from '../../../test/support/plans.ts'
import type { Service } from '../../../test/support/service.ts'
import { createHandlers } from '../../handlers.ts'
import { monthAfter } from './months.ts'
import { letPartitionsGo, makePartitions } from './partitions.ts'
import { listPartitions } from './partitions.queries.ts'
import { retentionCommand } from './retention-command.ts'

const DAY_MS = 86_400_000
const { signal } = new AbortController()

describe('the partitions of the notifications', () => {
  test('are made two weeks before their month begins, each with the keys of all', async ({ service }) => {
    const { deps, clock } = service
    const users = await usersWithPhones(service, 2)
    await send(service, users)
    await drain(service)
    await makePartitions(deps)
    const first = monthAfter(new Date(clock.now() + 2 * DAY_MS))
    expect((await boundsOf(service))[0]).toEqual([null, first.toISOString()])
    await expectOpenFarAhead(service)
    for (let days = 0; days < 70; days += 5) {
      await clock.setTime(clock.now() + 5 * DAY_MS)
      await makePartitions(deps)
      await makePartitions(deps)
      await expectOpenFarAhead(service)
    }
    expect(await keysOfPartitions(service)).toEqual(
      new Set(['notification_id,user_id', 'message_id,mobile_devices_id,user_id']),
    )
  })

  test('contain a message by its time, to the microsecond', async ({ deps }) => {
    await makePartitions(deps)
    const [, second] = await listPartitions(deps.db)
    const [before, after] = await Promise.all(
      ['-1 microsecond', '0'].map(
        async (shift) =>
          (
            await sql<{ partition: string }>`
              with partition as (
                insert into notifications (message_id, batch_id, user_id, mobile_devices_id, message_at, created_at, updated_at)
                select 0, 1, 1, 1, ${second!.made_from}::timestamptz + ${shift}::interval, now(), now() returning tableoid)
              select tableoid::regclass::text as partition from partition`.execute(deps.db)
          ).rows[0]?.partition,
      ),
    )
    expect([before, after]).toEqual(['notifications_first', second!.name])
    await deps.db.deleteFrom('notifications').where('message_id', '=', 0).execute()
  })

  test('catch up when no worker has run for months: notifications from meanwhile stay in their partition', async ({
    service,
  }) => {
    const { deps, clock } = service
    await makePartitions(deps)
    const users = await usersWithPhones(service, 3)
    await clock.setTime(clock.now() + 200 * DAY_MS)
    service.simulator.reset()
    const messageId = await send(service, users)
    await drain(service)
    await makePartitions(deps)
    await expectOpenFarAhead(service)
    await expectTruth(service, messageId)
    const partitions = await listPartitions(deps.db)
    expect(
      partitions
        .slice(1)
        .every((partition, index) => partition.made_from?.getTime() === partitions[index]?.made_to?.getTime()),
    ).toBe(true)
  })

  test('a push does not look at the partitions of earlier months, from its claim to its receipts', async ({
    service,
  }) => {
    await makePartitions(service.deps)
    const users = await usersWithPhones(service, 3)
    const wishes = users.map(({ userId }) => ({ user_id: userId, muted: ['swap_match' as const] }))
    await service.deps.db
      .insertInto('push_preferences')
      .values(wishes.map((wish) => ({ ...wish, quiet_except: [], created_at: new Date(), updated_at: new Date() })))
      .execute()
    await service.deps.db.updateTable('submissions').set({ next_receipt_at: null }).execute()
    await tellWhatRan(service)
    const watch = await watchPlans(service)
    service.simulator.script([{ match: 'send', ticketErrors: { 0: 'MessageRateExceeded' }, times: 1 }])
    await send(service, users)
    await drain({ deps: watch.deps })
    await service.clock.tick(61_000)
    watch.plans.length = 0
    await drain({ deps: watch.deps })
    await service.clock.tick(901_000)
    await createHandlers(watch.deps)['fetch-receipts']({ limit: 1_000, dueOnly: false }, signal)
    const looks = watch.plans.filter((plan) => /notifications n\b/.test(plan))
    expect(looks.length).toBeGreaterThanOrEqual(4)
    const own = (await listPartitions(service.deps.db)).findLast(
      ({ made_from }) => made_from!.getTime() <= service.clock.now(),
    )
    const read = new Set(looks.flatMap(partitionsReadBy))
    expect(read).toContain(own!.name)
    expect([...read].filter((name) => name === 'notifications_first' || name < own!.name)).toEqual([])
    await watch.close()
  })
})

describe('letting go of partitions', () => {
  test('changes nothing for a campaign that is sent meanwhile', async ({ service }) => {
    const { deps, clock } = service
    await clock.setTime(clock.now() + 400 * DAY_MS)
    await makePartitions(deps)
    const users = await usersWithPhones(service, 150)
    service.simulator.reset()
    const messageId = await send(service, users)
    await Promise.all([drain(service), letPartitionsGo(deps, signal)])
    await drain(service)
    await expectTruth(service, messageId)
    const partitions = await listPartitions(deps.db)
    expect(partitions.filter((partition) => partition.dropped_at !== null).length).toBeGreaterThan(2)
    expect(
      partitions.filter(
        (partition) => partition.dropped_at !== null && partition.made_to! > new Date(clock.now() - 90 * DAY_MS),
      ),
    ).toEqual([])
    expect(await tablesOfPartitions(service)).toEqual(
      new Set([
        'notifications_first_next',
        ...partitions.filter((partition) => partition.dropped_at === null).map((partition) => partition.name),
      ]),
    )
  })

  test('keeps the month of a message that is not finished, and names the message', async ({ service }) => {
    const { deps, clock } = service
    const users = await usersWithPhones(service, 2)
    const messageId = await send(service, users)
    await deps.db.updateTable('messages').set({ status: 'paused' }).where('message_id', '=', messageId).execute()
    const madeAt = new Date(clock.now())
    await clock.setTime(clock.now() + 200 * DAY_MS)
    await makePartitions(deps)
    await letPartitionsGo(deps, signal)
    const holds = async () => (await listPartitions(deps.db)).find((partition) => partition.held_by === messageId)
    expect(await holds()).toMatchObject({ let_go_at: null })
    const before = await listPartitions(deps.db)
    const { text } = await retentionCommand.run(deps, { 'dry-run': 'yes' })
    expect(text).toContain(`kept for message ${messageId}, which is not finished`)
    expect(await listPartitions(deps.db)).toEqual(before)
    expect((await holds())!.made_from!.getTime()).toBeLessThanOrEqual(madeAt.getTime())
    await deps.db.updateTable('messages').set({ status: 'stopped' }).where('message_id', '=', messageId).execute()
    const planned = await retentionCommand.run(deps, { 'dry-run': 'yes' })
    expect(planned.text).toMatch(/notifications_\d{4}_\d\d .* to be deleted/)
    await letPartitionsGo(deps, signal)
    expect(await holds()).toBeUndefined()
  })

  test('continues after a crash: a detached partition is counted and deleted by the next run', async ({ service }) => {
    const { deps, clock } = service
    const users = await usersWithPhones(service, 3)
    await makePartitions(deps)
    await send(service, users)
    await drain(service)
    expect(await unreadOf(service, users[0]!.userId)).toBe(1)
    await clock.setTime(clock.now() + 200 * DAY_MS)
    await makePartitions(deps)
    // The run ends after the first partition is detached.
    const ending = new AbortController()
    const log = { ...deps.log, info: () => ending.abort(), warn: () => undefined } as unknown as typeof deps.log
    await letPartitionsGo({ ...deps, log }, ending.signal)
    const isLeft = async () =>
      (await listPartitions(deps.db)).some((partition) => partition.let_go_at && !partition.dropped_at)
    expect(await isLeft()).toBe(true)
    await letPartitionsGo(deps, signal)
    expect(await isLeft()).toBe(false)
    await drain(service)
    expect(await unreadOf(service, users[0]!.userId)).toBe(0)
  })
})

async function unreadOf({ deps }: Service, userId: number): Promise<number | undefined> {
  const badge = await deps.db
    .selectFrom('badges')
    .select('notifications')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return badge?.notifications
}

async function boundsOf({ deps }: Service) {
  return (await listPartitions(deps.db)).map((partition) => [
    partition.made_from?.toISOString() ?? null,
    partition.made_to?.toISOString() ?? null,
  ])
}

/** The open partition begins two weeks ahead or later, holds nothing, and its table is attached so. */
async function expectOpenFarAhead({ deps, clock }: Service): Promise<void> {
  const open = (await listPartitions(deps.db)).filter((partition) => partition.made_to === null)
  expect(open).toHaveLength(1)
  expect(open[0]!.made_from!.getTime()).toBeGreaterThanOrEqual(clock.now() + 14 * DAY_MS)
  const { rows } = await sql<{ bound: string; n: number }>`
    select pg_get_expr(relpartbound, oid) as bound, (select count(*) from ${sql.table(open[0]!.name)}) as n
    from pg_class where relname = ${open[0]!.name}`.execute(deps.db)
  expect(rows).toMatchObject([{ bound: expect.stringMatching(/TO \(MAXVALUE\)$/), n: 0 }])
}

async function tablesOfPartitions({ deps }: Service): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relname like 'notifications\\_%'`.execute(deps.db)
  return new Set(rows.map((row) => row.name))
}

async function keysOfPartitions({ deps }: Service): Promise<Set<string>> {
  const { rows } = await sql<{ partition: string; keys: string[] }>`
    select i.indrelid::regclass::text as partition, array_agg((
      select string_agg(attname, ',' order by attname) from pg_attribute a
      where a.attrelid = i.indrelid and a.attnum = any(i.indkey)) order by 1) as keys
    from pg_index i join pg_inherits h on h.inhrelid = i.indrelid and h.inhparent = 'notifications'::regclass
    where i.indisunique group by 1`.execute(deps.db)
  expect(rows.every(({ keys }) => keys.length === 2)).toBe(true)
  return new Set(rows.flatMap(({ keys }) => keys))
}

/** From the next connection on, plans say what of them was run. */
async function tellWhatRan({ deps }: Service): Promise<void> {
  await sql`do $$ begin
    execute format('alter database %I set auto_explain.log_analyze = on', current_database());
  end $$`.execute(deps.db)
}

function partitionsReadBy(plan: string): string[] {
  const lines = plan.split('\n').filter((line) => !line.includes('never executed'))
  return [...new Set(lines.flatMap((line) => /Scan.* on (notifications_\w+)/.exec(line)?.[1] ?? []))]
}
