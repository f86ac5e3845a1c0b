import type { Deps } from '../../deps.ts'
import { AppError } from '../../platform/shared/errors.ts'
import { isKnownSite } from '../sessions/sessions.queries.ts'
import { isAppCode } from './recovery.ts'

type BudgetDeps = Pick<Deps, 'db' | 'rateLimits'>

export type CodeTry = { userId: number; site: string; mark: string; code: string }

/**
 * ADR 053. Unlike passwords, codes of six digits can be guessed, so the budget of all sites refuses; recovery codes
 * have none. A try counts before its check, so that parallel ones count; it is given back unless the code was wrong.
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
