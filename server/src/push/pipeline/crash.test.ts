// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { afterEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { readBatches } from '../../../test/support/batches.ts'
import {
  calmDown,
  readCopies,
  expectTruth,
  send,
  untilRetry,
  usersWithPhones,
  sendToEveryone,
} from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { readLedger, storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { coordinate } from './coordinate.ts'
import { settle } from './settle.ts'
import { sendBatches } from './submit.ts'
import { countDueWork } from '../ledger/due-work.queries.ts'

afterEach<{ service: Service }>(async ({ service }) => calmDown(service))

describe('a worker that dies', () => {
  test('before its call: nothing was sent, the attempt is unknown after its lease, and the retry arrives', async ({
    service,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 3))
    await claimAll(service, messageId)
    await sweep(service.deps)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }])

    await clock.tick(61_000)
    await sweep(service.deps)
    expect(await readCopies(service, messageId)).toMatchObject([
      { error_message: 'OutcomeUnknown', is_send: false, settled_at: null },
      { error_message: 'OutcomeUnknown' },
      { error_message: 'OutcomeUnknown' },
    ])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_send: true, attempts: 2 },
      { is_send: true },
      { is_send: true },
    ])
    await expectTruth(service, messageId)
  })

  test('after its call: the copies are sent again and counted as possible duplicates, exactly', async ({
    service,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 3))
    await callAll(service, await claimAll(service, messageId))
    await clock.tick(61_000)
    await sweep(service.deps)
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 6, duplicated: 3, possibleDuplicates: 3 })
    await expectTruth(service, messageId)
  })

  test('again and again: Permanently Failed after four attempts, with true counts', async ({ service, clock }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    for (let attempt = 1; attempt <= 4; attempt++) {
      await claimAll(service, messageId)
      // The wait doubles from the third attempt on.
      await clock.tick(attempt === 3 ? 121_000 : 61_000)
      await sweep(service.deps)
    }
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([
      { attempts: 4, is_send: false, error_message: 'OutcomeUnknown', settled_at: expect.any(Date) as Date },
      { attempts: 4 },
    ])
    await expectTruth(service, messageId)
    expect(await readStatus(service, messageId)).toBe('completed')
  })

  test('but was only slow: its late tickets are stored when no other attempt began', async ({ service, clock }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await clock.tick(61_000)
    await sweep(service.deps)
    await settle(service.deps, claim, answers)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_send: true, possible_duplicates: 0 },
      { is_send: true },
    ])
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 2, duplicated: 0 })
    await expectTruth(service, messageId)
  })

  test('but was only slow: its late answer does not change a newer attempt', async ({ service, clock }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await clock.tick(61_000)
    await sweep(service.deps)
    await drain(service)
    const before = await readCopies(service, messageId)
    await settle(service.deps, claim, answers)
    expect(await readCopies(service, messageId)).toEqual(before)
    await expectTruth(service, messageId)
  })
})

describe('jobs', () => {
  test('that vanished are found and replaced for coordination; batches need none', async ({ service }) => {
    const named = await send(service, await usersWithPhones(service, 2))
    const bulkId = await sendToEveryone(service)
    await service.deps.queue.boss.deleteAllJobs()
    await drain(service)
    expect(await readStatus(service, named)).toBe('completed')
    expect(await readCopies(service, bulkId)).toEqual([])

    await sweep(service.deps)
    await drain(service)
    for (const messageId of [named, bulkId]) {
      expect(await readStatus(service, messageId)).toBe('completed')
      await expectTruth(service, messageId)
    }
  })

  test('run twice at once change nothing: two coordinators and two senders of one campaign', async ({ service }) => {
    const messageId = await sendToEveryone(service)
    const signal = new AbortController().signal
    await Promise.all([coordinate(service.deps, messageId, signal), coordinate(service.deps, messageId, signal)])
    await Promise.all([drain(service), drain(service), drain(service)])
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ duplicated: 0, possibleDuplicates: 0, lost: 0 })
    await expectTruth(service, messageId)
  })
})

