import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What a link no longer carries: questions to its target, answers from it, or both. */
export type Direction = 'questions' | 'answers' | 'both'

/** A link between two processes that can be made bad; a TCP proxy on loopback. */
export type Link = {
  port: number
  /** New connections go to this port of this machine. Those that are open stay where they are. */
  pointAt(targetPort: number): void
  /** Each piece arrives so much later. */
  slow(ms: number): void
  /** Nothing arrives in this direction (default both) from now on, on old connections and new ones; nobody is told. */
  stall(direction?: Direction): void
  /** The bytes that were held arrive, and then all others. */
  flow(): void
  /** Resets every connection. */
  cut(): void
  /** Resets every connection, and each new one at once, until it flows again. */
  down(): void
  close(): Promise<void>
}

/** What is on its way from one socket to another, in its order. */
type Flow = { what: Direction; pieces: { deliver: () => void; isDue: boolean }[] }

export async function openLink(targetPort: number): Promise<Link> {
  const sockets = new Set<Socket>()
  const flows = new Set<Flow>()
  const line: { port: number; delayMs: number; isDown: boolean; stalled?: Direction | undefined } = {
    port: targetPort,
    delayMs: 0,
    isDown: false,
  }
  const deliverDue = ({ what, pieces }: Flow) => {
    const isStalled = () => line.stalled === 'both' || line.stalled === what
    while (pieces[0]?.isDue && !isStalled()) pieces.shift()?.deliver()
  }
  const pass = (flow: Flow, deliver: () => void) => {
    const piece = { deliver, isDue: line.delayMs === 0 }
    flow.pieces.push(piece)
    if (piece.isDue) deliverDue(flow)
    else
      setTimeout(() => {
        piece.isDue = true
        deliverDue(flow)
      }, line.delayMs)
  }
  const join = (what: Direction, from: Socket, to: Socket) => {
    const flow: Flow = { what, pieces: [] }
    flows.add(flow)
    sockets.add(from)
    // A sender waits for a slow receiver, as it does without this link.
    const resume = () => from.resume()
    const deliver = (piece: Buffer) => {
      if (!to.writable || to.write(piece) || from.isPaused()) return
      from.pause()
      to.once('drain', resume)
    }
    from.on('data', (piece: Buffer) => pass(flow, () => deliver(piece)))
    from.on('end', () => pass(flow, () => to.end()))
    from.on('error', () => undefined)
    from.on('close', () => {
      sockets.delete(from)
      pass(flow, () => {
        to.destroy()
        flows.delete(flow)
      })
    })
  }
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (line.isDown) {
      near.resetAndDestroy()
      return
    }
    const far = connect(line.port, '127.0.0.1')
    join('questions', near, far)
    join('answers', far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const { pieces } of flows) pieces.length = 0
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    pointAt: (port) => void (line.port = port),
    slow: (ms) => void (line.delayMs = ms),
    stall: (direction = 'both') => void (line.stalled = direction),
    flow: () => {
      line.stalled = undefined
      line.isDown = false
      line.delayMs = 0
      for (const flow of flows) {
        for (const piece of flow.pieces) piece.isDue = true
        deliverDue(flow)
      }
    },
    cut,
    down: () => {
      line.isDown = true
      cut()
    },
    close: async () => {
      line.stalled = undefined
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
