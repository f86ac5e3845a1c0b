import type { IdentityDeps } from '../deps.ts'
import { AppError } from '../../platform/shared/errors.ts'
import type { Charge } from '../../platform/limits/rate-limit.ts'
import { isKnownSite } from '../sessions/sessions.queries.ts'
import { isAppCode } from './recovery.ts'

type BudgetDeps = Pick<IdentityDeps, 'db' | 'rateLimits'>

export type CodeTry = { userId: number; site: string; mark: string; code: string }

const WRONG: readonly string[] = ['INVALID_CODE', 'INVALID_PASSKEY', 'PASSKEY_BEHIND']

/**
 * ADR 11. Unlike passwords, codes of six digits can be guessed, so the budget of all sites refuses; recovery codes
 * have none. A try counts before its check, so that parallel ones count; it is given back unless the code was wrong.
 */
export async function withinCodeBudget<T>(
  deps: BudgetDeps,
  { userId, site, mark, code }: CodeTry,
  check: () => Promise<T>,
): Promise<T> {
  if (!isAppCode(code)) return check()
  const ofAccount = { name: 'second-factor-account', subject: String(userId) } as const
  const isKnown = await isKnownSite(deps.db, userId, mark)
  return chargingWrong(deps, isKnown ? [ofSite(userId, site)] : [ofSite(userId, site), ofAccount], check)
}

/** ADR 11. Passkeys cannot be guessed, so only the site is limited, and nobody can lock others out. */
export function withinPasskeyBudget<T>(
  deps: BudgetDeps,
  { userId, site }: Pick<CodeTry, 'userId' | 'site'>,
  check: () => Promise<T>,
): Promise<T> {
  return chargingWrong(deps, [ofSite(userId, site)], check)
}

function ofSite(userId: number, site: string): Charge {
  return { name: 'second-factor', subject: `${userId} ${site}` }
}

async function chargingWrong<T>(
  { rateLimits }: Pick<BudgetDeps, 'rateLimits'>,
  charges: Charge[],
  check: () => Promise<T>,
): Promise<T> {
  const outcome = await rateLimits.spend(charges, () =>
    check().then(
      (value) => ({ value }),
      (error: unknown) => {
        if (error instanceof AppError && WRONG.includes(error.code)) return { wrong: error }
        throw error
      },
    ),
  )
  if ('wrong' in outcome) throw outcome.wrong
  await Promise.all(charges.map(({ name, subject }) => rateLimits.giveBack(name, subject)))
  return outcome.value
}
