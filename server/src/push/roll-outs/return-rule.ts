/** Pushes that were answered for good. */
export type Answered = { accepted: number; gone: number }

const GONE_LEAST = 10
const ANSWERED_LEAST = 200
const TIMES = 2

/** Fewer say nothing of a way. */
export function isEnough({ accepted, gone }: Answered): boolean {
  return accepted + gone >= ANSWERED_LEAST
}

/**
 * Whether too many are gone by a provider: at least ten, and twice the share of those by the fallback since the same
 * moment; where few went by that, of those before.
 */
export function isTooManyGone(own: Answered, fallback: { now: Answered; earlier: Answered }): boolean {
  const other = findCompared(fallback)
  if (other === undefined || own.gone < GONE_LEAST || !isEnough(own)) return false
  return computeRate(own) >= TIMES * computeRate(other)
}

/** Gives what a provider's own figures are compared with; undefined: nothing is known of the fallback. */
export function findCompared({ now, earlier }: { now: Answered; earlier: Answered }): Answered | undefined {
  return [now, earlier].find(isEnough)
}

/** The share of gone devices among the answers. */
export function computeRate({ accepted, gone }: Answered): number {
  return accepted + gone === 0 ? 0 : gone / (accepted + gone)
}
