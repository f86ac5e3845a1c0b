import type { Deps } from '../../deps.ts'
import { AppError } from '../../platform/shared/errors.ts'
import { isKnownSite } from '../sessions/sessions.queries.ts'
import { isAppCode } from './recovery.ts'

type BudgetDeps = Pick<Deps, 'db' | 'rateLimits'>

/** Who tries a code, and from where: `mark` is the stored form of the site. */
export type CodeTry = { userId: number; site: string; mark: string; code: string }

/**
 * Runs the check of a code within the budgets of its account (ADR 053): wrong codes of one site, and wrong codes of all
 * sites that are unknown to the account together. A budget that is used up is 429. A code of six digits can be guessed,
 * so unlike that of passwords the second budget refuses. Recovery codes cannot be guessed and have no budget: the owner
 * gets in by one at any time. A try counts before its check, so that parallel ones count too; it is given back unless
 * the code was wrong.
 */
export async function withinCodeBudget<T>(
  { db, rateLimits }: BudgetDeps,
  { userId, site, mark, code }: CodeTry,
  check: () => Promise<T>,
): Promise<T> {
  if (!isAppCode(code)) return check()
  const isKnown = await isKnownSite(db, userId, mark)
  const ofSite = { name: 'second-factor', subject: `${userId} ${site}` } as const
  const ofAccount = { name: 'second-factor-account', subject: String(userId) } as const
  const charges = isKnown ? [ofSite] : [ofSite, ofAccount]
  const outcome = await rateLimits.spend(charges, () =>
    check().then(
      (value) => ({ value }),
      (error: unknown) => {
        if (isWrongCode(error)) return { wrong: error }
        throw error
      },
    ),
  )
  if ('wrong' in outcome) throw outcome.wrong
  await Promise.all(charges.map(({ name, subject }) => rateLimits.giveBack(name, subject)))
  return outcome.value
}

function isWrongCode(error: unknown): boolean {
  return error instanceof AppError && error.code === 'INVALID_CODE'
}
