import type { Service } from './service.ts'

/** The key by which a list compares: null is lowest, and texts ignore case. */
export function toSortKey(value: number | string | boolean | null | undefined): string | number {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' ? value : String(value).toLowerCase()
}

/** Numbers by their size, texts by the collation of the database. */
export async function inOrder({ deps }: Service, keys: (string | number)[]): Promise<(string | number)[]> {
  if (typeof keys[0] === 'number') return keys.toSorted((a, b) => Number(a) - Number(b))
  const { rows } = await deps.pool.query<{ key: string }>('select key from unnest($1::text[]) key order by key', [keys])
  return rows.map(({ key }) => key)
}
