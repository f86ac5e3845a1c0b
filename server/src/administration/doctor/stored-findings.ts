import type { Db } from '../../platform/db/connect.ts'
import type { Source } from '../../platform/db/one-message.ts'
import { sampleBadges } from '../../push/badges/check.ts'
import { findQueues } from '../../push/status/queues.queries.ts'
import { verifyNewest, type AuditLog } from '../audit/verify.ts'
import { findSchemaFacts, findSendingFacts } from './doctor.queries.ts'
import { fail, ok, warn, type Finding } from './findings.ts'

const NEWEST_ENTRIES = 2_000
// As the alert SwapbellPushesLate.
const LATE_S = 60

export async function schemaFindings(db: Db, expected: ReadonlySet<string>): Promise<Finding[]> {
  const { indexes, unusable, disabledTriggers } = await findSchemaFacts(db)
  const missing = [...expected].filter((name) => !indexes.includes(name))
  return [indexesFinding(expected.size, missing, unusable), triggersFinding(disabledTriggers)]
}

function indexesFinding(expected: number, missing: string[], unusable: string[]): Finding {
  if (missing.length > 0)
    return fail('indexes', `Indexes are missing: ${missing.join(', ')}. Create them as the migrations do.`)
  if (unusable.length > 0)
    return fail('indexes', `Indexes are not valid: ${unusable.join(', ')}. Run REINDEX INDEX CONCURRENTLY.`)
  return ok('indexes', `All ${expected} indexes are there.`)
}

function triggersFinding(disabled: string[]): Finding {
  if (disabled.length === 0) return ok('triggers', 'All triggers are on.')
  return fail('triggers', `Triggers are off: ${disabled.join(', ')}. Enable them, then run the rebuild commands.`)
}

export async function storedFindings(
  deps: AuditLog & { db: Db },
  { hasSecret }: { hasSecret: boolean },
): Promise<Finding[]> {
  return [await auditFinding(deps, hasSecret), await badgesFinding(deps.db)]
}

async function auditFinding(deps: AuditLog, hasSecret: boolean): Promise<Finding> {
  if (!hasSecret) return warn('audit', 'Not checked: set AUDIT_SECRET, or JWT_SECRET, as the service has it.')
  const { entries, head, broken } = await verifyNewest(deps, NEWEST_ENTRIES)
  if (broken) return fail('audit', `Entry ${broken.auditId}: ${broken.why}. Run verify-audit.`)
  if (entries === 0) return ok('audit', 'The audit log is empty.')
  return ok('audit', `The newest of ${entries} entries are unbroken; the last is ${head}.`)
}

async function badgesFinding(db: Db): Promise<Finding> {
  const { users, wrong } = await sampleBadges(db)
  if (wrong > 0) return fail('badges', `${wrong} of ${users} badges are wrong: run check-badges, which mends them.`)
  return ok('badges', `${users} badges were looked at and are right.`)
}

export async function sendingFinding(source: Source): Promise<Finding> {
  const { providers, alerts } = await findSendingFacts(source.db)
  const halted = providers.filter(({ breaker }) => breaker === 'halted')
  const open = providers.filter(({ breaker }) => breaker !== 'closed')
  const formatProviders = (some: typeof providers) =>
    some.map(({ provider, breaker_code: code }) => `${provider}${code ? ` (${code})` : ''}`).join(', ')
  if (halted.length > 0)
    return fail('sending', `Sending is halted: ${formatProviders(halted)}. See docs/operations.md, then resume.`)
  if (open.length > 0) return warn('sending', `Sending waits for ${formatProviders(open)}; it resumes by itself.`)
  const queues = await findQueues(source, { now: new Date() })
  const late = queues?.lanes.find(({ lane, oldest }) => lane === 'transactional' && oldest > LATE_S)
  if (late) return warn('sending', `A push has been due for ${Math.round(late.oldest)} s: look whether a worker runs.`)
  const codes = alerts.map(({ code }) => code).join(', ')
  if (alerts.length > 0) return warn('sending', `Alerts are open: ${codes}. See GET /api/admin/push-status.`)
  return ok('sending', 'Nothing holds pushes back.')
}
