/** A row of `unread` or `skips` is about so many neighbouring ids, as the migration has it. */
export const BLOCK_SIZE = 64
/** A row of `bulk_entries` is about so many. */
export const BULK_BLOCK_SIZE = 512

export function toBlock(id: number, size = BLOCK_SIZE): number {
  return Math.floor(id / size)
}

/** Counted from 0. */
export function toPlace(id: number, size = BLOCK_SIZE): number {
  return id % size
}

/** The same in SQL, as text; `id` is a `bigint`. */
export function blockSql(id: string, size = BLOCK_SIZE): string {
  return `(${id} / ${size})`
}

export function placeSql(id: string, size = BLOCK_SIZE): string {
  return `(${id} % ${size})::int`
}
