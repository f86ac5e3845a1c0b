import type { Db } from '../../platform/db/connect.ts'
import type { Deps } from '../../deps.ts'
import { sampleBadges } from '../../push/badges/check.ts'
import { verifyNewest } from '../audit/verify.ts'
import { findSchemaFacts, findSendingFacts } from './doctor.queries.ts'
import { firstOf, type Finding } from './findings.ts'

const NEWEST_ENTRIES = 2_000

type StoredDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'auditKeys'>

export async function schemaFindings(db: Db, expected: ReadonlySet<string>): Promise<Finding[]> {
  const { indexes, unusable, disabledTriggers } = await findSchemaFacts(db)
  const missing = [...expected].filter((name) => !indexes.includes(name))
  return [
    firstOf(
      'indexes',
      [
        ['fail', missing.length > 0, `Indexes are missing: ${missing.join(', ')}. Create them as the migrations do.`],
        ['fail', unusable.length > 0, `Indexes are not valid: ${unusable.join(', ')}. Run REINDEX INDEX CONCURRENTLY.`],
      ],
      `All ${expected.size} indexes are there.`,
    ),
    firstOf(
      'triggers',
      [
        [
          'fail',
          disabledTriggers.length > 0,
          `Triggers are off: ${disabledTriggers.join(', ')}. Enable them, then run the rebuild commands.`,
        ],
      ],
      'No trigger is off.',
    ),
  ]
}

export async function storedFindings(deps: StoredDeps, { hasSecret }: { hasSecret: boolean }): Promise<Finding[]> {
  return [await auditFinding(deps, hasSecret), await badgesFinding(deps.db)]
}

async function auditFinding(deps: StoredDeps, hasSecret: boolean): Promise<Finding> {
  if (!hasSecret)
    return {
      check: 'audit',
      level: 'warn',
      says: 'Not checked: set AUDIT_SECRET, or JWT_SECRET, as the service has it.',
    }
  const { entries, head, broken } = await verifyNewest(deps, NEWEST_ENTRIES)
  const fault = broken && `Entry ${broken.auditId}: ${broken.why}. Run verify-audit.`
  const end =
    entries === 0 ? 'The audit log is empty.' : `The newest of ${entries} entries are unbroken; the last is ${head}.`
  return firstOf('audit', [['fail', fault !== undefined, fault ?? '']], end)
}

async function badgesFinding(db: Db): Promise<Finding> {
  const { users, wrong } = await sampleBadges(db)
  return firstOf(
    'badges',
    [['fail', wrong > 0, `${wrong} of ${users} badges are wrong: run check-badges, which mends them.`]],
    `${users} badges were looked at and are right.`,
  )
}

export async function sendingFindings(db: Db): Promise<Finding[]> {
  const { providers, alerts } = await findSendingFacts(db)
  const halted = providers.filter(({ breaker }) => breaker === 'halted')
  const open = providers.filter(({ breaker }) => breaker !== 'closed')
  const told = (some: typeof providers) =>
    some.map(({ provider, breaker_code: code }) => `${provider}${code ? ` (${code})` : ''}`).join(', ')
  return [
    firstOf(
      'sending',
      [
        ['fail', halted.length > 0, `Sending is halted: ${told(halted)}. See docs/operations.md, then resume.`],
        ['warn', open.length > 0, `Sending waits for ${told(open)}; it resumes by itself.`],
        [
          'warn',
          alerts.length > 0,
          `Alerts are open: ${alerts.map(({ code }) => code).join(', ')}. See GET /api/admin/push-status.`,
        ],
      ],
      'Nothing holds pushes back.',
    ),
  ]
}
