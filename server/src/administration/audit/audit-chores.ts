import type { Db } from '../../platform/db/connect.ts'
import type { Chores } from '../../platform/shared/chores.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { Log } from '../../platform/shared/log.ts'
import {
  type Signing,
  appendWaiting,
  expectKnownKeys,
  forgetDetailsBefore,
  forgetInAudit,
  type AuditKind,
} from '../../platform/audit/audit.ts'
import { deleteOriginsWithoutAccount, takeUnloggedHead } from '../../platform/audit/audit.queries.ts'
import { foldRepeats } from '../../platform/audit/repeats.ts'
import type { PushDeps } from '../../push/deps.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { DAY_MS } from '../../platform/shared/days.ts'
import type { Work } from '../../platform/work/work.ts'
import { listReadings } from './audit-log.queries.ts'

/** A login with an unknown address concerns no account. */
export const ORIGIN_KEPT_MS = 7 * 86_400_000

/** The number of entries and the last hash go to the service's log, which nobody changes by the database. */
export function auditChores(deps: Signing & { db: Db; log: Log }): Chores {
  return {
    'append entries that wait': async () => {
      await appendWaiting(deps.db, deps)
      await expectKnownKeys(deps.db, deps)
    },
    'fold repeated denials': () => foldRepeats(deps),
    'delete origins without an account': () =>
      deleteOriginsWithoutAccount(deps.db, fromNow(deps.clock, -ORIGIN_KEPT_MS)),
    'log the head of the audit log': () => logHead(deps),
  }
}

async function logHead({ db, log }: { db: Db; log: Log }): Promise<void> {
  const head = await takeUnloggedHead(db)
  if (head) log.info({ audit_entries: head.audit_id, audit_head: head.hash }, 'the audit log ends here')
}

const DETAILS_A_RUN = 20_000

/** Details are deleted by whole UTC days, so at most one entry a day and kind tells of it. The entries stay, and with
 * them the chain (ADR 12). */
export async function forgetOldDetails(deps: Pick<PushDeps, 'db' | 'clock' | 'config' | 'auditKeys'>): Promise<void> {
  const kinds: [AuditKind, number][] = [
    ['sign-ins', deps.config.RETENTION_SIGN_IN_DAYS],
    ['others', deps.config.RETENTION_AUDIT_DAYS],
  ]
  const today = Math.floor(fromNow(deps.clock).getTime() / DAY_MS)
  for (const [kind, days] of kinds) {
    const before = new Date((today - days) * DAY_MS)
    await inTransaction(deps.db, (tx) => forgetDetailsBefore(tx, deps, { kind, before, limit: DETAILS_A_RUN }))
  }
}

/** Details of purged people, and the reasons for which their chats were read, whoever was the other side. */
export async function forgetPeopleInAudit(work: Work, userIds: number[]): Promise<void> {
  await forgetInAudit(work, userIds, await listReadings(work.tx, userIds))
}
