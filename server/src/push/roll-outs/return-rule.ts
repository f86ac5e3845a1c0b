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
 * Where a provider of a roll-out calls too many phones gone, gives the answers of the fallback with which its own are
 * compared: at least ten are gone, and at least twice the share. The fallback is judged by its answers since the same
 * step; where those are few, by earlier ones.
 */
export function findTooManyGone(
  own: Answered,
  { now, earlier }: { now: Answered; earlier: Answered },
): Answered | undefined {
  if (own.gone < GONE_LEAST || !isEnough(own)) return undefined
  const other = [now, earlier].find(isEnough)
  return other && computeRate(own) >= TIMES * computeRate(other) ? other : undefined
}

export function computeRate({ accepted, gone }: Answered): number {
  return accepted + gone === 0 ? 0 : gone / (accepted + gone)
}
