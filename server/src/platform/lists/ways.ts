/**
 * The cost of a row that is read and sorted, in rows that a walk passes (about 0.1 µs with PostgreSQL 15). Rows that
 * are spread over the table are each on another page.
 */
const SORTED = { spread: 16, together: 1, compared: 1 }
/** A try passes at most this many rows, or twice as many as it likely needs. */
const TRY = 10_000
/** A try must likely need this many times fewer rows than the sure way. */
const FEWER = 8
/** The assumed share of filters whose matches are together in an order although they should be spread over it. */
const RISK = 0.05

type Way = 'walk' | 'merge' | 'sort'

/** Numbers of rows; `all`: those that a walk through the order may pass; `depth`: the end of the page. */
export type Known = {
  all: number
  matches: number
  depth: number
  /**
   * Spread: evenly over the table and every order. Together in the table: perhaps all at one end of an order. Compared:
   * perhaps anywhere, and each row that is passed is compared as text.
   */
  matchesAre: keyof typeof SORTED
  /** How many rows are read to find all that match; absent: only these. */
  read?: number
  /** How many are read to merge the page from parts, if there are any. */
  merged?: number | undefined
}

/** `tried`: how many rows a walk passes before the `sure` way is taken instead. */
export type Choice = { sure: Way; tried?: number }

/**
 * The cheapest way to a page, in rows touched (ADR 063). A walk passes few rows when the matches are spread evenly,
 * and all others first when they stand at its far end. Where that costs more than another way, it is only tried.
 */
export function cheapestWay(known: Known): Choice {
  const { all, matches, depth, matchesAre, read = matches, merged = Infinity } = known
  const found = Math.max(1, Math.min(matches, all))
  const likely = Math.min(all, (depth * all) / found)
  const most = Math.min(all, depth + all - found)
  const costs: [Way, number][] = [
    ['walk', matchesAre === 'spread' ? likely + RISK * most : most],
    ['merge', merged],
    ['sort', read * SORTED[matchesAre]],
  ]
  const [sure, cost] = costs.reduce((best, other) => (other[1] < best[1] ? other : best))
  if (sure === 'walk' || matchesAre === 'spread' || likely * FEWER >= cost) return { sure }
  return { sure, tried: Math.round(Math.min(cost, Math.max(TRY, 2 * likely))) }
}
