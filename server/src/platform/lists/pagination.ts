import { Type, type Static } from 'typebox'
import type { Counted } from '../db/count.ts'
import type { Pagination } from '../http/envelope.ts'
import type { SearchReach } from './pattern.ts'

const PER_PAGE_DEFAULT = 20
const PER_PAGE_MAX = 100
// No list has as many rows, and no array as many places.
const OFFSET_MAX = 1_000_000_000

/** Decision A4: a `per_page` above the maximum is lowered, and the answer shows it. */
export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
}

export type PageRequest = { page: number; perPage: number; offset: number }
/** Which rows stand on a page. */
export type PageBounds = Pick<PageRequest, 'perPage' | 'offset'>
export type PageRows<Row> = { rows: Row[]; total: number }

export function readPage(query: { page?: number; per_page?: number }): PageRequest {
  const page = query.page ?? 1
  const perPage = Math.min(query.per_page ?? PER_PAGE_DEFAULT, PER_PAGE_MAX)
  return { page, perPage, offset: Math.min((page - 1) * perPage, OFFSET_MAX) }
}

type Answering<Row, View> = {
  message: string
  view: (row: Row) => View
  find: (page: PageRequest) => Promise<{ rows: Row[]; total: number | Counted; reach?: SearchReach }>
}

/** Finds the page that a query asks for. */
export async function answerPage<Row, View>(
  query: Parameters<typeof readPage>[0],
  { message, view, find }: Answering<Row, View>,
) {
  const page = readPage(query)
  const { rows, total, reach } = await find(page)
  const views = rows.map((row) => view(row))
  return { ...paginated(views, total, page, message), ...reached(reach) }
}

export function reached(reach: SearchReach | undefined): { search_reach?: SearchReach } {
  return reach === undefined ? {} : { search_reach: reach }
}

export function paginated<T>(rows: T[], counted: number | Counted, request: PageRequest, message: string) {
  const { total, isEstimate } = typeof counted === 'number' ? { total: counted, isEstimate: false } : counted
  const estimate: Pick<Static<typeof Pagination>, 'total_is_estimate'> = isEstimate ? { total_is_estimate: true } : {}
  return {
    success: true as const,
    data: rows,
    message,
    pagination: {
      current_page: request.page,
      total_pages: Math.ceil(total / request.perPage),
      total_items: total,
      per_page: request.perPage,
      ...estimate,
    },
  }
}
