import { sql, type Insertable, type Selectable } from 'kysely'
import { restUntilDue } from '../../platform/db/clock.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/schema.ts'

/** One for a forgotten password that already waits for the same address stays the only one, and is useful longer. */
export async function insertMail(tx: Tx, mail: Insertable<Tables['mails']>): Promise<void> {
  await tx
    .insertInto('mails')
    .values(mail)
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(address)`)
        .where('kind', '=', sql.lit('password_forgotten'))
        .where('status', '=', sql.lit('waiting'))
        .doUpdateSet({ useful_until: mail.useful_until }),
    )
    .execute()
}

type Mail = Selectable<Tables['mails']>
export type ClaimedMail = Pick<Mail, 'mail_id' | 'kind' | 'attempts' | 'useful_until' | 'created_at'>

/** Oldest first, each claimed by a lease until `leaseUntil`. */
export async function claimMails(
  tx: Tx,
  { limit, now, leaseUntil }: { limit: number; now: Date; leaseUntil: Date },
): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    with due as (
      select mail_id from mails where status = 'waiting' and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked)
    update mails set attempts = attempts + 1, due_at = ${leaseUntil}
    where mail_id in (select mail_id from due)
    returning mail_id, kind, attempts, useful_until, created_at`.execute(tx)
  return rows
}

export type Recipient = Pick<Mail, 'mail_id' | 'address'> &
  Pick<Selectable<Tables['users']>, 'user_id' | 'email' | 'pending_email' | 'language' | 'status' | 'deleted_at'>

/** The address is stored as the account writes it. */
export async function assignMails(tx: Tx, mailIds: number[]): Promise<void> {
  await sql`
    update mails m set user_id = u.user_id, address = u.email from users u
    where m.mail_id = any(${mailIds}) and m.user_id is null and lower(u.email) = lower(m.address)`.execute(tx)
}

export async function findRecipients(tx: Tx, mailIds: number[]): Promise<Recipient[]> {
  return tx
    .selectFrom('mails as m')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .select(['m.mail_id', 'm.address', 'u.user_id', 'u.email', 'u.pending_email', 'u.language', 'u.status'])
    .select('u.deleted_at')
    .where('m.mail_id', '=', sql<number>`any(${mailIds})`)
    .execute()
}

export async function endLateMails(db: Db, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ status: 'failed', error: 'LATE', ended_at: now })
    .where('status', '=', sql.lit('waiting'))
    .where('due_at', '<=', now)
    .where('useful_until', '<=', now)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function restUntilMail(db: Db, now: number): Promise<number> {
  return restUntilDue(db, 'mails', now)
}

/** Mails without recipient: nothing says that anybody asked. */
export async function deleteMails(tx: Tx, mailIds: number[]): Promise<void> {
  if (mailIds.length === 0) return
  await tx
    .deleteFrom('mails')
    .where('mail_id', '=', sql<number>`any(${mailIds})`)
    .execute()
}

type Settled = { status: 'sent' | 'failed'; error: string | null; ended_at: Date }

/** Settles a mail or makes it wait for its next try, unless another worker has claimed it since. */
export async function endAttempt(
  db: Db,
  { claimed, end }: { claimed: ClaimedMail; end: Settled | { due_at: Date; error: string } },
): Promise<void> {
  await db
    .updateTable('mails')
    .set(end)
    .where((on) => on.and({ mail_id: claimed.mail_id, attempts: claimed.attempts, status: 'waiting' }))
    .execute()
}
