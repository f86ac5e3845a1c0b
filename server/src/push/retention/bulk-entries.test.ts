import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { until } from '../../../test/support/until.ts'
import { createHandlers } from '../../handlers.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { countUnread } from '../ledger/badge-counts.queries.ts'
import { deleteBulkEntries, insertEntries, listOldBulkEntries, type UnreadGone } from '../ledger/entries.queries.ts'

// The last of block 1,000,000 and the first of two more, which nobody else has. As multiples of 64 they have one home.
const PEOPLE = [512_000_511, 512_032_768, 512_065_536, 512_065_537]
const HOUR_MS = 3_600_000
const before = new Date(4.5 * HOUR_MS)
const { signal } = new AbortController()

const who = fc.nat(PEOPLE.length - 1)
const hour = fc.integer({ min: 1, max: 8 })
const history = fc.record({
  entries: fc.uniqueArray(fc.record({ who, hour, isListed: fc.boolean() }), {
    selector: (one) => `${one.who} ${one.hour}`,
    minLength: 10,
  }),
  reactions: fc.uniqueArray(fc.record({ who, hour, deviceId: fc.nat(1), isRead: fc.boolean() }), {
    selector: (one) => `${one.who} ${one.hour} ${one.deviceId}`,
    minLength: 10,
  }),
  marks: fc.uniqueArray(fc.record({ who, hour }), { selector: (one) => one.who, maxLength: 3 }),
  limit: fc.integer({ min: 1, max: 12 }),
})
type History = typeof history extends fc.Arbitrary<infer One> ? One : never

test('Old entries of many that are deleted are counted as the rows count them, whatever was read', async ({ deps }) => {
  await fc.assert(
    fc.asyncProperty(history, async (told) => {
      await inTransaction(deps.db, async (tx) => {
        await insertHistory(tx, told)
        const had = await unreadOf(tx)
        const all: UnreadGone[] = []
        for (let from = 0; ;) {
          const old = await listOldBulkEntries(tx, 0, { from, before, limit: told.limit })
          if (old.length === 0) break
          all.push(...(await deleteBulkEntries(tx, 0, old, before)))
          from = old.at(-1)!.block
        }
        const gone = PEOPLE.map((userId) => all.reduce((n, one) => n + (one.userId === userId ? one.unread : 0), 0))
        const has = await unreadOf(tx)
        expect(gone).toEqual(had.map((count, n) => count - has[n]!))
        const { rows } = await sql<{
          made_at: Date
        }>`select made_at from bulk_entries where made_at < ${before}`.execute(tx)
        expect(rows).toEqual([])
        await deleteAll(tx)
      })
    }),
    { numRuns: 40 },
  )
})

test('Entries that a purge holds are deleted after it, though later blocks were deleted before', async ({
  deps,
  clock,
}) => {
  await inTransaction(deps.db, (tx) =>
    insertHistory(tx, {
      entries: [0, 1].map((n) => ({ who: n, hour: 1, isListed: true })),
      reactions: [],
      marks: [],
      limit: 1,
    }),
  )
  onTestFinished(() => inTransaction(deps.db, deleteAll))
  const held = await deps.pool.connect()
  onTestFinished(() => held.release(true))
  await held.query('begin')
  await held.query('select from bulk_entries where block = $1 for update', [1_000_000])
  expect(clock.now()).toBeGreaterThan(before.getTime())
  const running = createHandlers(deps).retention({}, signal)
  const countEntries = async () =>
    (await deps.pool.query('select from bulk_entries where made_at < $1', [before])).rowCount
  await until('the later block is deleted', 0, async () => (await countEntries()) === 1)
  await held.query('commit')
  await running
  expect(await countEntries()).toBe(0)
})

/** A message an hour, which has the id of the hour. */
async function insertHistory(tx: Tx, { entries, reactions, marks }: History): Promise<void> {
  for (const [madeAt, own] of Map.groupBy(entries, (one) => one.hour)) {
    const rows = own.map(({ who: n, isListed }) => ({
      userId: PEOPLE[n]!,
      messageId: madeAt,
      isBulk: true,
      isListed,
      hasCopy: true,
    }))
    await insertEntries(tx, 0, rows, new Date(madeAt * HOUR_MS))
  }
  for (const { who: n, hour: messageId, deviceId, isRead } of reactions)
    await sql`
      insert into reactions (home, user_id, message_id, device_id, made_at, read_at)
      values (0, ${PEOPLE[n]}, ${messageId}, ${deviceId}, ${before}, ${isRead ? before : null})`.execute(tx)
  for (const { who: n, hour: last } of marks)
    await sql`
      insert into inbox_marks (home, user_id, read_up_to, read_message, read_at)
      values (0, ${PEOPLE[n]}, ${new Date(last * HOUR_MS)}, ${last}, ${before})`.execute(tx)
}

async function unreadOf(tx: Tx): Promise<number[]> {
  const counted = new Map((await countUnread(tx, PEOPLE)).map(({ userId, entries }) => [userId, entries]))
  return PEOPLE.map((userId) => counted.get(userId) ?? 0)
}

async function deleteAll(tx: Tx): Promise<void> {
  for (const table of ['bulk_entries', 'unread'] as const)
    await sql`delete from ${sql.table(table)} where block >= 1000000`.execute(tx)
  for (const table of ['reactions', 'inbox_marks'] as const)
    await sql`delete from ${sql.table(table)} where user_id = any(${PEOPLE}::bigint[])`.execute(tx)
}
