import type { Deps } from './deps.ts'
import { forgetGoneBulks, forgetSecrets } from './identity/approvals/approvals.queries.ts'
import { POWER_MS } from './identity/approvals/powers.ts'
import { CONFIRM_WITHIN_MS } from './identity/second-factor/own-factor.ts'
import { sealAnew } from './identity/second-factor/second-factor.ts'
import { deleteUnconfirmed } from './identity/second-factor/second-factor.queries.ts'
import { deleteExpiredSessions } from './identity/sessions/sessions.queries.ts'
import { deleteExpiredBulks } from './administration/accounts/bulk.queries.ts'
import { deleteOldDecisions } from './administration/cases/decisions.queries.ts'
import { deleteActivityBefore } from './identity/activity/activity.queries.ts'
import { forgetOldDetails } from './administration/audit/audit-chores.ts'
import { DAY_MS, dayAt, toDate } from './platform/shared/days.ts'
import { deleteOldRows, type OldRows } from './platform/jobs/old-rows.queries.ts'
import type { Chores } from './platform/shared/chores.ts'
import { fromNow } from './platform/shared/clock.ts'

const DAYS_OF_USERS_A_RUN = 100_000

// An expired session still answers TOKEN_EXPIRED for this long, then UNAUTHENTICATED.
const SESSIONS_KEPT_MS = 7 * DAY_MS
const ALERTS_KEPT_MS = 365 * DAY_MS
const RESOLVED_ALERTS = { table: 'alerts', column: 'resolved_at' } as const
// Somebody may ask whether a mail was sent.
const ENDED_MAILS_KEPT_MS = 7 * DAY_MS
// The audit log keeps for longer that something was approved.
const APPROVALS_KEPT_MS = 90 * DAY_MS

const EXPIRED = {
  'forget request counts': { table: 'rate_limits', column: 'expires_at' },
  'forget stored answers': { table: 'idempotency_keys', column: 'expires_at' },
  'forget exports': { table: 'exports', column: 'expires_at' },
  'forget leases of desks': { table: 'desk_leases', column: 'until' },
  'forget links': { table: 'used_links', column: 'expires_at' },
  'forget mails': { table: 'mails', column: 'ended_at', keptMs: ENDED_MAILS_KEPT_MS },
  'forget links of mails': { table: 'mail_tokens', column: 'expires_at' },
  'forget approvals': { table: 'approvals', column: 'created_at', keptMs: APPROVALS_KEPT_MS },
  'forget powers over accounts': { table: 'account_powers', column: 'used_at', keptMs: POWER_MS },
  'forget pending sign-ins': { table: 'pending_sign_ins', column: 'expires_at' },
  'forget challenges of passkeys': { table: 'passkey_challenges', column: 'expires_at' },
} as const satisfies Record<string, OldRows>

/** Deletes expired rows, so that no table grows without limit. */
export function forgetChores(deps: Pick<Deps, 'db' | 'clock' | 'config' | 'log'>): Chores {
  const { db, clock } = deps
  const expired = Object.entries(EXPIRED).map(([chore, rows]: [string, OldRows]) => [
    chore,
    () => deleteOldRows(db, rows, fromNow(clock, -(rows.keptMs ?? 0))),
  ])
  return {
    ...(Object.fromEntries(expired) as Chores),
    'forget bulk changes': () => deleteExpiredBulks(db, fromNow(clock)),
    'forget what bulk changes were for': () => forgetGoneBulks(db),
    'forget decisions of desks': () => deleteOldDecisions(db, fromNow(clock, -DAY_MS)),
    'forget passwords that nobody approved': () => forgetSecrets(db, fromNow(clock)),
    'forget unconfirmed second factors': () => deleteUnconfirmed(db, fromNow(clock, -CONFIRM_WITHIN_MS)),
    'seal second factors': () => sealAnew(deps),
    'forget sessions': () => deleteExpiredSessions(db, fromNow(clock, -SESSIONS_KEPT_MS)),
  }
}

export function oldAgeChores(deps: Pick<Deps, 'db' | 'clock' | 'config' | 'auditKeys'>): Chores {
  const { db, clock, config } = deps
  const firstDay = toDate(dayAt(fromNow(clock)) - config.RETENTION_ACTIVITY_DAYS)
  return {
    'delete old alerts': () => deleteOldRows(db, RESOLVED_ALERTS, fromNow(clock, -ALERTS_KEPT_MS)),
    'delete old activity': () => deleteActivityBefore(db, { day: firstDay, limit: DAYS_OF_USERS_A_RUN }),
    'delete old details of the audit log': () => forgetOldDetails(deps),
  }
}
