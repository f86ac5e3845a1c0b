import type { QueryResultRow } from 'pg'
import type { DbPool } from './connect.ts'
import { timed } from '../statements/statements.ts'

/** A statement that runs so often that planning it each time would cost more than running it. */
export type Prepared = { name: string; text: string; values: unknown[] }

/**
 * Runs a prepared statement, planned once for each connection; returns its rows. A pooler in transaction mode assigns
 * another session each time, which does not know the name: there it is planned each time.
 */
export async function runPrepared<Row extends QueryResultRow>(pool: DbPool, statement: Prepared): Promise<Row[]> {
  const { name, text, values } = statement
  const asked = pool.pooling === 'session' ? statement : { text, values }
  const { rows } = await timed(pool, name, () => pool.query<Row>(asked))
  return rows
}
