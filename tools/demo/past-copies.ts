import { sql } from 'kysely'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import { must } from '../../server/src/platform/shared/must.ts'
import type { Platform } from '../../server/src/platform/tables/tables.ts'
import { insertEntries } from '../../server/src/push/ledger/entries.queries.ts'
import { accept, addCopies, ask, receive } from '../../server/src/push/ledger/ledger.ts'
import { lockLedgers, storeLedgers } from '../../server/src/push/ledger/ledger.queries.ts'
import { insertBatches } from '../../server/src/push/ledger/ledger.queries.ts'

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
  const rows = await tx.selectFrom('batches').select('batch_id').where('message_id', '=', messageId).execute()
  const ledgers = [
    ...(
      await lockLedgers(
        tx,
        rows.map((row) => row.batch_id),
      )
    ).values(),
  ]
  const byUser = Map.groupBy(copies, ({ userId }) => userId)
  for (const ledger of ledgers) {
    const own = ledger.userIds.flatMap((userId, owner) =>
      (byUser.get(userId) ?? []).map((copy) => ({ ...copy, owner })),
    )
    const places = addCopies(
      ledger,
      own.map((copy) => ({ ...copy, provider: 'expo' })),
      madeAt,
    )
    for (const [n, { ticket, sentAt, settledAt, error }] of own.entries()) {
      const place = must(places[n], 'place of a copy')
      ask(ledger, place, { at: madeAt, mayBeDouble: false })
      accept(ledger, place, ticket, { at: sentAt, isDelivered: false })
      if (settledAt) receive(ledger, place, { delivered: error === null, code: error }, settledAt)
    }
  }
  await storeLedgers(tx, ledgers, madeAt)
  await insertEntries(
    tx,
    [...byUser.keys()].map((userId) => ({ userId, messageId, madeAt, isBulk })),
  )
  const opened = new Map(copies.flatMap(({ userId, openedAt }) => (openedAt ? [[userId, openedAt] as const] : [])))
  if (opened.size > 0)
    await sql`
      insert into reactions (user_id, message_id, made_at, opened_at)
      select user_id, ${messageId}::bigint, ${madeAt}::timestamptz, opened_at
      from unnest(${[...opened.keys()]}::bigint[], ${[...opened.values()]}::timestamptz[]) as r(user_id, opened_at)`.execute(
      tx,
    )
}
