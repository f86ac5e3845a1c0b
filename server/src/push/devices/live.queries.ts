import { sql } from 'kysely'

/** Decision B10. A batch has places for as many of each of its people. */
export const PHONES_A_PERSON = 20

/** A device (`d`) is live if nobody released it and the session that registered it lives, whoever may end that
 * (B27). */
export function isLive(now: Date) {
  return sql`(d.removed_at is null and exists (
    select from sessions l
    where l.session_id = d.session_id and l.revoked_at is null and l.expires_at > ${now}::timestamptz))`
}
