import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2'
import { isIP } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import type { Log } from '../../../platform/shared/log.ts'
import type { Exchange, StreamGround } from './exchange.ts'

export type Connection = StreamGround & {
  session: ClientHttp2Session
  socket: TLSSocket
  events: ConnectionEvents
  exchanges: Set<Exchange>
  /** Opening until the peer's first SETTINGS; ending after a GOAWAY or once it is retired. */
  state: 'opening' | 'open' | 'ending' | 'gone'
  /** Streams at a time, by the peer's SETTINGS. */
  limit: number
  openedAt: number
  heardAt: number
  pingedAt: number | undefined
  restsUntil: number
  retiresAt: number
}

export type ConnectionPlace = {
  url: URL
  /** The name in the URL, and one of its addresses. */
  name: string
  address: string
  secureContext: SecureContext
  now: () => number
  log: Pick<Log, 'warn'> | undefined
}

/** `changed`: more may leave by it now. `gone`: nothing leaves any more, and streams that are left end as unknown. */
export type ConnectionEvents = {
  changed: () => void
  gone: (hasFailedToOpen: boolean) => void
}

const { NGHTTP2_NO_ERROR } = constants
const MAX_STREAMS = 1_000
const SESSION_MEGABYTES = 64
const HOUR_MS = 3_600_000
const LIFE_MS = 4 * HOUR_MS
const OPENS_WITHIN_MS = 15_000
const PONG_WITHIN_MS = 5_000
// A peer that takes the end of a connection may never send its own.
const ENDS_WITHIN_MS = 20_000
const QUIET_MS = 3_000
const DOUBTED_AFTER_MS = 60_000
const REASON_BYTES = 200

export function openConnection(place: ConnectionPlace, events: ConnectionEvents): Connection {
  const { url, now, log } = place
  const socket = connectTls({
    host: place.address,
    port: Number(url.port || 443),
    servername: isIP(place.name) ? '' : place.name,
    ALPNProtocols: ['h2'],
    secureContext: place.secureContext,
  })
  const session = connectHttp2(url, {
    createConnection: () => socket,
    settings: { enablePush: false },
    maxSessionMemory: SESSION_MEGABYTES,
  })
  const connection: Connection = {
    session,
    socket,
    events,
    exchanges: new Set(),
    state: 'opening',
    limit: 0,
    openedAt: now(),
    heardAt: now(),
    pingedAt: undefined,
    restsUntil: 0,
    retiresAt: now() + LIFE_MS * (1 + Math.random()),
    streams: 0,
    goaway: undefined,
    heard: () => (connection.heardAt = now()),
    control: {
      rest: (ms) => (connection.restsUntil = Math.max(connection.restsUntil, now() + ms)),
      retire: () => retire(connection),
    },
  }
  session.on('remoteSettings', ({ maxConcurrentStreams = MAX_STREAMS }) => {
    connection.limit = Math.min(maxConcurrentStreams, MAX_STREAMS)
    connection.heard()
    if (connection.state === 'opening') connection.state = 'open'
    events.changed()
  })
  session.on('goaway', (code, last, data) => {
    connection.goaway = { code, last }
    if (connection.state === 'open') connection.state = 'ending'
    const reason = data ? Buffer.from(data).toString('utf8', 0, REASON_BYTES) : ''
    if (code !== NGHTTP2_NO_ERROR || reason) log?.warn({ code, reason }, 'a push provider closes a connection')
  })
  session.on('error', (err) => {
    if (connection.state === 'opening') log?.warn({ err }, 'there is no connection to a push provider')
  })
  session.on('close', () => leave(connection))
  return connection
}

/** Whether a request may leave by it now. One that was quiet for a minute must answer a PING first. */
export function isFree(connection: Connection, now: number): boolean {
  const { exchanges, limit, streams } = connection
  if (exchanges.size >= limit || streams >= limit || now < connection.restsUntil || !isOpen(connection)) return false
  if (exchanges.size > 0 || now - connection.heardAt < DOUBTED_AFTER_MS) return true
  ping(connection, now)
  return false
}

export function isOpen({ state, session }: Connection): boolean {
  return state === 'open' && !session.closed && !session.destroyed
}

/** No further stream; it closes after the last. */
export function retire(connection: Connection): void {
  if (connection.state === 'gone') return
  connection.state = 'ending'
  connection.session.close()
}

/** Ends it at once with its streams, and its socket, which a peer that takes no bytes would keep for minutes. */
export function cut(connection: Connection): void {
  leave(connection)
  connection.session.destroy()
  connection.socket.destroy()
}

/** Does what is due by time alone. */
export function checkConnection(connection: Connection, now: number): void {
  const { state, openedAt, pingedAt, heardAt, exchanges } = connection
  if (state === 'gone') return undefined
  if (state === 'opening' && now - openedAt > OPENS_WITHIN_MS) return cut(connection)
  if (pingedAt !== undefined && now - pingedAt > PONG_WITHIN_MS) return cut(connection)
  if (state === 'ending' && exchanges.size === 0 && now - heardAt > ENDS_WITHIN_MS) return cut(connection)
  if (state !== 'open') return undefined
  if (now > connection.retiresAt) return retire(connection)
  if (now - heardAt >= (exchanges.size > 0 ? QUIET_MS : HOUR_MS)) ping(connection, now)
}

/** Only a missing answer tells that the peer is gone: a reset connection may give no event at all. */
function ping(connection: Connection, now: number): void {
  const { session } = connection
  if (connection.pingedAt !== undefined || session.closed || session.destroyed) return
  connection.pingedAt = now
  session.ping((error) => {
    if (error) return
    connection.pingedAt = undefined
    connection.heard()
    connection.events.changed()
  })
}

function leave(connection: Connection): void {
  if (connection.state === 'gone') return
  const hasFailedToOpen = connection.state === 'opening'
  connection.state = 'gone'
  connection.events.gone(hasFailedToOpen)
}
