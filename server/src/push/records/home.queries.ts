import { sql } from 'kysely'

/** The only home of a plain database: people of a divided one are spread over several. */
export const HOME = sql.lit(0)
