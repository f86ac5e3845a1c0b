import { once } from 'node:events'
import { constants, createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { addToScript } from '../script.ts'
import { LOCALHOST } from './certificates.ts'
import { leaveStream, sayGoaway, serveConnection, type DoubleConnection, type ServedConnection } from './connection.ts'
import {
  takeConnectionFault,
  takeRequestFault,
  type Http2Fault,
  type Http2Script,
  type RequestFault,
} from './faults.ts'
import { endConnection, openHole, sendHalf } from './wire.ts'

export type DoubleRequest = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  connection: DoubleConnection
}

export type DoubleAnswer = { status: number; headers?: Record<string, string>; body?: string }

export type Http2DoubleOptions = {
  /** 0 takes any free port. */
  port?: number
  /** Streams at a time that SETTINGS allow. Default 1000. */
  streams?: number
  /** The time from a whole request to its answer. */
  latencyMs?: number
  /** An honest GOAWAY after so many requests of a connection; 0: none. */
  goawayEvery?: number
  /** Judges a request, and writes what it accepts into the ledger of the double. The answer leaves after that. */
  answer: (request: DoubleRequest) => DoubleAnswer | Promise<DoubleAnswer>
  /** Called when a request has come. */
  watch?: Watch | undefined
}

/** What becomes of a request: `cut` and `silence` in place of an answer. */
type Fate = { answer: number | 'cut' | 'silence'; waitMs: number }
/** `taken`: called as soon as the request is judged, before any other is; `ended`: once its fate is known. */
export type Watch = () => { taken(): void; ended(fate: Fate): void }

export type Http2Double = {
  /** `https://localhost:…`, without a slash at its end. */
  url: string
  /** Adds faults after those that wait. */
  script(faults: Http2Fault[]): void
  clearScript(): void
  /** Every connection of now becomes a black hole, as behind a firewall that forgot it. */
  loseConnections(): void
  /** Faults that wait. */
  faultsLeft(): number
  counts(): Readonly<Counts>
  close(): Promise<void>
}

type Counts = {
  connections: number
  /** Connections that are open now. */
  live: number
  /** Requests that were given to `answer`. */
  taken: number
  faults: number
  /** Requests that were taken and then said not to be, as a script asked for. */
  liedAbout: number
  /** Most streams at a time on one connection. */
  mostOpen: number
}

const REFUSED_STREAM = constants.NGHTTP2_REFUSED_STREAM

type Double = { options: Http2DoubleOptions; script: Http2Script; counts: Counts }

/** TLS and HTTP/2 as a push provider speaks them. What is pushed, and the answers, are the caller's. */
export async function startHttp2Double(options: Http2DoubleOptions): Promise<Http2Double> {
  const counts = { connections: 0, live: 0, taken: 0, faults: 0, liedAbout: 0, mostOpen: 0 }
  const double: Double = { options, script: [], counts }
  const live = new Set<ServedConnection>()
  const sockets = new Map<number, Socket>()
  const tlsSockets = new Map<number, TLSSocket>()
  const secure = createSecureServer({ ...LOCALHOST, settings: { maxConcurrentStreams: options.streams ?? 1_000 } })
  // This listener runs before Node's own, which begins the session.
  secure.prependListener('secureConnection', (tls) => tlsSockets.set(tls.remotePort ?? 0, tls))
  secure.on('sessionError', () => undefined)
  secure.on('session', (session) => {
    const port = session.socket.remotePort ?? 0
    const [raw, tls] = [sockets.get(port), tlsSockets.get(port)]
    if (!raw || !tls) return
    const connection = serveConnection(++counts.connections, session, { raw, tls })
    live.add(connection)
    session.on('close', () => live.delete(connection))
    serve(double, connection)
  })
  const listener = createServer((socket) => void accept(socket))
  listener.listen(options.port ?? 0, '127.0.0.1')
  await once(listener, 'listening')

  async function accept(socket: Socket): Promise<void> {
    const port = socket.remotePort ?? 0
    sockets.set(port, socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(port)
      tlsSockets.delete(port)
    })
    const fault = takeConnectionFault(double.script)
    if (fault) counts.faults++
    if (fault?.kind === 'no-tls') return void socket.destroy()
    if (fault) await pass(fault)
    if (!socket.destroyed) secure.emit('connection', socket)
  }

  return {
    url: `https://localhost:${(listener.address() as AddressInfo).port}`,
    script: (faults) => addToScript(double.script, faults),
    clearScript: () => void (double.script.length = 0),
    faultsLeft: () => double.script.length,
    loseConnections: () => live.forEach(openHole),
    counts: () => ({ ...counts, live: live.size }),
    close: async () => {
      listener.close()
      for (const socket of sockets.values()) socket.destroy()
      if (listener.listening) await once(listener, 'close')
    },
  }
}

