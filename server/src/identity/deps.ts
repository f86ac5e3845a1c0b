import type { PlatformDeps } from '../platform/deps.ts'
import type { Work } from '../platform/work/work.ts'
import type { Activity } from './activity/activity.ts'
import type { MailMetrics } from './mails/mail-metrics.ts'
import type { Mailer } from './mails/mailer.ts'
import type { Passwords } from './passwords/password.ts'
import type { Sessions } from './sessions/sessions.ts'

export type IdentityDeps = PlatformDeps & {
  sessions: Sessions
  passwords: Passwords
  /** Undefined: the service sends no mail. */
  mailer: Mailer | undefined
  activity: Activity
  /** Called when somebody changes what they want to be rung for, because identity knows no push. */
  wakePushes(work: Work, userId: number): Promise<void>
  metrics: { mails: MailMetrics }
}
