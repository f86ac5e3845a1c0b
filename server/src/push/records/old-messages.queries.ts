import { sql, type RawBuilder } from 'kysely'
import type { Runner, Tx } from '../../platform/db/connect.ts'
import { listHomes, messagesIn } from './home.queries.ts'

/** Rows with an id above `after`, from before a moment, up to `limit`. */
export type DeleteStep = { after: number; before: Date; limit: number }

/** The next step goes on after this id; null: nothing old is left. */
export type DeletedUpTo = number | null

const ROWS_A_LOOK = 10_000

/**
 * False for a message that was over later than a moment. All that is kept of it goes together then, so that each unread
 * push has its copy, and a purge finds a person's copies by the entries. One that is not over holds back its month.
 */
export function wasOver(source: Runner, home: number, messageId: RawBuilder<unknown>, before: Date) {
  return sql<boolean>`not exists (
    select from ${messagesIn(source, home)} m where m.message_id = ${messageId} and m.completed_at >= ${before})`
}

/** Reads all of them. */
export async function countDeletableMessages(tx: Tx, before: Date): Promise<number> {
  let count = 0
  for (let after: DeletedUpTo = 0; after !== null;) {
    const found = await listDeletable(tx, { after, before, limit: ROWS_A_LOOK })
    count += found.messageIds.length
    after = found.last
  }
  return count
}

/** Campaigns stay (ADR 17). `last`: of those that are old. */
export async function listDeletable(tx: Tx, step: DeleteStep): Promise<{ last: DeletedUpTo; messageIds: number[] }> {
  const { rows } = await sql<{ message_id: number; is_old: boolean; is_finished: boolean }>`
    select message_id, created_at < ${step.before} as is_old, status in ('completed', 'stopped') as is_finished
    from messages m
    where message_id > ${step.after} and type = 'non_promotional' and audience = 'users'
    order by message_id limit ${step.limit}`.execute(tx)
  const old = rows.filter((row) => row.is_old)
  let messageIds = old.filter((row) => row.is_finished).map((row) => row.message_id)
  for (const home of listHomes(tx)) messageIds = await listWithoutRows(tx, home, messageIds)
  return { last: old.at(-1)?.message_id ?? null, messageIds }
}

/** The badge counts an entry, and the inbox shows it with its message: it may have come in a later month. */
async function listWithoutRows(tx: Tx, home: number, messageIds: number[]): Promise<number[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${messageIds}::bigint[]) id
    where not exists (select from batches b where b.home = ${home} and b.message_id = id)
      and not exists (select from entries e where e.home = ${home} and e.message_id = id)`.execute(tx)
  return rows.map((row) => row.id)
}
