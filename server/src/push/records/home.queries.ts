import { sql } from 'kysely'

/** A plain database has this home alone: people of a divided one are spread over several. */
export const HOME = sql.lit(0)

/** Where a row is about `size` users with neighbouring ids: `block` is its number, `place` the user's in it, from 0. */
function createBlocks(size: number) {
  return {
    size,
    toBlock: (userId: number) => Math.floor(userId / size),
    toPlace: (userId: number) => userId % size,
    /** The expression is a `bigint`. */
    blockSql: (userId: string) => `(${userId} / ${size})`,
    placeSql: (userId: string) => `(${userId} % ${size})::int`,
  }
}

// The migration has the same sizes: the first for `unread` and `skips`, the second for `bulk_entries`.
export const { size: BLOCK_SIZE, toBlock, toPlace, blockSql, placeSql } = createBlocks(64)
export const BULK_BLOCKS = createBlocks(512)
