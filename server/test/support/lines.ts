import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type Line = { socket: Socket; heard: () => string; closed: Promise<void>; isClosed: () => boolean }

/** A connection that reads, but never closes by itself. */
export async function dial(port: number): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => {
    socket.destroy()
  })
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  // Cut off by the other side.
  socket.on('error', () => undefined)
  let isClosed = false
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const)
      socket.on(event, () => {
        isClosed = true
        resolve()
      })
  })
  await once(socket, 'connect')
  return { socket, heard: () => text, closed, isClosed: () => isClosed }
}

export function dialMany(port: number, count: number): Promise<Line[]> {
  return Promise.all(Array.from({ length: count }, () => dial(port)))
}
