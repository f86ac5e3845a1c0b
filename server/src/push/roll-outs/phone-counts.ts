import type { PushDeps } from '../deps.ts'
import { countPhones, type PhoneCount } from './roll-outs.queries.ts'

export type CountedPhones = { at: Date; counts: readonly PhoneCount[] }
export type CountPhones = () => Promise<CountedPhones>

const KEPT_MS = 60_000

/**
 * Counts phones with two addresses, at most once a minute in a process, because that reads all phones: a second for a
 * million.
 */
export function createPhoneCounts({ db, clock }: Pick<PushDeps, 'db' | 'clock'>): CountPhones {
  let kept: { at: Date; counted: Promise<CountedPhones> } | undefined
  const count = async (at: Date) => ({ at, counts: await countPhones(db, at) })
  return async () => {
    const now = new Date(clock.now())
    if (kept === undefined || now.getTime() - kept.at.getTime() >= KEPT_MS) kept = { at: now, counted: count(now) }
    const own = kept
    try {
      return await own.counted
    } catch (error) {
      if (kept === own) kept = undefined
      throw error
    }
  }
}
