import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { GoawayFault } from './faults.ts'

/** What a double sees of a connection, and does to it. A `WeakMap` may keep more about it. */
export type DoubleConnection = {
  /** 1 for the first since the start. */
  readonly number: number
  setLimit(streams: number): void
  /** Honest: streams above the highest that was taken are disowned. */
  goaway(options?: { code?: number; reason?: string }): void
}

export type ServedConnection = DoubleConnection & {
  session: ServerHttp2Session
  raw: Socket
  tls: TLSSocket
  /** Requests that were taken and not yet answered, by stream. */
  taking: Set<number>
  taken: number
  open: number
  highestTaken: number
  /** Streams above it were disowned. */
  last: number
  isHole: boolean
}

const NOTHING_DISOWNED = 2 ** 31 - 1

export function serveConnection(
  number: number,
  session: ServerHttp2Session,
  sockets: { raw: Socket; tls: TLSSocket },
): ServedConnection {
  let limit: number | undefined
  // Node ends a connection with more than ten SETTINGS that the peer has not confirmed.
  const tellLimit = () => {
    if (limit === undefined || session.destroyed || session.pendingSettingsAck) return
    const maxConcurrentStreams = limit
    limit = undefined
    session.settings({ maxConcurrentStreams })
  }
  session.on('localSettings', tellLimit)
  const connection: ServedConnection = {
    ...sockets,
    number,
    session,
    taking: new Set(),
    taken: 0,
    open: 0,
    highestTaken: 0,
    last: NOTHING_DISOWNED,
    isHole: false,
    setLimit: (streams) => {
      limit = streams
      tellLimit()
    },
    goaway: (options = {}) => void sayGoaway(connection, connection.highestTaken, { ...options, last: 'at' }),
  }
  return connection
}

/** The last stream of a connection that said GOAWAY ends it. Node's `close` with open streams would reset them. */
export function leaveStream(connection: ServedConnection): void {
  connection.open--
  if (connection.last !== NOTHING_DISOWNED && connection.open === 0) setImmediate(() => connection.session.close())
}

/** Gives the number of requests that were taken and are now disowned all the same: 0 without a lie. */
export function sayGoaway(connection: ServedConnection, id: number, fault: GoawayFault): number {
  const { session, highestTaken, taking } = connection
  if (session.destroyed || connection.last !== NOTHING_DISOWNED) return 0
  const wished = { below: id - 2, at: id, above: id + 2 }[fault.last]
  connection.last = Math.max(1, fault.lies ? wished : Math.max(wished, highestTaken))
  const data = fault.reason === undefined ? undefined : Buffer.from(JSON.stringify({ reason: fault.reason }))
  session.goaway(fault.code ?? 0, connection.last, data)
  return [...taking].filter((stream) => stream > connection.last).length
}
