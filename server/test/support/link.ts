import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A link between two processes that can be made bad; a TCP proxy on loopback. */
export type Link = {
  port: number
  /** Each piece arrives so much later. */
  slow(ms: number): void
  /** From now on nothing arrives, in either direction, on old connections and new ones, and nobody is told. */
  stall(): void
  /** What was held arrives, and all that follows. */
  flow(): void
  /** Resets every connection. */
  cut(): void
  /** Resets every connection, and each new one at once, until it flows again. */
  down(): void
  close(): Promise<void>
}

/** Opens a link to a port of this machine. */
export async function openLink(targetPort: number): Promise<Link> {
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let delayMs = 0
  let isStalled = false
  let isDown = false
  const pass = (deliver: () => void) => {
    if (isStalled) held.push(deliver)
    else if (delayMs === 0) deliver()
    else setTimeout(() => (isStalled ? held.push(deliver) : deliver()), delayMs)
  }
  const join = (from: Socket, to: Socket) => {
    sockets.add(from)
    // Whoever sends waits for a slow receiver, as on a link without anything between.
    const resume = () => from.resume()
    const deliver = (piece: Buffer) => {
      if (!to.writable || to.write(piece)) return
      from.pause()
      to.once('drain', resume)
    }
    from.on('data', (piece: Buffer) => pass(() => deliver(piece)))
    from.on('end', () => pass(() => to.end()))
    from.on('error', () => undefined)
    from.on('close', () => {
      sockets.delete(from)
      pass(() => to.destroy())
    })
  }
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (isDown) {
      near.resetAndDestroy()
      return
    }
    const far = connect(targetPort, '127.0.0.1')
    join(near, far)
    join(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    held.length = 0
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    slow: (ms) => void (delayMs = ms),
    stall: () => void (isStalled = true),
    flow: () => {
      isStalled = false
      isDown = false
      delayMs = 0
      for (const deliver of held.splice(0)) deliver()
    },
    cut,
    down: () => {
      isDown = true
      cut()
    },
    close: async () => {
      isStalled = false
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
