import type { Server, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

export type RawRequest = {
  method: string
  url: string
  headers: Record<string, string>
  payload?: Record<string, unknown> | undefined
}
/** `answered`: requests that were handled; `unsent`: most answers that were ready behind one that was being sent. */
export type Came = { answered: number; unsent: number; bytes: number }

/** Sends requests to a server in one piece on a connection of their own, and reads until it is closed. */
export async function sendAtOnce(server: Server, asked: RawRequest, times: number): Promise<Came> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  const came: Came = { answered: 0, unsent: 0, bytes: 0 }
  const open = new Set<ServerResponse>()
  const watch = ({ socket: { remotePort } }: { socket: Socket }, response: ServerResponse) => {
    if (remotePort !== socket.localPort) return
    open.add(response)
    response.once('close', () => {
      open.delete(response)
      if (response.headersSent) came.answered++
      came.unsent = Math.max(came.unsent, [...open].filter(({ headersSent }) => headersSent).length)
    })
  }
  server.on('request', watch)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // Cut off by the other side.
  socket.on('error', () => undefined)
  socket.on('data', ({ length }) => (came.bytes += length))
  socket.write(toText(asked, 'keep-alive').repeat(times - 1) + toText(asked, 'close'))
  await closed
  server.off('request', watch)
  return came
}

function toText({ method, url, headers, payload }: RawRequest, connection: string): string {
  const body = payload === undefined ? '' : JSON.stringify(payload)
  const type = payload === undefined ? {} : { 'content-type': 'application/json' }
  const all = { host: 'localhost', connection, ...type, 'content-length': Buffer.byteLength(body), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
