import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { ServedConnection } from './connection.ts'

const DATA = 0
const END_STREAM = 1
const PROMISED_BYTES = 200
const SENT_BYTES = 100

/** Nothing more is read or answered. Node has no other way to leave a PING unanswered than its own handle. */
export function openHole(connection: ServedConnection): void {
  connection.isHole = true
  const { _handle } = connection.raw as Socket & { _handle?: { readStop(): void } | null }
  _handle?.readStop()
}

export function endConnection({ raw, tls }: ServedConnection, by: 'reset' | 'end'): void {
  if (by === 'reset') raw.resetAndDestroy()
  else tls.end()
}

/** The headers of an answer, and half of the DATA frame that its header promises. */
export function sendHalf(connection: ServedConnection, stream: ServerHttp2Stream, stays: boolean): void {
  const { tls } = connection
  stream.respond({ ':status': 200 })
  const frame = Buffer.alloc(9 + SENT_BYTES, 'x')
  frame.writeUIntBE(PROMISED_BYTES, 0, 3)
  frame.writeUInt8(DATA, 3)
  frame.writeUInt8(END_STREAM, 4)
  frame.writeUInt32BE(stream.id ?? 0, 5)
  setImmediate(() => {
    if (tls.destroyed) return
    if (stays) connection.isHole = true
    tls.write(frame, () => {
      if (!stays) tls.end()
    })
  })
}
