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

// A request that does not begin this soon after it was allowed asks again, because a connection may be slow (ADR 4).
const BEGINS_WITHIN_MS = 250
const TRIES_TO_BEGIN = 4

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
 * A GOAWAY named an earlier stream as the last one that is processed (RFC 9113, 6.8). Undici (8.12) tells it by this
 * text alone, and only after it has sent the request again once.
 */
function wasDisowned(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('HTTP/2: "GOAWAY" frame received')
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
