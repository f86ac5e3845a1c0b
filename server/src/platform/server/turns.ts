import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'

/** Requests that may wait on a connection for the answer to an earlier one of it. */
export const WAITING_MAX = 32

type Waiting = { request: IncomingMessage; response: ServerResponse }
type Connection = { atWork: ServerResponse; waiting: Waiting[]; isOver: boolean }

/**
 * A server that handles the requests of a connection one at a time: the next begins when the answer before it has left
 * the process. All connections together begin one request that waited in each turn of the event loop, so that whoever
 * sends many at once delays only themselves. A connection with more than `WAITING_MAX` is not read any further
 * and closed after its answer (RFC 9112, 9.3.2: the client sends again what was not answered).
 */
export function createServerWithTurns(handle: RequestListener, options: ServerOptions): Server {
  const connections = new WeakMap<Socket, Connection>()
  const beginLater = createTurns()

  const begin = (connection: Connection, { request, response }: Waiting) => {
    connection.atWork = response
    response.once('close', () => goOn(connection, request.socket))
    handle(request, response)
  }
  const goOn = (connection: Connection, socket: Socket) => {
    if (connection.isOver || socket.destroyed) {
      connection.waiting.length = 0
      socket.destroySoon()
      return
    }
    if (connection.waiting.length === 0) {
      connections.delete(socket)
      socket.resume()
      return
    }
    beginLater(() => {
      const next = connection.waiting.shift()
      if (next === undefined || socket.destroyed) return
      if (connection.waiting.length === 0) socket.resume()
      begin(connection, next)
    })
  }

  return createServer(options, (request, response) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (connection === undefined) {
      const first: Connection = { atWork: response, waiting: [], isOver: false }
      connections.set(socket, first)
      begin(first, { request, response })
      return
    }
    socket.pause()
    if (connection.waiting.length < WAITING_MAX) connection.waiting.push({ request, response })
    else if (!connection.isOver) endAfterAnswer(connection)
  })
}

function endAfterAnswer(connection: Connection): void {
  connection.isOver = true
  if (!connection.atWork.headersSent) connection.atWork.setHeader('Connection', 'close')
}

/** Runs one of what it is given in each turn of the event loop, in order. */
function createTurns(): (run: () => void) => void {
  const runs = new Set<() => void>()
  const turn = () => {
    const [run] = runs
    if (run === undefined) return
    runs.delete(run)
    if (runs.size > 0) setImmediate(turn)
    run()
  }
  return (run) => {
    runs.add(run)
    if (runs.size === 1) setImmediate(turn)
  }
}
