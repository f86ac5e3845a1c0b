import { createHmac, hkdfSync } from 'node:crypto'
import type { Config } from '../../platform/config/config.ts'
import type { Deps } from '../../deps.ts'
import { isKnownSite } from '../sessions/sessions.queries.ts'

/** An attempt to log in: for whom, and from where. `userId` null: the address has no account. */
export type Try = { userId: number | null; address: string; site: string }

type BudgetDeps = Pick<Deps, 'db' | 'config' | 'rateLimits'>

/** Tries in 15 minutes for a site unknown to the account, once its budget is used up. */
const FEW_TRIES = 3
const ONE_TRY = 1
const FEW_UP_TO = 4

/**
 * Runs the check of a password within the budgets of its account (decision A11, ADR 030): failures from one site, and
 * failures from all sites together. A site that tried too often gets 429. A budget of all sites that is used up
 * refuses nobody: sites from which nobody has signed in to the account then have 3 tries, and in the end 1, in place of
 * 10. So the owner gets in with the right password, from anywhere. A try counts before its check, so that parallel ones
 * count too; it is given back unless the password was wrong. Gives whether it was right.
 */
export async function withinBudget(deps: BudgetDeps, tried: Try, check: () => Promise<boolean>): Promise<boolean> {
  const { rateLimits } = deps
  // By the account that was found, not by the spelling of the address.
  const subject = tried.userId === null ? `address ${tried.address.toLowerCase()}` : `user ${tried.userId}`
  const [here, everywhere] = [
    ['login-failures', `${subject} ${tried.site}`],
    ['login-failures-account', subject],
  ] as const
  const isKnown = await isKnownSite(deps.db, tried.userId ?? 0, siteMark(deps.config, tried))
  const used = isKnown ? 0 : await rateLimits.count(...everywhere)
  const giveBackEverywhere = async () => {
    if (!isKnown) await rateLimits.giveBack(...everywhere)
  }
  try {
    await rateLimits.hit(...here, triesAt(used))
  } catch (error) {
    await giveBackEverywhere()
    throw error
  }
  let isFailure = false
  try {
    const isRight = await check()
    isFailure = !isRight
    return isRight
  } finally {
    if (!isFailure) await Promise.all([rateLimits.giveBack(...here), giveBackEverywhere()])
  }
}

/** The stored form of a session's site: without the secret it reveals neither the address nor other accounts. */
export function siteMark({ JWT_SECRET }: Pick<Config, 'JWT_SECRET'>, { userId, site }: Omit<Try, 'address'>): string {
  const key = Buffer.from(hkdfSync('sha256', JWT_SECRET, '', 'login site', 32))
  return createHmac('sha256', key).update(`${userId} ${site}`).digest('base64url').slice(0, 22)
}

function triesAt(used: number): number {
  if (used <= 1) return Infinity
  return used <= FEW_UP_TO ? FEW_TRIES : ONE_TRY
}
