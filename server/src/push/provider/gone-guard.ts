import type { Db } from '../../platform/db/connect.ts'
import { hasProvenToken } from './platforms.queries.ts'
import { countResults } from './provider-state.queries.ts'

// Decision B11: over 30 % of the last 1,000 results are gone devices. The guard of platforms has the same numbers.
export const WINDOW = 1_000
const LIMIT = 300
/** What fewer people than this can cause pauses and halts nothing (decision B13). */
export const PEOPLE_LEAST = 10
// Real people have fewer phones than this on average. Somebody who invents tokens registers 20 at once, and others when
// those are gone.
const PHONES_EACH = 3
// Good results are gathered up to this number, so that neither a single push nor a campaign writes them one by one.
export const FLUSH_AT = 5_000

export type GoneGuard = ReturnType<typeof createGoneGuard>
/** `isUnproven`: the provider keeps which tokens are proven, and this one was not. */
type Gone = { deviceId: number; isUnproven?: boolean }
/** `leftAt`: when the latest of their pushes left. */
export type GoneReport = { results: number; gone: readonly Gone[]; leftAt: Date }
/** `leave`: sending was resumed since `leftAt`, so they do not count; `alert`: too many are gone. */
export type Verdict = 'remove' | 'leave' | 'alert'

export function createGoneGuard(db: Db, provider: string) {
  let gathered = 0
  const assess = async ({ results, gone: all, leftAt }: GoneReport): Promise<Verdict> => {
    const gone = await keepCredible(db, provider, all)
    const latest = results - (all.length - gone.length)
    gathered += latest
    if (gathered === 0 || (gone.length === 0 && gathered < FLUSH_AT)) return 'remove'
    const counts = { results: Math.min(gathered, WINDOW), gone: share(gone.length, latest) }
    gathered = 0
    const recent = await countResults(db, provider, { ...counts, leftAt, half: WINDOW / 2 })
    if (recent === undefined) return 'leave'
    return isTooMany(recent.gone, recent.results) ? 'alert' : 'remove'
  }
  return { assess }
}

/**
 * Anybody may register invented tokens, so gone devices whose token was never proven do not count. Where the
 * provider has no proven token at all, our project may be the wrong one: then all count.
 */
async function keepCredible(db: Db, provider: string, gone: readonly Gone[]): Promise<readonly Gone[]> {
  const proven = gone.filter(({ isUnproven }) => isUnproven !== true)
  return proven.length === gone.length || !(await hasProvenToken(db, { provider })) ? gone : proven
}

/** Whether these may halt a provider: they belong to enough people, and not mostly to a few who invented phones. */
export function areOfManyPeople({ people, devices }: { people: number; devices: number }): boolean {
  return people >= PEOPLE_LEAST && devices <= people * PHONES_EACH
}

/** One claim may have more results than are looked at. Then its faults count by their share. */
export function share(faults: number, results: number): number {
  return Math.round(faults * Math.min(1, WINDOW / results))
}

export function isTooMany(faults: number, results: number): boolean {
  return faults > LIMIT && faults > results * (LIMIT / WINDOW)
}
