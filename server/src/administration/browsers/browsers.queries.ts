import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/schema.ts'

type NewBrowser = Pick<Selectable<Tables['staff_browsers']>, 'user_id' | 'session_id' | 'role' | 'provider' | 'token'>

export type StaffBrowser = Pick<
  Selectable<Tables['staff_browsers']>,
  'browser_id' | 'role' | 'provider' | 'token' | 'told_at'
> & { language: string }

/** A browser belongs to whoever registered it last; they are told only what comes from now on. */
export async function upsertBrowser(tx: Tx, browser: NewBrowser, now: Date): Promise<void> {
  await tx
    .insertInto('staff_browsers')
    .values({ ...browser, created_at: now, told_at: now })
    .onConflict((conflict) =>
      conflict.expression(sql`md5(token)`).doUpdateSet((eb) => ({
        user_id: eb.ref('excluded.user_id'),
        session_id: eb.ref('excluded.session_id'),
        role: eb.ref('excluded.role'),
        provider: eb.ref('excluded.provider'),
      })),
    )
    .execute()
}

/** Their session was ended, or their account is not what it was. They are few, so each is looked up by itself. */
export async function deleteVoidBrowsers(db: Db): Promise<void> {
  await sql`
    delete from staff_browsers b
    where (
        select u.role = b.role and u.status = 'active' and u.deleted_at is null from users u
          where u.user_id = b.user_id)
        is not true
      or (select s.revoked_at from sessions s where s.session_id = b.session_id) is not null`.execute(db)
}

export async function listBrowsersToTell(db: Db, before: Date): Promise<StaffBrowser[]> {
  return db
    .selectFrom('staff_browsers as b')
    .innerJoin('users as u', 'u.user_id', 'b.user_id')
    .select(['b.browser_id', 'b.role', 'b.provider', 'b.token', 'b.told_at', 'u.language'])
    .where('b.told_at', '<', before)
    .orderBy('b.browser_id')
    .execute()
}

export async function markNotified(db: Db, browserIds: number[], now: Date): Promise<void> {
  if (browserIds.length === 0) return
  await db.updateTable('staff_browsers').set({ told_at: now }).where('browser_id', 'in', browserIds).execute()
}

export async function deleteBrowsers(db: Db, browserIds: number[]): Promise<void> {
  if (browserIds.length === 0) return
  await db.deleteFrom('staff_browsers').where('browser_id', 'in', browserIds).execute()
}
