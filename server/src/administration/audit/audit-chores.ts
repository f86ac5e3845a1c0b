import type { Db } from '../../platform/db/connect.ts'
import type { Chores } from '../../platform/shared/chores.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { Log } from '../../platform/shared/log.ts'
import type { AuditDeps } from '../../platform/audit/audit.ts'
import { deleteOriginsWithoutAccount, takeUnloggedHead } from '../../platform/audit/audit.queries.ts'
import { foldRepeats } from '../../platform/audit/repeats.ts'

/** A login with an unknown address concerns no account. */
export const ORIGIN_KEPT_MS = 7 * 86_400_000

/** The number of entries and the last hash go to the service's log, which nobody changes by the database. */
export function auditChores(deps: AuditDeps & { db: Db; log: Log }): Chores {
  return {
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
