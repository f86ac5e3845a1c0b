import type { Pool } from 'pg'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { askServer, type Server } from './session.ts'

const EVERY_MS = 60_000
const LOOK_MS = 500
const JUMP_MS = 250
const WARN_ABOVE_MS = 2_000

/** A clock that follows the database's. */
export type DatabaseClock = {
  clock: Clock
  /** Is told of the server behind each new connection. */
  meet(server: Server): void
  /** Corrects the clock from now on, until `stop`. */
  follow(pool: Pool): { stop: () => void }
}

/**
 * Makes a clock that follows the database's, so that processes on machines whose clocks differ agree on leases and due times.
 * It is set when the first connection is opened, corrected every minute, and set anew before the first statement on another
 * server: after a failover the new primary's clock counts at once. In between it goes by the monotonic clock, because this
 * machine's own time may jump. A jump may also be a machine that slept, so it is followed by a correction at once.
 */
export function createDatabaseClock(log: Log): DatabaseClock {
  let aheadMs = wallAheadMs()
  let startedAt: string | undefined
  const now = () => Math.round(performance.now() + aheadMs)

  const set = (server: Server) => {
    const movedMs = Math.round(server.aheadMs - aheadMs)
    const isAnother = startedAt !== undefined && startedAt !== server.startedAt
    if (isAnother) log.warn({ movedMs }, 'another PostgreSQL answers: the clock was set to its time')
    ;({ aheadMs, startedAt } = server)
    const offMs = Math.round(aheadMs - wallAheadMs())
    if (Math.abs(offMs) > WARN_ABOVE_MS) log.warn({ offMs }, 'the clock of this machine differs from the database’s')
  }
  const meet = (server: Server) => {
    if (server.startedAt !== startedAt) set(server)
  }
  const follow = (pool: Pool) => {
    let wallMs = wallAheadMs()
    let correctedAt = performance.now()
    const look = () => {
      const jumped = Math.abs(wallAheadMs() - wallMs) > JUMP_MS
      if (!jumped && performance.now() - correctedAt < EVERY_MS) return
      wallMs = wallAheadMs()
      correctedAt = performance.now()
      // If the database is unreachable, the last measurement still holds.
      measure(pool).then(set, () => undefined)
    }
    const timer = setInterval(look, LOOK_MS)
    timer.unref()
    return { stop: () => clearInterval(timer) }
  }
  return { clock: { now }, meet, follow }
}

/** Asks on a connection that is at hand, so that waiting for one does not count as the way of the question. */
async function measure(pool: Pool): Promise<Server> {
  const client = await pool.connect()
  try {
    const server = await askServer(client)
    client.release()
    return server
  } catch (error) {
    client.release(true)
    throw error
  }
}

function wallAheadMs(): number {
  return Date.now() - performance.now()
}
