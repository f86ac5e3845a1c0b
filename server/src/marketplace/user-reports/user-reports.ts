import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { ReportStatus } from '../../platform/tables/marketplace-tables.ts'
import type { UserReportReason } from '../../platform/tables/people-tables.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { findAccountRole } from '../../identity/accounts/accounts.ts'
import { recordStateChanges } from '../history/history.ts'
import { insertUserReport, type UserReport } from './user-reports.queries.ts'

export const USER_REPORT_REASONS = [
  'scam',
  'no_show',
  'harassment',
  'hate',
  'impersonation',
  'spam',
  'underage',
  'other',
] as const satisfies UserReportReason[]

/** The person is not told (decision E). 404 for a deleted account, 422 for oneself, 409 DUPLICATE while a report of
 * the same reporter is undecided. */
export async function reportUser(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  given: { userId: number; reporterId: number; reason: UserReportReason; details: string | null },
): Promise<UserReport> {
  const { userId, reporterId, reason, details } = given
  if (userId === reporterId) throw errors.validation({ id: ['must belong to another person'] })
  if ((await findAccountRole(tx, userId)) === undefined) throw errors.notFound('This user')
  const at = fromNow(clock)
  const report = { user_id: userId, reporter_id: reporterId, reason, details, created_at: at, updated_at: at }
  const stored = await insertUserReport(tx, report)
  if (stored === undefined) throw errors.duplicate('id', 'You have already reported this person.')
  await recordUserReportMoves(tx, stored, [{ from: null, to: 'open' }], { actor: 'user', actorId: reporterId, at })
  return stored
}

export async function recordUserReportMoves(
  tx: Tx,
  { report_id, reporter_id }: UserReport,
  moves: { from: ReportStatus | null; to: ReportStatus }[],
  { actor, actorId, at }: { actor: 'user' | 'administrator'; actorId: number | null; at: Date },
): Promise<void> {
  const report = { entity: 'user_report', entity_id: report_id, user_id: reporter_id } as const
  const by = { actor, actor_id: actorId, note: null, at }
  const changes = moves.map(({ from, to }) => ({ ...report, from_state: from, to_state: to, ...by }))
  await recordStateChanges(tx, changes)
}
