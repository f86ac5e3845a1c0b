import { constants } from 'node:http2'
import type { Dispatcher } from 'undici'
import type { MayBegin } from '../provider.ts'

/** `forbidden`, `unreachable`: surely nothing of the request was processed. `unknown`: it may have been. */
export type NoAnswer = 'forbidden' | 'unreachable' | 'unknown'

type AllowedRequest = Omit<Dispatcher.RequestOptions, 'signal'> & {
  /** Absent: it may. */
  mayBegin?: MayBegin | undefined
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** An answer, as far as providers read it. `body` may be cut off. */
export type HttpAnswer = { status: number; date?: string | undefined; retryAfter?: string | undefined; body: string }

// A request that does not begin this soon after it was allowed asks again, because a connection may be slow (ADR 4).
const BEGINS_WITHIN_MS = 250
const TRIES_TO_BEGIN = 4
// A frame of type 1 is the head of a request.
const DISOWNED = ['HTTP/2: "GOAWAY" frame received', 'HTTP/2: "frameError" received - type 1,']

/** Makes a request once it may begin, and reads its answer. It ends within the time limit and never rejects. */
export async function requestOnceAllowed<Answer extends object>(
  dispatcher: Dispatcher,
  { mayBegin, timeoutMs, signal, ...request }: AllowedRequest,
  read: (answer: Dispatcher.ResponseData) => Promise<Answer>,
): Promise<Answer | NoAnswer> {
  for (let tries = 0; tries < TRIES_TO_BEGIN; tries++) {
    if (mayBegin && !(await mayBegin())) return 'forbidden'
    const limit = AbortSignal.timeout(timeoutMs)
    const ends = signal ? AbortSignal.any([limit, signal]) : limit
    const start = beginBefore(performance.now() + (mayBegin ? BEGINS_WITHIN_MS : Infinity), ends)
    try {
      return await read(await dispatcher.compose(start.watch).request({ ...request, signal: ends }))
    } catch (error) {
      if (wasDisowned(error)) return 'unreachable'
      if (start.has()) return 'unknown'
      if (!start.isLate()) return 'unreachable'
    }
  }
  return 'forbidden'
}

/**
 * Surely nothing of it was processed: a GOAWAY named an earlier stream as the last, the stream was refused (RFC 9113,
 * 6.8 and 8.7), or its head was never sent, as on a connection that a GOAWAY ends. Undici (8.12) tells two of these by
 * their texts alone, and each after it has sent the request again once. Streams of a connection that ended have the
 * code of its GOAWAY, and say nothing about themselves.
 */
function wasDisowned(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, http2ErrorCode } = error as Error & { code?: unknown; http2ErrorCode?: unknown }
  const isRefused = code === 'ERR_HTTP2_STREAM_ERROR' && http2ErrorCode === constants.NGHTTP2_REFUSED_STREAM
  return isRefused || DISOWNED.some((text) => error.message.startsWith(text))
}

/** Undici says so on a made connection, before the first byte; after `deadline` (`performance.now()`) none begins. */
function beginBefore(deadline: number, signal: AbortSignal) {
  let state: 'waits' | 'began' | 'late' = 'waits'
  const watch: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
    const begin = handler.onRequestStart?.bind(handler)
    handler.onRequestStart = (controller, context) => {
      signal.throwIfAborted()
      if (state === 'waits') state = performance.now() > deadline ? 'late' : 'began'
      if (state === 'late') throw new Error('The request begins too late.')
      begin?.(controller, context)
    }
    return dispatch(options, handler)
  }
  return { watch, has: () => state === 'began', isLate: () => state === 'late' }
}

export function readHeader(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

export function readHead({ statusCode: status, headers }: Dispatcher.ResponseData): Omit<HttpAnswer, 'body'> {
  return { status, date: readHeader(headers['date']), retryAfter: readHeader(headers['retry-after']) }
}

/** Rejects where the answer is larger. */
export async function readAtMost(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) throw new Error('The answer is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
