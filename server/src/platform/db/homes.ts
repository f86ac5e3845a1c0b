import type { Pool } from 'pg'
import { errorCode } from '../shared/errors.ts'
import type { DbPool, Homed, Runner } from './connect.ts'

const NO_SUCH_TABLE = '42P01'

/** Into how many homes the database divides people (ADR 2). It is fixed when the database is created. */
export async function readHomes(pool: Pool): Promise<number> {
  try {
    const { rows } = await pool.query<{ homes: number }>('select homes from division')
    return rows[0]?.homes ?? 1
  } catch (error) {
    // A command may read a database that is not migrated yet.
    if (errorCode(error) === NO_SUCH_TABLE) return 1
    throw error
  }
}

/** What runs statements knows the number from its pool. */
export function countHomes(source: Runner | Pick<DbPool, 'homes'>): number {
  if ('homes' in source) return source.homes
  return (source.getExecutor().adapter as Partial<Homed>).countHomes?.() ?? 1
}
