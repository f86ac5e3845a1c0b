/** What a list shows: all of it is in the address, so that back, reload and a shared link show the same. */
export type ListSearch = Record<string, string | number | boolean | undefined>

/** Reads the search parameters of a list's address. Unknown ones are the API's to refuse. */
export function parseListSearch(raw: Record<string, unknown>): ListSearch {
  const entries = Object.entries(raw).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return Object.fromEntries(entries) as ListSearch
}

const FIRST_PAGE = { page: undefined, cursor: undefined }

/**
 * The search parameters with some changed; whatever changes, the first page is shown, unless the page is what changes.
 */
export function changed(search: ListSearch, change: ListSearch): ListSearch {
  const next = { ...search, ...FIRST_PAGE, ...change }
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''))
}
