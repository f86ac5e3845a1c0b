import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

const NOTIFICATION = 'A'.charCodeAt(0)
const HEADER = 5

/** A proxy to PostgreSQL that drops notifications, as a pooler in transaction mode does; gives its port. */
export async function openDeafPooler(targetPort: number): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    let rest = Buffer.alloc(0)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (piece) => far.write(piece))
    far.on('data', (piece) => {
      rest = Buffer.concat([rest, piece])
      for (let end = findEnd(rest); end <= rest.length; end = findEnd(rest)) {
        if (rest[0] !== NOTIFICATION) near.write(rest.subarray(0, end))
        rest = rest.subarray(end)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return { port: (server.address() as AddressInfo).port, close }
}

/** Where the first message of the server ends: a letter, and a length that counts itself. */
function findEnd(bytes: Buffer): number {
  return bytes.length < HEADER ? Infinity : 1 + bytes.readInt32BE(1)
}
