import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { ServedConnection } from './connection.ts'

const HALF = 'half of a body'

const STOPS_EVERY_MS = 5

/**
 * Nothing more is read or answered. Node has no other way to leave a PING unanswered than its own handle, and begins to
 * read again when a write of before has ended.
 */
export function openHole(connection: ServedConnection): void {
  connection.isHole = true
  const stop = () => {
    const { _handle } = connection.raw as Socket & { _handle?: { readStop(): void } | null }
    _handle?.readStop()
  }
  stop()
  const stops = setInterval(stop, STOPS_EVERY_MS).unref()
  connection.raw.once('close', () => clearInterval(stops))
}

export function endConnection({ raw, tls }: ServedConnection, by: 'reset' | 'end'): void {
  if (by === 'reset') raw.resetAndDestroy()
  else tls.end()
}

/** Half of what the headers of the answer promise. */
export function sendHalf(
  connection: ServedConnection,
  stream: ServerHttp2Stream,
  { status, stays = false }: { status: number; stays?: boolean | undefined },
): void {
  stream.respond({ ':status': status, 'content-length': 2 * HALF.length })
  stream.write(HALF)
  if (!stays) setImmediate(() => endConnection(connection, 'end'))
}