function serve(double: Double, connection: ServedConnection): void {
  const { session } = connection
  session.on('error', () => undefined)
  session.on('stream', (stream, headers) => {
    connection.open++
    double.counts.mostOpen = Math.max(double.counts.mostOpen, connection.open)
    const chunks: Buffer[] = []
    stream.on('error', () => undefined)
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('close', () => leaveStream(connection))
    stream.on('end', () => {
      const request = {
        method: headers[':method'] ?? '',
        path: headers[':path'] ?? '',
        headers,
        body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
        connection,
      }
      void meet(double, connection, stream, request)
    })
  })
}

/** A request has come whole. The highest stream that is taken is known before it is, so that a GOAWAY cannot lie. */
async function meet(
  double: Double,
  connection: ServedConnection,
  stream: ServerHttp2Stream,
  request: DoubleRequest,
): Promise<void> {
  const { counts, options } = double
  const id = stream.id ?? 0
  if (stream.destroyed || connection.isHole || id > connection.last) return
  const fault = takeRequestFault(double.script, request.path)
  if (fault) counts.faults++
  if (fault?.kind === 'limit') connection.setLimit(fault.streams)
  const watched = options.watch?.()
  const isDisowned = fault?.kind === 'goaway' && fault.last === 'below' && !fault.lies
  if (isDisowned) counts.liedAbout += sayGoaway(connection, id, fault)
  if (id > connection.last) return
  if (fault && 'when' in fault && fault.when === 'before') {
    watched?.ended(toFate(fault, 0))
    return breakOff(connection, stream, fault)
  }
  counts.taken++
  connection.taken++
  connection.taking.add(id)
  connection.highestTaken = Math.max(connection.highestTaken, id)
  if (fault?.kind === 'goaway' && !isDisowned) counts.liedAbout += sayGoaway(connection, id, fault)
  if (connection.taken === options.goawayEvery) connection.goaway()
  const judged = options.answer(request)
  watched?.taken()
  const answer = await judged
  watched?.ended(toFate(fault, answer.status))
  if (fault?.kind === 'reset' && fault.code === REFUSED_STREAM) counts.liedAbout++
  if (fault && 'when' in fault) return breakOff(connection, stream, fault)
  if (options.latencyMs) await wait(options.latencyMs)
  if (fault?.kind === 'slow') await pass(fault)
  connection.taking.delete(id)
  if (stream.destroyed || stream.closed || connection.isHole) return
  if (fault?.kind === 'half') return sendHalf(connection, stream, { status: answer.status, stays: fault.stays })
  stream.respond({ ':status': answer.status, ...answer.headers }, { endStream: answer.body === undefined })
  if (answer.body !== undefined) stream.end(answer.body)
}

function toFate(fault: RequestFault | undefined, answer: number): Fate {
  if (fault?.kind === 'silent' || fault?.kind === 'hole') return { answer: 'silence', waitMs: 0 }
  if (fault?.kind === 'reset' || fault?.kind === 'cut' || fault?.kind === 'half') return { answer: 'cut', waitMs: 0 }
  return { answer, waitMs: fault?.kind === 'slow' ? (fault.ms ?? 0) : 0 }
}

function breakOff(
  connection: ServedConnection,
  stream: ServerHttp2Stream,
  fault: Extract<RequestFault, { when: string }>,
): void {
  if (fault.kind === 'reset') {
    connection.taking.delete(stream.id ?? 0)
    stream.close(fault.code)
  } else if (fault.kind === 'hole') openHole(connection)
  else if (fault.kind === 'cut') endConnection(connection, fault.by)
}

async function pass({ ms = 0, until }: { ms?: number; until?: Promise<unknown> }): Promise<void> {
  if (ms > 0) await wait(ms)
  await until
}
