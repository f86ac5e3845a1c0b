import type { Deps } from './deps.ts'
import { deleteOldApprovals, forgetGoneBulks, forgetSecrets } from './identity/approvals/approvals.queries.ts'
import { POWER_MS } from './identity/approvals/powers.ts'
import { deleteOldPowers } from './identity/approvals/powers.queries.ts'
import { deleteExpiredLinks } from './identity/sessions/links.queries.ts'
import { deleteEndedMails } from './identity/mails/mails.queries.ts'
import { deleteExpiredTokens } from './identity/accounts/tokens.queries.ts'
import { deleteExpiredPending } from './identity/sign-in/pending.queries.ts'
import { CONFIRM_WITHIN_MS } from './identity/second-factor/own-factor.ts'
import { sealAnew } from './identity/second-factor/second-factor.ts'
import { deleteExpiredChallenges } from './identity/second-factor/passkeys.queries.ts'
import { deleteUnconfirmed } from './identity/second-factor/second-factor.queries.ts'
import { deleteExpiredSessions } from './identity/sessions/sessions.queries.ts'
import { deleteExpiredBulks } from './administration/accounts/bulk.queries.ts'
import { deleteOldDecisions } from './administration/cases/decisions.queries.ts'
import { deleteExpiredLeases } from './administration/cases/desk.queries.ts'
import { deleteExpiredExports } from './administration/exports/exports.queries.ts'
import { deleteExpiredAnswers } from './platform/idempotency/idempotency.queries.ts'
import { deleteExpiredHits } from './platform/limits/rate-limit.queries.ts'
import { deleteActivityBefore } from './identity/activity/activity.queries.ts'
import { forgetOldDetails } from './administration/audit/audit-chores.ts'
import { DAY_MS, dayAt, toDate } from './platform/shared/days.ts'
import { deleteResolvedAlerts } from './push/records/alerts.queries.ts'
import type { Chores } from './platform/shared/chores.ts'
import { fromNow } from './platform/shared/clock.ts'

const DAYS_OF_USERS_A_RUN = 100_000

// An expired session still answers TOKEN_EXPIRED for this long, then UNAUTHENTICATED.
const SESSIONS_KEPT_MS = 7 * DAY_MS
const ALERTS_KEPT_MS = 365 * DAY_MS
// Somebody may ask whether a mail was sent.
const ENDED_MAILS_KEPT_MS = 7 * DAY_MS
// The audit log keeps for longer that something was approved.
const APPROVALS_KEPT_MS = 90 * DAY_MS

/** Deletes expired rows, so that no table grows without limit. */
export function forgetChores(deps: Pick<Deps, 'db' | 'clock' | 'config' | 'log'>): Chores {
  const { db, clock } = deps
  return {
    'forget request counts': () => deleteExpiredHits(db, fromNow(clock)),
    'forget stored answers': () => deleteExpiredAnswers(db, fromNow(clock)),
    'forget exports': () => deleteExpiredExports(db, fromNow(clock)),
    'forget bulk changes': () => deleteExpiredBulks(db, fromNow(clock)),
    'forget what bulk changes were for': () => forgetGoneBulks(db),
    'forget leases of desks': () => deleteExpiredLeases(db, fromNow(clock)),
    'forget decisions of desks': () => deleteOldDecisions(db, fromNow(clock, -DAY_MS)),
    'forget links': () => deleteExpiredLinks(db, fromNow(clock)),
    'forget mails': () => deleteEndedMails(db, fromNow(clock, -ENDED_MAILS_KEPT_MS)),
    'forget links of mails': () => deleteExpiredTokens(db, fromNow(clock)),
    'forget approvals': () => deleteOldApprovals(db, fromNow(clock, -APPROVALS_KEPT_MS)),
    'forget passwords that nobody approved': () => forgetSecrets(db, fromNow(clock)),
    'forget powers over accounts': () => deleteOldPowers(db, fromNow(clock, -POWER_MS)),
    'forget pending sign-ins': () => deleteExpiredPending(db, fromNow(clock)),
    'forget unconfirmed second factors': () => deleteUnconfirmed(db, fromNow(clock, -CONFIRM_WITHIN_MS)),
    'forget challenges of passkeys': () => deleteExpiredChallenges(db, fromNow(clock)),
    'seal second factors': () => sealAnew(deps),
    'forget sessions': () => deleteExpiredSessions(db, fromNow(clock, -SESSIONS_KEPT_MS)),
  }
}

export function oldAgeChores(deps: Pick<Deps, 'db' | 'clock' | 'config' | 'auditKeys'>): Chores {
  const { db, clock, config } = deps
  const firstDay = toDate(dayAt(fromNow(clock)) - config.RETENTION_ACTIVITY_DAYS)
  return {
    'delete old alerts': () => deleteResolvedAlerts(db, fromNow(clock, -ALERTS_KEPT_MS)),
    'delete old activity': () => deleteActivityBefore(db, { day: firstDay, limit: DAYS_OF_USERS_A_RUN }),
    'delete old details of the audit log': () => forgetOldDetails(deps),
  }
}
