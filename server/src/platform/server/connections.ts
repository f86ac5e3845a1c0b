import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errors } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'

export type ConnectionTimes = {
  /** It begins with the connection or request, and includes the wait for its first byte. */
  headMs: number
  requestMs: number
  keepAliveMs: number
  /** If no byte passes in either direction for so long, a client that does not read its answer is closed. */
  stillMs: number
  lookEveryMs: number
}

export const CONNECTION_TIMES: ConnectionTimes = {
  headMs: 10_000,
  requestMs: 20_000,
  keepAliveMs: 65_000,
  stillMs: 120_000,
  lookEveryMs: 5_000,
}

/** Connections over the limit that are still answered: health as usual, all else with 503. */
const SPARE = 32
const HEALTH = new Set(['/api/health', '/api/ready'])

type Parts = { max: number; log: Log; lifecycle: { readonly draining: boolean }; isBehindProxy: boolean }

/** `endIdle` ends those without a request. */
export type Connections = { endIdle(): void }

/**
 * A new connection over the limit replaces the one longest without a request; else it is spare, or closed. While the
 * process drains, every answer is the last of its connection, behind a proxy only once the listener has closed: a proxy
 * would open a new one for each request, and those that arrive in the moment of the close are reset.
 */
export function installConnections(app: FastifyInstance, { max, log, lifecycle, isBehindProxy }: Parts): Connections {
  const spare = new WeakSet<Socket>()
  const connections = watchConnections(app.server, {
    max,
    isLeaving: () => lifecycle.draining,
    onSpare: (socket) => spare.add(socket),
    onFull: () =>
      log.warn({ connections: max }, 'the connection limit is reached; connections without a request are closed'),
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (spare.has(request.raw.socket)) {
      void reply.header('Connection', 'close')
      if (!HEALTH.has(request.routeOptions.url ?? '')) throw errors.unavailable()
    }
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (lifecycle.draining && !(isBehindProxy && app.server.listening)) void reply.header('Connection', 'close')
    done(null, payload)
  })
  return connections
}

type Events = { max: number; isLeaving: () => boolean; onSpare: (socket: Socket) => void; onFull: () => void }

function watchConnections(server: Server, { max, isLeaving, onSpare, onFull }: Events): Connections {
  // Connections without a request, oldest first: they never sent one, or wait for the next.
  const waiting = new Set<Socket>()
  const spareWaiting = new Set<Socket>()
  const atWork = new WeakMap<Socket, number>()
  let open = 0
  let isFull = false
  let isOver = false

  const makeRoom = (socket: Socket) => {
    if (!isFull) onFull()
    isFull = true
    if (closeOldest(waiting)) waiting.add(socket)
    else if (open <= max + SPARE || closeOldest(spareWaiting)) {
      spareWaiting.add(socket)
      onSpare(socket)
    } else socket.destroy()
  }
  server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => {
      open--
      waiting.delete(socket)
      spareWaiting.delete(socket)
      if (open < max / 2) isFull = false
    })
    if (open > max) makeRoom(socket)
    else waiting.add(socket)
  })
  server.prependListener('request', ({ socket }, response) => {
    const isSpare = spareWaiting.delete(socket) || !(waiting.delete(socket) || atWork.has(socket))
    if (isSpare) return
    atWork.set(socket, (atWork.get(socket) ?? 0) + 1)
    response.once('close', () => {
      // Clients may send requests before the first is answered.
      const left = (atWork.get(socket) ?? 1) - 1
      if (left > 0) atWork.set(socket, left)
      else {
        atWork.delete(socket)
        // The server closes: this was the last answer of the connection. A proxy was not told so if it began before.
        if (!server.listening && (isOver || !isLeaving())) socket.destroySoon()
        else if (!socket.destroyed) waiting.add(socket)
      }
    })
  })
  return {
    endIdle: () => {
      isOver = true
      for (const socket of [...waiting, ...spareWaiting]) socket.destroySoon()
    },
  }
}

function closeOldest(sockets: Set<Socket>): boolean {
  const [oldest] = sockets
  if (oldest === undefined) return false
  sockets.delete(oldest)
  oldest.destroy()
  return true
}
