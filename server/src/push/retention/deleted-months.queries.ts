import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import { tellHomesOfLate } from '../records/home-messages.queries.ts'
import { everyHome } from '../records/home.queries.ts'
import { UNFINISHED } from '../records/statuses.queries.ts'

/** The copies of messages made before a moment were let go. `deletedAt`: when the last of them was deleted. */
export type LettingGo = { madeBefore: Date; letGoAt: Date; deletedAt: Date | null }

export async function listLettingsGo(db: Db | Tx): Promise<LettingGo[]> {
  const { rows } = await sql<LettingGo>`
    select made_before as "madeBefore", let_go_at as "letGoAt", deleted_at as "deletedAt"
    from lettings_go order by made_before`.execute(db)
  return rows
}

export async function insertLettingGo(tx: Tx, madeBefore: Date, now: Date): Promise<void> {
  await sql`insert into lettings_go (made_before, let_go_at) values (${madeBefore}, ${now})`.execute(tx)
  await tellHomesOfLate(tx, madeBefore)
}

export async function endLettingsGo(db: Db, madeBefore: Date, now: Date): Promise<void> {
  await sql`
    update lettings_go set deleted_at = ${now} where made_before <= ${madeBefore} and deleted_at is null`.execute(db)
}

/** The oldest message that is not finished and was made before. */
export async function findUnfinished(
  db: Db | Tx,
  before: Date,
): Promise<{ messageId: number; madeAt: Date } | undefined> {
  const { rows } = await sql<{ messageId: number; madeAt: Date }>`
    select message_id as "messageId", created_at as "madeAt" from messages
    where status in ${UNFINISHED} and created_at < ${before}
    order by created_at, message_id limit 1`.execute(db)
  return rows[0]
}

export type OldRows = { batches: number; requests: number; skips: number }

/** Reads all of them. */
export async function countRowsBefore(db: Db, before: Date): Promise<OldRows> {
  const { rows } = await sql<OldRows>`
    select (select count(*) from batches where home in ${everyHome(db)} and created_at < ${before}) as batches,
      (select count(*) from requests where home in ${everyHome(db)} and started_at < ${before}) as requests,
      (select count(*) from skips where home in ${everyHome(db)} and created_at < ${before}) as skips`.execute(db)
  return must(rows[0], 'count of old rows')
}
