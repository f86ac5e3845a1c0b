import type { Deps } from '../../deps.ts'
import { findActiveAccount } from '../../identity/accounts/accounts.ts'
import { can, type Permission } from '../../platform/rights/permissions.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inTransaction, isDatabaseUnavailable } from '../../platform/db/transaction.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import type { DecisionKind } from '../../platform/tables/office-tables.ts'
import { dueDecision, end, nextDue, recordMove } from '../desk/decisions.ts'
import type { Decision } from '../desk/decisions.queries.ts'
import { resolveDispute } from '../disputes/disputes.ts'
import { decideReportedProduct } from '../moderation/reported-product.ts'
import { dismissReport, resolveReport } from '../moderation/reports.ts'
import { resolveUserReport } from '../moderation/user-reports.ts'
import { decideVerification } from '../moderation/verification.ts'

type Rule = (deps: Deps, tx: Tx, actor: Actor, request: never) => Promise<unknown>

const RULES: Record<DecisionKind, { permission: Permission; rule: (verdict: string) => Rule }> = {
  verification: { permission: 'verification', rule: () => decideVerification },
  reported_product: { permission: 'product-reports', rule: () => decideReportedProduct },
  report: {
    permission: 'product-reports',
    rule: (verdict) => (verdict === 'dismiss' ? dismissReport : resolveReport),
  },
  user_report: { permission: 'user-reports', rule: () => resolveUserReport },
  dispute: { permission: 'swaps', rule: () => resolveDispute },
}

const LOOK_EVERY_MS = 15_000

/** Carries out every decision whose time to be undone is over; gives for how many milliseconds none is due. */
export async function carryOutDecisions(deps: Deps): Promise<number> {
  for (let isMore = true; isMore;) isMore = await carryOutOne(deps)
  const next = await nextDue(deps)
  return Math.min(LOOK_EVERY_MS, next === undefined ? LOOK_EVERY_MS : Math.max(0, next.getTime() - deps.clock.now()))
}

/** A decision that its rule refuses now has failed and changes nothing: its product may have changed meanwhile. */
async function carryOutOne(deps: Deps): Promise<boolean> {
  let decision: Decision | undefined
  try {
    await inTransaction(deps.db, async (tx) => {
      decision = await dueDecision(deps, tx)
      if (decision === undefined) return
      await carryOut(deps, tx, decision)
      await end(deps, tx, decision, { status: 'done' })
    })
  } catch (thrown) {
    if (decision === undefined || isDatabaseUnavailable(thrown)) throw thrown
    await fail(deps, decision, thrown)
  }
  return decision !== undefined
}

async function carryOut(deps: Deps, tx: Tx, { kind, verdict, request, decided_by: userId }: Decision): Promise<void> {
  const { permission, rule } = RULES[kind]
  const account = await findActiveAccount(tx, userId)
  if (account === undefined || !can(account.role, permission)) throw errors.forbidden()
  const actor = { ...actorOf(userId), role: account.role }
  await rule(verdict)(deps, tx, actor, request as never)
}

async function fail(deps: Deps, decision: Decision, thrown: unknown): Promise<void> {
  const isRefused = thrown instanceof AppError
  if (!isRefused)
    deps.log.error({ err: thrown, decision_id: decision.decision_id }, 'a decision could not be carried out')
  await inTransaction(deps.db, async (tx) => {
    const due = await dueDecision(deps, tx, decision.decision_id)
    if (due === undefined) return
    await end(deps, tx, due, { status: 'failed', error: isRefused ? thrown.message : 'The service failed.' })
    await recordMove(tx, deps, actorOf(due.decided_by), 'decision.fail', due)
  })
}

function actorOf(userId: number): Actor {
  return { userId, role: null, ip: null, userAgent: null, requestId: null }
}
