import type { IdentityDeps } from '../deps.ts'
import { isKnownSite } from '../sessions/sessions.queries.ts'
import { siteMark } from '../sessions/sites.ts'

/** A site that is unknown to the account has these tries in 15 minutes once the account's budget is used up. */
const FEW_TRIES = 3
const ONE_TRY = 1
const FEW_UP_TO = 4

/**
 * Decision A11, ADR 10: 429 for a site that tried too often. A used-up budget of all sites leaves unknown ones fewer
 * tries and refuses nobody. A try counts before its check, so that parallel ones count; given back unless it was wrong.
 */
export async function withinBudget(
  { db, config, rateLimits }: Pick<IdentityDeps, 'db' | 'config' | 'rateLimits'>,
  tried: { userId: number | null; address: string; site: string },
  check: () => Promise<boolean>,
): Promise<boolean> {
  // Tries count for the account that was found, however its address is spelled.
  const subject = tried.userId === null ? `address ${tried.address.toLowerCase()}` : toSubject(tried.userId)
  const [here, everywhere] = [
    ['login-failures', `${subject} ${tried.site}`],
    ['login-failures-account', subject],
  ] as const
  const isKnown = await isKnownSite(db, { userId: tried.userId ?? 0, mark: siteMark(config, tried) })
  const used = isKnown ? 0 : await rateLimits.count(...everywhere)
  const show = async () => void (await rateLimits.count('login-failures-shown', subject))
  const giveBackEverywhere = async () => {
    if (!isKnown) await rateLimits.giveBack(...everywhere)
  }
  try {
    await rateLimits.hit(...here, triesAt(used))
  } catch (error) {
    await Promise.all([giveBackEverywhere(), show()])
    throw error
  }
  let isFailure = false
  try {
    const isRight = await check()
    isFailure = !isRight
    return isRight
  } finally {
    await (isFailure ? show() : Promise.all([rateLimits.giveBack(...here), giveBackEverywhere()]))
  }
}

/** Sign-ins to the account since midnight (UTC) that failed or were refused; undefined when they are not counted. */
export function failedSignIns(
  { rateLimits }: Pick<IdentityDeps, 'rateLimits'>,
  userId: number,
): Promise<number | undefined> {
  return rateLimits.read('login-failures-shown', toSubject(userId))
}

function toSubject(userId: number): string {
  return `user ${userId}`
}

/** `used`: the share of the limit that is used up; above 1 only few tries at a time are left. */
function triesAt(used: number): number {
  if (used <= 1) return Infinity
  return used <= FEW_UP_TO ? FEW_TRIES : ONE_TRY
}