describe('a batch', () => {
  test('that waits for a far retry is not due, whatever the sweep does', async ({ service, deps, clock }) => {
    service.simulator.script([{ match: 'send', status: 500 }])
    const messageId = await send(service, await usersWithPhones(service, 1))
    await drain(service)
    await sweep(deps)
    const due = () => countDueWork(deps.db, 'expo', { home: 0, lane: 'campaign', limit: 10 }, fromNow(clock))
    expect(await due()).toBe(0)
    await untilRetry(service)
    expect(await due()).toBe(1)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 2 }])
  })

  test('that cannot be claimed affects no other, is tried again three times, at last later, and is closed', async ({
    service,
    deps,
    clock,
  }) => {
    const users = await usersWithPhones(service, 51)
    const bad = users.at(-1)?.userId ?? 0
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
      create trigger refuse before update on batches for each row
        when (${sql.lit(bad)} = any(new.user_ids)) execute function refuse()`.execute(deps.db)
    const messageId = await send(service, users)
    for (let attempt = 1; attempt <= 4; attempt++) {
      await drain(service)
      expect(await readCopies(service, messageId)).toHaveLength(50)
      expect(await readStatus(service, messageId)).toBe(attempt === 4 ? 'completed' : 'sending')
      await clock.tick(attempt === 3 ? 119_000 : 59_000)
      await drain(service)
      await clock.tick(2_000)
    }
    await sql`drop trigger refuse on batches; drop function refuse`.execute(deps.db)
    expect(await readBatches(service, messageId)).toMatchObject([{ status: 'done', attempts: 1 }])
    expect(await storedCounts(service, messageId)).toMatchObject({ selected: 51, notifications: 50, skipped: 1 })
    await expectTruth(service, messageId)
  })

  test.for(['57014', '55P03', '40P01'])(
    'that a slow database keeps from beginning (%s) is not given up, nor by one failure after that',
    async (code, { service, clock }) => {
      const { deps } = service
      await sql`
      create function be_slow() returns trigger language plpgsql as $$
        begin raise 'slow' using errcode = ${sql.lit(code)}; end $$;
      create trigger be_slow before insert on requests for each statement execute function be_slow()`.execute(deps.db)
      const messageId = await send(service, await usersWithPhones(service, 1))
      for (let time = 0; time <= deps.config.PUSH_RETRY_LIMIT + 1; time++) {
        await sendBatches(deps, { home: 0, lane: 'campaign', limit: 10 })
        await clock.tick(600_000)
      }
      const failures = () => deps.db.selectFrom('work').select('failures').execute()
      expect(await failures()).toEqual([{ failures: -(deps.config.PUSH_RETRY_LIMIT + 2) }])
      const alerts = await deps.db.selectFrom('alerts').select(['code', 'resolved_at']).execute()
      expect(alerts).toEqual([{ code: 'WorkComesBack', resolved_at: null }])
      await sql`create or replace function be_slow() returns trigger language plpgsql as $$
        begin raise 'a fault'; end $$`.execute(deps.db)
      await sendBatches(deps, { home: 0, lane: 'campaign', limit: 10 })
      expect(await failures()).toEqual([{ failures: 1 }])
      await sql`drop trigger be_slow on requests; drop function be_slow`.execute(deps.db)
      await clock.tick(120_000)
      await drain(service)
      expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 1 }])
      await expectTruth(service, messageId)
    },
  )

  test('that fails because the database becomes unreachable stays due without a failure', async ({ service, deps }) => {
    await sql`
      create function go_away() returns trigger language plpgsql as $$ begin raise 'going' using errcode = '57P01'; end $$;
      create trigger go_away before insert on requests for each statement execute function go_away()`.execute(deps.db)
    const messageId = await send(service, await usersWithPhones(service, 1))
    for (let time = 1; time <= 5; time++)
      await expect(sendBatches(deps, { home: 0, lane: 'campaign', limit: 10 })).rejects.toMatchObject({ code: '57P01' })
    await sql`drop trigger go_away on requests; drop function go_away`.execute(deps.db)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 1 }])
    expect(await deps.db.selectFrom('work').select('failures').execute()).toEqual([])
  })
})

async function readStatus({ deps }: Service, messageId: number): Promise<string | undefined> {
  const messages = deps.db.selectFrom('messages').select('status').where('message_id', '=', messageId)
  return (await messages.executeTakeFirst())?.status
}
