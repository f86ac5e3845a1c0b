import type { Db } from '../../platform/db/connect.ts'
import { isServerAway } from '../../platform/db/homes.ts'
import { isDatabaseUnavailable, isInTheWay } from '../../platform/db/transaction.ts'
import type { Log } from '../../platform/shared/log.ts'

/** The next rows of a walk in the order of ids. */
export type Step = { after: number; limit: number }

/** `note` gets the ids that it found, in their order, before a step can fail. */
type MakeRound = (step: Step, note: (ids: number[]) => void) => Promise<unknown>

// A round that fails may have waited for a lock for seconds, and the next chore waits until all rounds are over.
const FAULTS_MOST = 20

/**
 * Makes rounds, each in a transaction of its own, until one finds fewer than its limit. After a round that fails the
 * next are small, so that what cannot be done is met alone and passed by; its fault is thrown at the end or after many.
 */
export async function pastFaults(db: Db, most: number, round: MakeRound): Promise<void> {
  const faults: unknown[] = []
  let found: number[]
  for (let [after, limit] = [0, most]; ; after = found.at(-1) ?? after) {
    found = []
    try {
      await round({ after, limit }, (ids) => (found = ids))
      if (found.length < limit) break
      limit = Math.min(limit * 2, most)
    } catch (error) {
      if (found.length === 0 || isDatabaseUnavailable(error) || isServerAway(db, error)) throw error
      if (faults.length === FAULTS_MOST) throw error
      if (found.length === 1) faults.push(error)
      else found = []
      limit = 1
    }
  }
  if (faults.length > 0) throw faults[0]
}

/**
 * Stores them together, or each alone if one of them cannot be stored: it keeps none of the others. The first fault is
 * thrown at the end. What says nothing of them, as a database that is away, is thrown at once.
 */
export async function togetherOrAlone<Item>(
  log: Log,
  items: Item[],
  store: (some: Item[]) => Promise<unknown>,
): Promise<void> {
  const faults: unknown[] = []
  try {
    await store(items)
  } catch (error) {
    if (items.length === 1 || isDatabaseUnavailable(error) || isInTheWay(error)) throw error
    log.warn({ err: error, items: items.length }, 'what cannot be stored together is stored one by one')
    for (const item of items)
      await store([item]).catch((fault: unknown) => {
        if (isDatabaseUnavailable(fault) || isInTheWay(fault)) throw fault
        faults.push(fault)
      })
  }
  if (faults.length > 0) throw faults[0]
}
