import type { Pool } from 'pg'

/** Does `work` while nobody else holds this lock; false, and nothing is done, when somebody does. */
export async function withAdvisoryLock(pool: Pool, lock: number, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock])
    if (rows[0]?.taken !== true) return false
    await work()
    return true
  } finally {
    // Closed, not returned to the pool: the lock ends with it.
    client.release(true)
  }
}
