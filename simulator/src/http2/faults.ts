import { takeFirst, type LiveStep, type Turns } from '../script.ts'

/** Before: the request was not taken, so it is in no log. After: it was, and its answer is lost. */
type When = 'before' | 'after'

/**
 * A GOAWAY, with its last stream beside that of the request. It rises to the highest stream that was taken already,
 * unless `lies`. `reason` is sent as JSON in its debug data.
 */
export type GoawayFault = { last: 'below' | 'at' | 'above'; code?: number; reason?: string; lies?: boolean }

/** What happens to a request, or to its connection. Codes are those of RFC 9113, section 7. */
export type RequestFault =
  | ({ kind: 'goaway' } & GoawayFault)
  | { kind: 'reset'; code: number; when: When }
  /** Half of a body, and then the end of the connection or, if it `stays`, nothing. */
  | { kind: 'half'; stays?: boolean }
  /** The connection stays, but nothing more is read or answered, not even a PING. */
  | { kind: 'hole'; when: When }
  /** A TCP reset, or a FIN. */
  | { kind: 'cut'; by: 'reset' | 'end'; when: When }
  /** Answered later; in the process of the simulator after a promise, too. */
  | { kind: 'slow'; ms?: number; until?: Promise<unknown> }
  | { kind: 'silent'; when: When }
  /** New SETTINGS; the request is served. */
  | { kind: 'limit'; streams: number }

/** What happens to a new connection: TLS begins later, or the connection ends before it. */
export type ConnectionFault = { kind: 'slow-tls'; ms?: number; until?: Promise<unknown> } | { kind: 'no-tls' }

/** `path`: for requests whose path contains it. */
export type Http2Fault = Turns & (ConnectionFault | (RequestFault & { path?: string }))

export type Http2Script = LiveStep<Http2Fault>[]

export function takeConnectionFault(script: Http2Script): ConnectionFault | undefined {
  return takeFirst(script, isAboutConnection) as ConnectionFault | undefined
}

export function takeRequestFault(script: Http2Script, path: string): RequestFault | undefined {
  return takeFirst(
    script,
    (fault) => !isAboutConnection(fault) && (fault.path === undefined || path.includes(fault.path)),
  ) as RequestFault | undefined
}

function isAboutConnection(fault: Http2Fault): fault is Turns & ConnectionFault {
  return fault.kind === 'slow-tls' || fault.kind === 'no-tls'
}
