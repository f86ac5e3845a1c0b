import { constants, sensitiveHeaders, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2'
import type { MayBegin } from '../provider.ts'

export type Http2Request = {
  path: string
  headers: Record<string, string>
  body: string
  /** Leaves by connections of its own, because its answer may lower or close the connection. */
  isQuarantined?: boolean
  /** Leaves before the others that wait. */
  isUrgent?: boolean
  /** Asked while it waits for a place. Once it says no, the request is crowded out, unless the peer is not reached. */
  mayWait?: () => boolean
  /** Asked just before the HEADERS are written. */
  mayBegin?: MayBegin
}

/** Unsent: surely not processed, so that it may be sent again. Unknown: it may have been. */
export type Http2Answer =
  Answered | { kind: 'unsent'; why: 'forbidden' | 'unreachable' | 'refused' | 'crowded' } | { kind: 'unknown' }

/** `isWhole` is false when the answer ended too early, or is longer than 64 KB. */
type Answered = {
  kind: 'answered'
  status: number
  headers: IncomingHttpHeaders
  body: string
  isWhole: boolean
  connection: ConnectionControl
}

type ConnectionControl = {
  /** No request leaves by this connection for so long. */
  rest(ms: number): void
  /** No further request leaves by this connection; those that left still end. */
  retire(): void
}

export type Exchange = {
  request: Http2Request
  deadline: number
  /** Later it is unsent: too little time would be left for its answer, and it would be unknown. */
  leavesBefore: number
  wasRefused: boolean
  /** Ends the stream that the request left by; absent before it left. */
  cancel: (() => void) | undefined
  isCancelled: boolean
  /** Called once. */
  answer: (answer: Http2Answer) => void
}

/** What became of a stream. Refused: surely not processed (RFC 9113, 8.7). */
export type StreamEnd = Answered | 'refused' | 'unknown'

export type StreamGround = {
  session: ClientHttp2Session
  streams: number
  goaway: { code: number; last: number } | undefined
  control: ConnectionControl
  heard: () => void
}

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants
const MAX_BODY_BYTES = 65_536
const NEVER_INDEXED = [':path', 'authorization']

/** Writes the request to a new stream, or throws. `ended` is called once, also after the `cancel` that is returned. */
export function startStream(ground: StreamGround, request: Http2Request, ended: (end: StreamEnd) => void): () => void {
  const stream = ground.session.request({
    ':method': 'POST',
    ':path': request.path,
    ...request.headers,
    [sensitiveHeaders]: NEVER_INDEXED,
  })
  ground.streams++
  const chunks: Buffer[] = []
  let headers: (IncomingHttpHeaders & { ':status'?: number | undefined }) | undefined
  let bytes = 0
  let hasEnded = false
  stream.on('response', (received) => {
    headers = received
    ground.heard()
  })
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
    else stream.close(NGHTTP2_CANCEL)
  })
  stream.on('end', () => (hasEnded = true))
  stream.on('error', ignore)
  stream.on('close', () => {
    ground.streams--
    const status = headers?.[':status']
    if (!headers || status === undefined)
      return ended(wasRefused(ground.goaway, stream.id, stream.rstCode) ? 'refused' : 'unknown')
    const isWhole = hasEnded && stream.rstCode === NGHTTP2_NO_ERROR && bytes === expectedBytes(headers, bytes)
    const body = chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString()
    ended({ kind: 'answered', status, headers, body, isWhole, connection: ground.control })
  })
  stream.end(request.body)
  return () => {
    stream.close(NGHTTP2_CANCEL)
    // Node would wait until the peer has taken the bytes of the RST_STREAM.
    stream.destroy()
  }
}

/**
 * A stream of a connection that ended has the code of its GOAWAY, so that only another code than that is its own. A
 * stream without a number never left.
 */
function wasRefused(goaway: StreamGround['goaway'], id: number | undefined, code: number): boolean {
  if (id === undefined || (goaway !== undefined && id > goaway.last)) return true
  return code === NGHTTP2_REFUSED_STREAM && goaway?.code !== NGHTTP2_REFUSED_STREAM
}

function expectedBytes({ 'content-length': length }: IncomingHttpHeaders, received: number): number {
  return length === undefined ? received : Number(length)
}

function ignore(): void {}
