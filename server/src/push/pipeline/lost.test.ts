// Slow: a second or more for each test, or five for the file.
import type { PoolClient } from 'pg'
import { afterEach, describe, expect } from 'vitest'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { readBatches } from '../../../test/support/batches.ts'
import { calmDown, readCopies, expectTruth, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { readLedger, storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { resumeByHand } from './halt.ts'
import { createSettledClaims } from './kept-tickets.ts'
import { settle, retrySettling } from './settle.ts'

const LOST = 'the database lost committed work'

afterEach<{ service: Service }>(async ({ service }) => calmDown(service))

describe('a database that lost a committed claim, as after a failover to a server that was behind', () => {
  test('is noticed when its answers are settled: counted, logged once, with an alert', async ({ service, deps }) => {
    const messageId = await send(service, await usersWithPhones(service, 3))
    const before = await remember(service)
    const claim = await claimAll(service, messageId)
    service.simulator.script([{ match: 'send', ticketErrors: { 2: 'MessageTooBig' } }])
    const answers = await callAll(service, claim)
    await before.restore()
    await settle(deps, claim, answers)

    expect(await storedCounts(service, messageId)).toMatchObject({ notifications: 0, sent: 0, possible_duplicates: 2 })
    expect(toLines(service, LOST)).toMatchObject([{ claim: claim.number, requests: 1, pushes: 3, mayHaveArrived: 2 }])
    expect(await openAlerts(service)).toEqual(['CommittedWorkLost'])

    await drain(service)
    const sent = { is_send: true }
    expect(await readCopies(service, messageId)).toMatchObject([sent, sent, sent])
    const ledger = await readLedger(service, messageId)
    expect(ledger).toMatchObject({ accepted: 5, duplicated: 2, possibleDuplicates: 2 })
    await resumeByHand(deps, THE_SERVICE)
    expect(await openAlerts(service)).toEqual([])
  })

  test('is noticed where another process sends meanwhile, under the same ids', async ({ service, deps }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const before = await remember(service)
    const first = await claimAll(service, messageId)
    const answers = await callAll(service, first)
    await before.restore()
    await service.clock.tick(5)
    const second = await claimAll(service, messageId)
    expect(second.number).toBe(first.number)
    await settle(deps, first, answers)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, attempts: 1 }, { is_send: false }])
    expect(await readBatches(service, messageId)).toMatchObject([{ status: 'submitting', attempts: 1 }])

    await settle(deps, second, await callAll(service, second))
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 4, duplicated: 2, phantom: 0, lost: 0 })
    expect(await storedCounts(service, messageId)).toMatchObject({ sent: 2, possible_duplicates: 2 })
    expect(await readBatches(service, messageId)).toMatchObject([{ status: 'done', attempts: 1 }])
  })

  test('is noticed for a retry too, whose copies were there before', async ({ service, deps }) => {
    service.simulator.script([{ match: 'send', ticketErrors: { 0: 'ProviderError', 1: 'ProviderError' } }])
    const messageId = await send(service, await usersWithPhones(service, 2))
    await drain(service)
    await untilRetry(service)
    const before = await remember(service)
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await before.restore()
    await settle(deps, claim, answers)
    expect(await storedCounts(service, messageId)).toMatchObject({ possible_duplicates: 2, sent: 0 })
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ duplicated: 2, possibleDuplicates: 2, lost: 0 })
  })

  test('that also lost the message is logged, and nothing is counted', async ({ service, deps }) => {
    const before = await remember(service)
    const messageId = await send(service, await usersWithPhones(service, 1))
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await before.restore()
    const earlier = toLines(service, LOST).length
    await settle(deps, claim, answers)
    expect(toLines(service, LOST)).toHaveLength(earlier + 1)
    expect(await openAlerts(service)).toEqual(['CommittedWorkLost'])
  })
})

