import type { PushDeps } from '../../push/deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { keepAlert } from '../../push/status/alerts.ts'
import { findMailsLately } from './mail-alerts.queries.ts'

const MAIL_LATE_MS = 10 * 60_000
const MAIL_FAILED_WITHIN_MS = 3_600_000
// Single refusals are typing errors of those who register.
const MANY_REFUSED = 10

const MAILS_LATE = {
  code: 'MailsLate',
  detail: 'A mail has waited for more than ten minutes: the mail server does not take it, or no worker sends mails.',
}
const MAILS_FAILED = {
  code: 'MailsFailed',
  detail: 'In the last hour a mail was given up in its time, or the mail server refused most of the mails.',
}

/** Raises alerts about mails that wait or fail, and resolves them when that is over. */
export async function watchMails(deps: Pick<PushDeps, 'db' | 'clock'>): Promise<void> {
  const { oldest, sent, refused, given_up } = await findMailsLately(
    deps.db,
    fromNow(deps.clock, -MAIL_FAILED_WITHIN_MS),
  )
  await keepAlert(deps, MAILS_LATE, oldest !== null && oldest < fromNow(deps.clock, -MAIL_LATE_MS))
  await keepAlert(deps, MAILS_FAILED, given_up > 0 || (refused >= MANY_REFUSED && refused > sent))
}
