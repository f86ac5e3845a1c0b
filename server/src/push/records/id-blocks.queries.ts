/** Where a row is about `size` users with neighbouring ids: `block` is its number, `place` the user's in it, from 0. */
function blocksOf(size: number) {
  return {
    size,
    toBlock: (userId: number) => Math.floor(userId / size),
    toPlace: (userId: number) => userId % size,
    /** The expression is a `bigint`. */
    blockSql: (userId: string) => `(${userId} / ${size})`,
    placeSql: (userId: string) => `(${userId} % ${size})::int`,
  }
}

// The migration's, for `unread` and `skips`, and for `bulk_entries`.
export const { size: BLOCK_SIZE, toBlock, toPlace, blockSql, placeSql } = blocksOf(64)
export const BULK_BLOCKS = blocksOf(512)
