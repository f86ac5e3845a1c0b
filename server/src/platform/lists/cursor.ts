import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/connect.ts'

const ROWS = 1_000
const READER_MS = 30_000
const LONGEST_MS = 3_600_000

/** All rows of a query in one snapshot, a thousand at a time. It fails after an hour, like every export (ADR 16). */
export async function* inBatches<Row>(db: Db, rows: RawBuilder<Row>, longestMs = LONGEST_MS): AsyncGenerator<Row[]> {
  const startedAt = performance.now()
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    // The reader may be slow, and the rows wait for it.
    await sql`select set_config('idle_in_transaction_session_timeout', ${String(READER_MS)}, true)`.execute(tx)
    await sql`declare batches no scroll cursor for ${rows}`.execute(tx)
    for (;;) {
      const batch = await sql<Row>`fetch ${sql.lit(ROWS)} from batches`.execute(tx)
      if (batch.rows.length === 0) return
      if (performance.now() - startedAt > longestMs) throw new Error('The report took too long.')
      yield batch.rows
    }
  } finally {
    await tx.rollback().execute()
  }
}
