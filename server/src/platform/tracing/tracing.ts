import { AsyncLocalStorage } from 'node:async_hooks'

/** A span's place in its trace, as the W3C header says it. */
export type Traceparent = string

type Attributes = Record<string, string | number | boolean>

export type SpanStart = {
  /** Absent: work of our own. */
  kind?: 'server' | 'client'
  /** The span continues the first and links to the others. Absent: the current one. None: `startsTrace`, or no span. */
  of?: readonly (Traceparent | null)[]
  startsTrace?: boolean
  /** The time is in milliseconds since 1970; absent: now. */
  since?: number
  attributes?: Attributes
}

export type Span = {
  readonly traceId: string | undefined
  set(attributes: Attributes): void
  run<T>(work: () => T): T
  end(error?: unknown): void
}

export type Tracing = {
  readonly isOn: boolean
  begin(name: string, start: SpanStart): Span
  /** Null: no span runs now, or its trace is not kept. */
  current(): Traceparent | null
  close(): Promise<void>
}

export type TraceStore = AsyncLocalStorage<Running>
type Running = { traceId: string; traceparent: Traceparent | null }

export function createTraceStore(): TraceStore {
  return new AsyncLocalStorage()
}

export const NO_SPAN: Span = { traceId: undefined, set: () => undefined, run: (work) => work(), end: () => undefined }

export const NO_TRACING: Tracing = {
  isOn: false,
  begin: () => NO_SPAN,
  current: () => null,
  close: () => Promise.resolve(),
}

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

const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** Null when it is not valid. */
export function traceparentIn(header: string | string[] | undefined): Traceparent | null {
  return typeof header === 'string' && TRACEPARENT.test(header) ? header : null
}
