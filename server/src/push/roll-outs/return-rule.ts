/** Pushes that were answered for good. */
export type Answered = { accepted: number; gone: number }

const GONE_LEAST = 10
const ANSWERED_LEAST = 200
const TIMES = 2

/** Fewer answers are too few to compare. */
export function isEnough({ accepted, gone }: Answered): boolean {
  return accepted + gone >= ANSWERED_LEAST
}

/**
 * Whether a provider of a roll-out calls too many phones gone: at least ten, and at least twice the share that the
 * fallback calls gone. The fallback is judged by its answers since the same step; where those are few, by earlier ones.
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

export function computeRate({ accepted, gone }: Answered): number {
  return accepted + gone === 0 ? 0 : gone / (accepted + gone)
}
