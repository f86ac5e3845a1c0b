import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'

/** Mails that ended since a moment are counted by their result. The oldest one that waits was made at `oldest`. */
export type MailsLately = { oldest: Date | null; sent: number; refused: number; given_up: number }

export async function findMailsLately(db: Db, since: Date): Promise<MailsLately> {
  const { rows } = await sql<MailsLately>`
    select (select min(created_at) from mails where status = 'waiting') as oldest,
      (count(*) filter (where status = 'sent'))::int as sent,
      (count(*) filter (where status = 'failed' and error like 'SMTP %'))::int as refused,
      (count(*) filter (where status = 'failed' and error not like 'SMTP %'))::int as given_up
    from mails where ended_at > ${since}`.execute(db)
  return must(rows[0], 'counts of mails')
}
