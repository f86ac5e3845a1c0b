import type { Pool } from 'pg'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

const EVERY_MS = 60_000
const WARN_ABOVE_MS = 2_000

/**
 * A clock that follows the database's, so that processes on machines whose clocks differ agree on leases and due times.
 * It is set once before it is given, and corrected every minute; `stop` ends that.
 */
export async function followDatabaseClock(pool: Pool, log: Log): Promise<{ clock: Clock; stop: () => void }> {
  let offsetMs = await measureOffset(pool)
  const correct = async () => {
    try {
      offsetMs = await measureOffset(pool)
      if (Math.abs(offsetMs) > WARN_ABOVE_MS)
        log.warn({ offsetMs }, 'the clock of this machine differs from the database’s')
    } catch {
      // The database is away: the last offset still holds.
    }
  }
  const timer = setInterval(() => void correct(), EVERY_MS)
  timer.unref()
  return { clock: { now: () => Date.now() + offsetMs }, stop: () => clearInterval(timer) }
}

/** How far the database's clock is ahead of this machine's, in milliseconds, taken in the middle of the question. */
async function measureOffset(pool: Pool): Promise<number> {
  const before = Date.now()
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  const after = Date.now()
  return Math.round((rows[0]?.now.getTime() ?? before) - (before + after) / 2)
}
