import type { IdentityDeps } from '../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { recordRepeated } from '../../platform/audit/repeats.ts'
import { AppError } from '../../platform/shared/errors.ts'
import type { Charge } from '../../platform/limits/rate-limit.ts'
import { isKnownSite } from '../sessions/sessions.queries.ts'
import { callerSite, siteMark } from '../sessions/sites.ts'
import { isAppCode } from './recovery-codes.ts'

const WRONG: readonly string[] = ['INVALID_CODE', 'INVALID_PASSKEY', 'PASSKEY_BEHIND']

/**
 * ADR 11. Unlike passwords, codes of six digits can be guessed, so the budget of all sites refuses; recovery codes
 * have none. A try counts before its check, so that parallel ones count; it is given back unless the code was wrong.
 */
export async function withinCodeBudget<T>(
  deps: Pick<IdentityDeps, 'db' | 'config' | 'rateLimits'>,
  { userId, by, code }: { userId: number; by: Actor; code: string },
  check: () => Promise<T>,
): Promise<T> {
  if (!isAppCode(code)) return check()
  const mark = siteMark(deps.config, { userId, site: callerSite(by) })
  const ofAccount = { name: 'second-factor-account', subject: String(userId) } as const
  const isKnown = await isKnownSite(deps.db, { userId, mark })
  return chargingWrong(deps, isKnown ? [ofSite(userId, by)] : [ofSite(userId, by), ofAccount], check)
}

/** ADR 11. Passkeys cannot be guessed, so only the site is limited, and nobody can lock others out. */
export function withinPasskeyBudget<T>(
  deps: Pick<IdentityDeps, 'rateLimits'>,
  { userId, by }: { userId: number; by: Actor },
  check: () => Promise<T>,
): Promise<T> {
  return chargingWrong(deps, [ofSite(userId, by)], check)
}

/** Records a wrong code or passkey at a sign-in, and everywhere a passkey that may have been copied. */
export async function auditingRefusals<T>(
  deps: Pick<IdentityDeps, 'db' | 'clock' | 'auditKeys'>,
  { userId, by, isSignIn = true }: { userId: number; by: Actor; isSignIn?: boolean },
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    const code = error instanceof AppError ? error.code : ''
    const isFailedSignIn = isSignIn && ['INVALID_CODE', 'INVALID_PASSKEY'].includes(code)
    const action = code === 'PASSKEY_BEHIND' ? 'passkey.behind' : isFailedSignIn ? 'login_failed' : undefined
    const target = { entity: 'user', entityId: userId, site: callerSite(by) }
    if (action !== undefined) await recordRepeated(deps, by, { action, ...target })
    throw error
  }
}

function ofSite(userId: number, by: Actor): Charge {
  return { name: 'second-factor', subject: `${userId} ${callerSite(by)}` }
}

async function chargingWrong<T>(
  { rateLimits }: Pick<IdentityDeps, 'rateLimits'>,
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
