import { sql, type RawBuilder } from 'kysely'
import type { Pool } from 'pg'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Db } from './connect.ts'
import { askServer, type Server } from './session.ts'

const EVERY_MS = 60_000
const LOOK_MS = 500
const JUMP_MS = 250
const WARN_ABOVE_MS = 2_000

/** Follows the database's clock (ADR 1); between measurements it is monotonic, as this machine's time may jump.
 * `measured` gets how far it is ahead of this machine's. */
export function createDatabaseClock(log: Log, measured: (offMs: number) => void = () => undefined) {
  let aheadMs = wallAheadMs()
  let startedAt: string | undefined
  const listeners: (() => void)[] = []
  const clock: Clock = { now: () => Math.round(performance.now() + aheadMs) }

  const set = (server: Server) => {
    const movedMs = Math.round(server.aheadMs - aheadMs)
    const isAnother = startedAt !== undefined && startedAt !== server.startedAt
    if (isAnother) log.warn({ movedMs }, 'another PostgreSQL answers: the clock was set to its time')
    ;({ aheadMs, startedAt } = server)
    const offMs = Math.round(aheadMs - wallAheadMs())
    measured(offMs)
    if (Math.abs(offMs) > WARN_ABOVE_MS) log.warn({ offMs }, 'the clock of this machine differs from the database’s')
    if (isAnother) for (const listener of listeners) listener()
  }
  const setByServer = (server: Server) => {
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
      // If the database is unreachable, the last measurement is used.
      measure(pool).then(set, () => undefined)
    }
    const timer = setInterval(look, LOOK_MS)
    timer.unref()
    return { stop: () => clearInterval(timer) }
  }
  return { clock, setByServer, onServerChange: (listener: () => void) => void listeners.push(listener), follow }
}

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

/** Gives microseconds, which a cursor needs: a `Date` has only milliseconds. */
export function toMicros(moment: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(extract(epoch from ${moment}) * 1000000)::bigint`
}

export function atMicros(micros: number): RawBuilder<Date> {
  return sql<Date>`('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond')`
}

/** The rows after those of a cursor, newest first. Its moment is in microseconds. */
export function olderThan(
  moment: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  after: readonly [micros: number, id: number] | undefined,
): RawBuilder<unknown> | undefined {
  return after && sql`(${moment}, ${id}) < (${atMicros(after[0])}, ${after[1]}::bigint)`
}

// A worker that gets no announcement polls.
const LOOK_EVERY_MS = 15_000

/** For how many milliseconds none of the rows that wait is due; it is to be looked at again after 15 s. */
export async function restUntilDue(db: Db, table: 'mails' | 'desk_decisions', now: number): Promise<number> {
  const { rows } = await sql<{ due_at: Date }>`
    select due_at from ${sql.table(table)} where status = 'waiting' order by due_at limit 1`.execute(db)
  const [next] = rows
  return next === undefined ? LOOK_EVERY_MS : Math.min(LOOK_EVERY_MS, Math.max(0, next.due_at.getTime() - now))
}
