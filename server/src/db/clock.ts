import type { Pool } from 'pg'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

const EVERY_MS = 60_000
const LOOK_MS = 500
const JUMP_MS = 250
const WARN_ABOVE_MS = 2_000

/**
 * A clock that follows the database's, so that processes on machines whose clocks differ agree on leases and due times.
 * It is set once before it is given, and corrected every minute. In between it goes by the monotonic clock: this machine's
 * own time may jump. A jump may also be a machine that slept, so it is followed by a correction at once. `stop` ends that.
 */
export async function followDatabaseClock(pool: Pool, log: Log): Promise<{ clock: Clock; stop: () => void }> {
  let ahead = await measure(pool)
  let wall = wallAhead()
  let correctedAt = performance.now()
  const now = () => Math.round(performance.now() + ahead)
  const correct = async () => {
    try {
      ahead = await measure(pool)
      const offMs = Math.round(now() - Date.now())
      if (Math.abs(offMs) > WARN_ABOVE_MS) log.warn({ offMs }, 'the clock of this machine differs from the database’s')
    } catch {
      // The database is away: the last measurement still holds.
    }
  }
  const look = () => {
    const jumped = Math.abs(wallAhead() - wall) > JUMP_MS
    if (!jumped && performance.now() - correctedAt < EVERY_MS) return
    wall = wallAhead()
    correctedAt = performance.now()
    void correct()
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return { clock: { now }, stop: () => clearInterval(timer) }
}

/** How far the database's clock is ahead of the monotonic one, in milliseconds, taken in the middle of the question. */
async function measure(pool: Pool): Promise<number> {
  const before = performance.now()
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  const middle = (before + performance.now()) / 2
  return (rows[0]?.now.getTime() ?? Date.now()) - middle
}

function wallAhead(): number {
  return Date.now() - performance.now()
}
