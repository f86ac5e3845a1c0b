import type { QueryResultRow } from 'pg'
import type { DbPool } from './connect.ts'
import { timed } from '../statements/statements.ts'

export type Prepared = { name: string; text: string; values: unknown[] }

/** Planned once for each connection; behind a pooler in transaction mode each time, as the session changes. */
export async function runPrepared<Row extends QueryResultRow>(pool: DbPool, statement: Prepared): Promise<Row[]> {
  const { name, text, values } = statement
  const asked = pool.pooling === 'session' ? statement : { text, values }
  const { rows } = await timed(pool, name, () => pool.query<Row>(asked))
  return rows
}
