import { sql } from 'kysely'
import type { Db, Tx } from '../../src/platform/db/connect.ts'
import { inTransaction } from '../../src/platform/db/transaction.ts'

/** How many rows of tables, and entries of their indexes, `work` reads. */
export async function rowsRead(db: Db, tables: string[], work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return inTransaction(db, async (tx) => {
    const before = await countRead(tx, tables)
    await work(tx)
    return (await countRead(tx, tables)) - before
  })
}

async function countRead(tx: Tx, tables: string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(n)::int as n from (
      select seq_tup_read as n from pg_stat_xact_user_tables where relname = any(${tables})
      union all
      select pg_stat_get_xact_tuples_returned(indexrelid) from pg_index
      where indrelid = any(${tables}::text[]::regclass[])) read`.execute(tx)
  return rows[0]?.n ?? 0
}