describe('a claim that was settled, when another server answers', () => {
  test('that lost claim and tickets: counted, and its pushes are sent again', async ({ service, deps, clock }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const before = await remember(service)
    const settled = createSettledClaims(clock)
    const claim = await claimAll(service, messageId)
    await settle({ ...deps, settled }, claim, await callAll(service, claim))
    await before.restore()
    const earlier = toLines(service, LOST).length
    await retrySettling({ ...deps, settled })
    expect(toLines(service, LOST)).toHaveLength(earlier + 1)
    expect(await storedCounts(service, messageId)).toMatchObject({ sent: 0, possible_duplicates: 2 })
    await retrySettling({ ...deps, settled })
    expect(await storedCounts(service, messageId)).toMatchObject({ possible_duplicates: 2 })
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ duplicated: 2, possibleDuplicates: 2, lost: 0 })
  })

  test('that lost only the tickets: they are stored again, and nothing is sent twice', async ({
    service,
    deps,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const settled = createSettledClaims(clock)
    const claim = await claimAll(service, messageId)
    const before = await remember(service)
    await settle({ ...deps, settled }, claim, await callAll(service, claim))
    await before.restore()
    await retrySettling({ ...deps, settled })
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }, { is_send: true }])
    await drain(service)
    await expectTruth(service, messageId)
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 2, duplicated: 0, possibleDuplicates: 0 })
  })

  test('that was seen while it was settled: it is looked up there at once', async ({ service, deps, clock }) =>
    nothingLost(service, async () => {
      const messageId = await send(service, await usersWithPhones(service, 2))
      const settled = createSettledClaims(clock)
      const claim = await claimAll(service, messageId)
      const answers = await callAll(service, claim)
      const settling = settle({ ...deps, settled }, claim, answers)
      await retrySettling({ ...deps, settled })
      await settling
      expect(settled.take()).toEqual([])
      await drain(service)
      await expectTruth(service, messageId)
    }))

  test('that lost nothing: unchanged, and claims older than a minute are not checked', async ({
    service,
    deps,
    clock,
  }) =>
    nothingLost(service, async () => {
      const messageId = await send(service, await usersWithPhones(service, 2))
      const settled = createSettledClaims(clock)
      const claim = await claimAll(service, messageId)
      await settle({ ...deps, settled }, claim, await callAll(service, claim))
      await retrySettling({ ...deps, settled })
      await drain(service)
      await expectTruth(service, messageId)
      settled.add({ claim, answers: [] })
      await clock.tick(61_000)
      expect(settled.take()).toEqual([])
    }))
})

describe('is not taken for such a loss', () => {
  test('another attempt that holds the copies by now', async ({ service, deps, clock }) =>
    nothingLost(service, async () => {
      const messageId = await send(service, await usersWithPhones(service, 2))
      const claim = await claimAll(service, messageId)
      const answers = await callAll(service, claim)
      await clock.tick(61_000)
      await sweep(deps)
      await drain(service)
      await settle(deps, claim, answers)
      expect(await storedCounts(service, messageId)).toMatchObject({ possible_duplicates: 2 })
      await expectTruth(service, messageId)
    }))

  test('a user who was removed meanwhile', async ({ service, deps }) =>
    nothingLost(service, async () => {
      const [user] = await usersWithPhones(service, 1)
      const messageId = await send(service, [user!])
      const claim = await claimAll(service, messageId)
      const answers = await callAll(service, claim)
      await deps.db.deleteFrom('users').where('user_id', '=', user!.userId).execute()
      await settle(deps, claim, answers)
      expect(await storedCounts(service, messageId)).toMatchObject({ possible_duplicates: 0 })
    }))

  test('an answer that is stored twice, because the reply to its commit was lost', async ({ service, deps }) =>
    nothingLost(service, async () => {
      const messageId = await send(service, await usersWithPhones(service, 2))
      const claim = await claimAll(service, messageId)
      const answers = await callAll(service, claim)
      await settle(deps, claim, answers)
      await settle(deps, claim, answers)
      await drain(service)
      await expectTruth(service, messageId)
    }))
})

const KEPT =
  'messages message_counts provider_counts batches work requests entries bulk_entries reactions unread'.split(' ')
const SEQUENCES = ['push_ids', 'request_ids'] as const

/** Saves the tables of sending; `restore` acts like a failover to a server with that state. */
async function remember(service: Service): Promise<{ restore(): Promise<void> }> {
  const last = new Map<string, number>()
  await alone(service, async (client) => {
    for (const table of KEPT)
      await client.query(`drop table if exists was_${table}; create table was_${table} as table ${table}`)
    for (const name of SEQUENCES) {
      const found = await client.query<{ last_value: number }>(`select last_value from ${name}`)
      last.set(name, found.rows[0]!.last_value)
    }
  })
  return {
    restore: () =>
      alone(service, async (client) => {
        await client.query(`truncate ${KEPT.join(', ')}`)
        for (const table of KEPT) await client.query(`insert into ${table} overriding system value table was_${table}`)
        for (const name of SEQUENCES) await client.query('select setval($1, $2)', [name, last.get(name)])
      }),
  }
}

/** Ends every other session of the service, with the ids that it drew beforehand, and this one after `work`. */
async function alone({ deps: { pool } }: Service, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await expect.poll(() => pool.totalCount).toBe(1)
  await work(client)
  client.release(true)
}

async function nothingLost(service: Service, work: () => Promise<void>): Promise<void> {
  await resumeByHand(service.deps, THE_SERVICE)
  const earlier = toLines(service, LOST).length
  await work()
  expect(toLines(service, LOST)).toHaveLength(earlier)
  expect(await openAlerts(service)).toEqual([])
}

function toLines(service: Service, message: string): Record<string, unknown>[] {
  const lines = service.logged().split('\n')
  return lines.filter((line) => line.includes(message)).map((line) => JSON.parse(line) as Record<string, unknown>)
}

async function openAlerts({ deps }: Service): Promise<string[]> {
  const alerts = await deps.db.selectFrom('alerts').select('code').where('resolved_at', 'is', null).execute()
  return alerts.map(({ code }) => code)
}
