import { LRUCache } from 'lru-cache'
import { sql, type RawBuilder } from 'kysely'
import { inline } from '../db/inline.ts'
import { inOneMessage, type Source } from '../db/one-message.ts'
import { gather } from '../concurrency/gather.ts'

const WALKS = 1_000
const MOST_PAGES = 100
const MOST_IDS = 5_000

type Stretch = { perPage: number; offset: number }

/** Gives the ids of a page of ordered rows, which their index holds. */
export type Walk = (rows: RawBuilder<unknown>, page: Stretch) => Promise<number[]>

/** Walks through orders. Concurrent requests for pages of the same rows share one walk (ADR 058). */
export function createWalk(source: Source): Walk {
  const walks = new LRUCache<string, (page: Stretch) => Promise<number[]>>({ max: WALKS })
  return (rows, page) => {
    const key = inline(source.db, rows)
    const walk = walks.get(key) ?? gather((pages: Stretch[]) => idsOf(source, rows, pages), MOST_PAGES)
    walks.set(key, walk)
    return walk(page)
  }
}

async function idsOf(source: Source, rows: RawBuilder<unknown>, pages: Stretch[]): Promise<number[][]> {
  const stretches = joined(pages)
  const statements = stretches.map(
    ({ offset, perPage }) => sql`select array(${rows} limit ${perPage} offset ${offset}) as ids`,
  )
  const found = await inOneMessage(source, statements, { name: 'ids of pages', plans: 'by order' })
  const ids = found.map((answer) => (answer as { ids: number[] }[])[0]?.ids ?? [])
  return pages.map(({ offset, perPage }) => {
    const place = stretches.findLastIndex((stretch) => stretch.offset <= offset)
    const from = offset - (stretches[place]?.offset ?? 0)
    return ids[place]?.slice(from, from + perPage) ?? []
  })
}

/** The fewest stretches of up to 5,000 ids that hold all pages, in the order of their offsets. */
function joined(pages: Stretch[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const { offset, perPage } of pages.toSorted((a, b) => a.offset - b.offset)) {
    const last = stretches.at(-1)
    if (last !== undefined && offset + perPage - last.offset <= MOST_IDS)
      last.perPage = Math.max(last.perPage, offset + perPage - last.offset)
    else stretches.push({ offset, perPage })
  }
  return stretches
}
