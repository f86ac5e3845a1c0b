import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { Source } from '../db/one-message.ts'

// Of the texts that ANALYZE keeps, one in so many holds a frequent trigram.
const SHARE = 200
const KNOWN_MS = 600_000

/** The trigrams that many texts of an index hold, in small letters, ten minutes old at most. */
export type FrequentTrigrams = (index: string) => Promise<ReadonlySet<string>>

/** From the histogram of the index's expression: empty before the first ANALYZE. */
export function createFrequentTrigrams({ db }: Pick<Source, 'db'>): FrequentTrigrams {
  const known = new LRUCache<string, ReadonlySet<string>>({
    max: 10,
    ttl: KNOWN_MS,
    fetchMethod: async (index) => {
      const { rows } = await sql<{ trigram: string }>`
        with texts as (
          select lower(unnest(histogram_bounds::text::text[])) as text from pg_stats
          where schemaname = current_schema() and tablename = ${index})
        select substr(text, place, 3) as trigram from texts, generate_series(1, length(text) - 2) place
        group by 1 having count(distinct text) > (select count(*) / ${SHARE}::int from texts)`.execute(db)
      return new Set(rows.map(({ trigram }) => trigram))
    },
  })
  return (index) => known.forceFetch(index)
}
