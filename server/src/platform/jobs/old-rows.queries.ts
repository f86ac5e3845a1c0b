import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { Tables } from '../tables/schema.ts'

/** The rows of a table that have served once a time in their `column` is past. */
export type OldRows = {
  [Table in keyof Tables]: { table: Table; column: keyof Tables[Table] & string; keptMs?: number }
}[keyof Tables]

export async function deleteOldRows(db: Db, { table, column }: OldRows, until: Date): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${sql.ref(column)} <= ${until}`.execute(db)
}
