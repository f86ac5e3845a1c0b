import { LRUCache } from 'lru-cache'
import type { RawBuilder } from 'kysely'
import { estimateEach } from '../db/count.ts'
import { inline } from '../db/inline.ts'
import type { Source } from '../db/one-message.ts'
import { gather } from '../concurrency/gather.ts'

const MOST_AT_ONCE = 50
const KNOWN = 2_000
// The planner knows changes only after an ANALYZE.
const KNOWN_MS = 60_000

/** The planner's estimate of the rows of a query, at most a minute old. */
export type Estimate = (rows: RawBuilder<unknown>) => Promise<number>

/** Concurrent estimates share one message to the database (ADR 058). */
export function createEstimate(source: Source): Estimate {
  const ask = gather((queries: RawBuilder<unknown>[]) => estimateEach(source, queries), MOST_AT_ONCE)
  const known = new LRUCache<string, Promise<number>>({ max: KNOWN, ttl: KNOWN_MS })
  return (rows) => {
    const key = inline(source.db, rows)
    const estimate = known.get(key) ?? ask(rows)
    known.set(key, estimate, { noUpdateTTL: true })
    estimate.catch(() => known.delete(key))
    return estimate
  }
}
