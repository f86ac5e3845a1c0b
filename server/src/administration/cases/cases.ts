import type { Sessions } from '../../identity/sessions/sessions.ts'
import type { Permission } from '../../platform/rights/permissions.ts'
import type { DecisionKind } from '../../platform/tables/office-tables.ts'
import type { Work } from '../../platform/work/work.ts'
import { resolveDispute } from './disputes.ts'
import { decideProductReport, decideReportedProduct, decideUserReport } from './decide-reports.ts'
import { decideVerification } from './verification.ts'

type Kind = {
  /** It is checked when somebody decides, and again when the decision is carried out. */
  permission: Permission
  entity: string
  /** The decision may be about one version of the record: 412 for another. */
  isVersioned: boolean
  decide: (work: Work, decision: never) => Promise<unknown>
}

/**
 * The table of all that moderators decide. Each kind is decided by a verdict about a record, at once or after five
 * seconds.
 */
export const CASES = {
  verification: { permission: 'verification', entity: 'product', isVersioned: true, decide: decideVerification },
  reported_product: {
    permission: 'product-reports',
    entity: 'product',
    isVersioned: false,
    decide: decideReportedProduct,
  },
  report: { permission: 'product-reports', entity: 'report', isVersioned: true, decide: decideProductReport },
  user_report: { permission: 'user-reports', entity: 'user_report', isVersioned: true, decide: decideUserReport },
  dispute: { permission: 'swaps', entity: 'swap', isVersioned: false, decide: resolveDispute },
} as const satisfies Record<DecisionKind, Kind>

type Rule<Name extends DecisionKind> = (typeof CASES)[Name]['decide']
type Input<Name extends DecisionKind> = Omit<Parameters<Rule<Name>>[1], 'sessions'>
/** `recordId`: of the product, report or swap. `expected`: its versions that the moderator may have seen. */
export type DecisionOn<Name extends DecisionKind> = Input<Name> & { recordId: number; verdict: string }
export type Result<Name extends DecisionKind> = Awaited<ReturnType<Rule<Name>>>

export type Given<Name extends DecisionKind> = { kind: Name; decision: DecisionOn<Name>; sessions: Sessions }

export function decideCase<Name extends DecisionKind>(
  work: Work,
  { kind, decision, sessions }: Given<Name>,
): Promise<Result<Name>> {
  const { decide }: Kind = CASES[kind]
  return decide(work, { ...decision, sessions } as never) as Promise<Result<Name>>
}
