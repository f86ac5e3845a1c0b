import { sql } from 'kysely'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import { must } from '../../server/src/platform/shared/must.ts'
import type { Platform } from '../../server/src/platform/tables/tables.ts'
import { insertEntries } from '../../server/src/push/ledger/entries.queries.ts'
import { accept, addCopies, ask, receive } from '../../server/src/push/ledger/ledger.ts'
import { lockLedgers, storeLedgers } from '../../server/src/push/ledger/ledger.queries.ts'
import { insertBatches } from '../../server/src/push/ledger/ledger.queries.ts'
import { groupByHome, homeSql } from '../../server/src/push/records/home.queries.ts'

/** A copy that was sent long ago. `settledAt` null: its receipt has not come. */
export type PastCopy = {
  userId: number
  deviceId: number
  platform: Platform
  ticket: string
  sentAt: Date
  settledAt: Date | null
  error: string | null
  openedAt: Date | null
}

export type PastMessage = { messageId: number; userIds: number[]; madeAt: Date; isBulk: boolean }

/** The ledger, the inboxes and what people opened, as the service would have left them. */
export async function insertPastCopies(tx: Tx, message: PastMessage, copies: readonly PastCopy[]): Promise<void> {
  const { messageId, userIds, madeAt, isBulk } = message
  await insertBatches(tx, [{ messageId, userIds, dueAt: madeAt }], madeAt)
  await sql`delete from work where message_id = ${messageId}`.execute(tx)
  for (const [home, own] of groupByHome(tx, userIds, (userId) => userId)) {
    const people = new Set(own)
    const ofHome = copies.filter(({ userId }) => people.has(userId))
    await insertCopiesOf(tx, home, { messageId, userIds: own, madeAt, isBulk }, ofHome)
  }
}

async function insertCopiesOf(tx: Tx, home: number, message: PastMessage, copies: readonly PastCopy[]): Promise<void> {
  const { messageId, userIds, madeAt, isBulk } = message
  const { rows } = await sql<{ batchId: number }>`
    select batch_id as "batchId" from batches where home = ${home} and message_id = ${messageId}`.execute(tx)
  const batchIds = rows.map(({ batchId }) => batchId)
  const ledgers = [...(await lockLedgers(tx, home, batchIds)).values()]
  const byUser = Map.groupBy(copies, ({ userId }) => userId)
  for (const ledger of ledgers) {
    const own = ledger.userIds.flatMap((userId, owner) =>
      (byUser.get(userId) ?? []).map((copy) => ({ ...copy, owner })),
    )
    const places = addCopies(
      ledger,
      own.map(({ owner, ...copy }) => ({ owner, phone: { ...copy, provider: 'expo' } })),
      madeAt,
    )
    const placed = own.map((copy, n) => ({ ...copy, place: must(places[n], 'place of a copy') }))
    // In the order of time, as in a campaign: copy by copy, each would add moments of its own to the batch.
    for (const { place } of placed) ask(ledger, place, { at: madeAt, mayBeDouble: false })
    for (const { place, ticket, sentAt } of placed.toSorted((a, b) => a.sentAt.getTime() - b.sentAt.getTime()))
      accept(ledger, place, ticket, { at: sentAt, isDelivered: false })
    for (const { place, settledAt, error } of placed)
      if (settledAt) receive(ledger, place, { delivered: error === null, code: error }, settledAt)
  }
  await storeLedgers(tx, home, ledgers)
  const entries = userIds.map((userId) => ({ userId, messageId, isBulk, isListed: true, hasCopy: byUser.has(userId) }))
  await insertEntries(tx, home, entries, madeAt)
  const opened = new Map(copies.flatMap(({ userId, openedAt }) => (openedAt ? [[userId, openedAt] as const] : [])))
  if (opened.size > 0)
    await sql`
      insert into reactions (home, user_id, message_id, made_at, read_at, opened_at)
      select ${home}, user_id, ${messageId}::bigint, ${madeAt}::timestamptz, opened_at, opened_at
      from unnest(${[...opened.keys()]}::bigint[], ${[...opened.values()]}::timestamptz[]) as r(user_id,
        opened_at)`.execute(tx)
}

/** Counts what everybody has not read, once all of the past is there. */
export async function countAllUnread(tx: Tx): Promise<void> {
  await sql`
    insert into unread (home, block, entries, lines, changed_at)
    with held as (
      select user_id, message_id from entries where is_listed
      union all
      select block * 512 + n, message_id from bulk_entries cross join generate_series(0, 511) n
        where get_bit(members, n) = 1),
    listed as (
      select user_id, count(*) as n from held h
      where not exists (
        select from reactions r
        where r.home = ${homeSql(tx, 'h.user_id')} and r.user_id = h.user_id and r.message_id = h.message_id and r.read_at is not null)
      group by user_id),
    said as (select user_id, sum(unread) as n from chat_sides where unread > 0 group by user_id)
    select ${homeSql(tx, '(block * 64)')}, block,
      array(select coalesce(l.n, 0) from generate_series(0, 63) p left join listed l on l.user_id = block * 64 + p
        order by p),
      array(select coalesce(s.n, 0) from generate_series(0, 63) p left join said s on s.user_id = block * 64 + p
        order by p), now()
    from (select user_id / 64 as block from listed union select user_id / 64 from said) blocks
    on conflict (home, block) do update set entries = excluded.entries, lines = excluded.lines,
      changed_at = excluded.changed_at`.execute(tx)
}
