import { Type } from 'typebox'

const PER_PAGE_DEFAULT = 20
const PER_PAGE_MAX = 100

/** Query parameters of every list (decision A4). Above the maximum `per_page` is clamped, and the answer says so. */
export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
}

export type PageRequest = { page: number; perPage: number; offset: number }

/** The page that a list query asks for, with the defaults and the clamp applied. */
export function pageOf(query: { page?: number; per_page?: number }): PageRequest {
  const page = query.page ?? 1
  const perPage = Math.min(query.per_page ?? PER_PAGE_DEFAULT, PER_PAGE_MAX)
  // Past the end of every list; the product of both could not be told exactly.
  return { page, perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) }
}

/** How many rows a list has; an estimate above the count's cap (see `db/count.ts`). */
export type Total = { total: number; isEstimate: boolean }

/** The envelope of a page of `rows` out of `total`, which says when it is an estimate. */
export function paginated<T>(rows: T[], counted: number | Total, request: PageRequest, message: string) {
  const { total, isEstimate } = typeof counted === 'number' ? { total: counted, isEstimate: false } : counted
  return {
    success: true as const,
    data: rows,
    message,
    pagination: {
      current_page: request.page,
      total_pages: Math.ceil(total / request.perPage),
      total_items: total,
      per_page: request.perPage,
      ...(isEstimate && { total_is_estimate: true as const }),
    },
  }
}
