import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { Tables } from '../tables/schema.ts'

/** Rows that are deleted once the time in `column` is past, and `keptMs` with it. */
export type OldRows = {
  [Table in keyof Tables]: { table: Table; column: keyof Tables[Table] & string; keptMs?: number }
}[keyof Tables]

export async function deleteOldRows(db: Db, { table, column }: OldRows, until: Date): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${sql.ref(column)} <= ${until}`.execute(db)
}
