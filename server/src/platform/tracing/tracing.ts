import { AsyncLocalStorage } from 'node:async_hooks'

/** Where a span stands in its trace, as the W3C header `traceparent` says it. */
export type Traceparent = string

type Attributes = Record<string, string | number | boolean>

/** How a span begins. */
export type SpanStart = {
  /** `server` for a request to us, `client` for one of ours; absent: work of our own. */
  kind?: 'server' | 'client'
  /**
   * Whose work it is: the span continues the first one and is linked to the others, 32 at most. Absent: that of the span
   * which runs now. Without any it begins a trace, if `startsTrace`, and else is no span.
   */
  of?: readonly (Traceparent | null)[]
  startsTrace?: boolean
  /** When it began, in milliseconds since 1970; absent: now. */
  since?: number
  attributes?: Attributes
}

/** A span that has begun. */
export type Span = {
  readonly traceId: string | undefined
  set(attributes: Attributes): void
  /** Runs work as part of it: spans and lines of the log in it belong to it. */
  run<T>(work: () => T): T
  end(error?: unknown): void
}

/** Writes down what happens, one trace for each story (ADR 049). */
export type Tracing = {
  readonly isOn: boolean
  begin(name: string, start: SpanStart): Span
  /** The span that runs now; null: none does, or its trace is not kept. */
  current(): Traceparent | null
  /** Sends what is left. */
  close(): Promise<void>
}

/** What runs now in this process, for spans and for lines of the log. */
export type TraceStore = AsyncLocalStorage<Running>
type Running = { traceId: string; traceparent: Traceparent | null }

export function createTraceStore(): TraceStore {
  return new AsyncLocalStorage()
}

const NO_SPAN: Span = { traceId: undefined, set: () => undefined, run: (work) => work(), end: () => undefined }

/** Tracing that is off: it costs a call of an empty function for each span. */
export const NO_TRACING: Tracing = {
  isOn: false,
  begin: () => NO_SPAN,
  current: () => null,
  close: () => Promise.resolve(),
}

/** Runs work in a span, which ends with it, also when it fails. */
export async function traced<T>(
  tracing: Tracing,
  name: string,
  start: SpanStart,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracing.begin(name, start)
  try {
    const result = await span.run(() => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** The valid `traceparent` of a header; null otherwise, which begins a trace of our own. */
export function traceparentIn(header: string | string[] | undefined): Traceparent | null {
  return typeof header === 'string' && isTraceparent(header) ? header : null
}

function isTraceparent(text: string): boolean {
  return /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(text)
}
