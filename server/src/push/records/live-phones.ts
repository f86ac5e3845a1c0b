import { sql } from 'kysely'

/**
 * Of a device (`d`): nobody released it, and the session that registered it lives (decision B27). Every end of a session
 * is thus the end of its phones, whoever ends it. `offset 0`: found by its key, whatever else the statement joins.
 */
export function isLive(now: Date) {
  return sql`(d.removed_at is null and exists (
    select from sessions l
    where l.session_id = d.session_id and l.revoked_at is null and l.expires_at > ${now}::timestamptz))`
}

/** Why a user (`r`) without a live device gets nothing. */
export function whyNoPhone() {
  return sql`case when exists (select from mobile_devices o where o.user_id = r.user_id and o.removed_at is null)
    then 'signed_out' else 'no_device' end`
}
