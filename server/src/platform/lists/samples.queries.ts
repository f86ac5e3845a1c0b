import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { Source } from '../db/one-message.ts'

const KNOWN_MS = 600_000

/** About a thousand texts of an index, in lower case. The sample is at most ten minutes old. */
export type SampleOf = (index: string) => Promise<readonly string[]>

/** From the histogram of the index's expression: empty before the first ANALYZE. */
export function createSamples({ db }: Pick<Source, 'db'>): SampleOf {
  const known = new LRUCache<string, readonly string[]>({
    max: 10,
    ttl: KNOWN_MS,
    fetchMethod: async (index) => {
      const { rows } = await sql<{ text: string }>`
        select lower(unnest(histogram_bounds::text::text[])) as text from pg_stats
        where schemaname = current_schema() and tablename = ${index}`.execute(db)
      return rows.map(({ text }) => text)
    },
  })
  return (index) => known.forceFetch(index)
}
