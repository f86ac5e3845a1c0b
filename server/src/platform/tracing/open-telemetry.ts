import { hostname } from 'node:os'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type SpanContext } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../config/config.ts'
import { VERSION } from '../shared/release.ts'
import type { Log } from '../shared/log.ts'
import { NO_SPAN, type Span, type SpanStart, type Traceparent, type TraceStore, type Tracing } from './tracing.ts'

const LINKS_MAX = 32
const WARN_EVERY_MS = 60_000
// What a process keeps for a slow collector; more is dropped.
const QUEUE = { maxQueueSize: 2_048, maxExportBatchSize: 512, scheduledDelayMillis: 1_000, exportTimeoutMillis: 5_000 }
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

/** Keeps a span whose parent is kept, and a share of the others (OTEL_TRACES_SAMPLER_ARG). */
export function startTracing(settings: Config, log: Log, store: TraceStore): Tracing {
  const exporter = withWarnings(
    new OTLPTraceExporter({
      url: `${settings.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`,
      headers: headersIn(settings.OTEL_EXPORTER_OTLP_HEADERS),
      timeoutMillis: QUEUE.exportTimeoutMillis,
    }),
    log,
  )
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.OTEL_SERVICE_NAME,
      'service.namespace': settings.PROCESS,
      'service.version': VERSION,
      'service.instance.id': `${hostname()}-${process.pid}`,
      'host.name': hostname(),
      'process.pid': process.pid,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...QUEUE })],
  })
  const tracer = provider.getTracer('swapbell')
  const begin = (name: string, { kind, of, startsTrace = false, since, attributes = {} }: SpanStart): Span => {
    const given = of ?? [store.getStore()?.traceparent ?? null]
    const [parent, ...others] = [...new Set(given)].flatMap((one) => (one === null ? [] : [toContext(one)]))
    if (parent === undefined && !startsTrace) return NO_SPAN
    const span = tracer.startSpan(
      name,
      {
        attributes,
        links: others.slice(0, LINKS_MAX).map((context) => ({ context })),
        ...(kind && { kind: KINDS[kind] }),
        ...(since !== undefined && { startTime: since }),
      },
      parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    )
    const own = span.spanContext()
    const isKept = (own.traceFlags & TraceFlags.SAMPLED) !== 0
    const running = { traceId: own.traceId, traceparent: isKept ? toTraceparent(own) : null }
    return {
      traceId: own.traceId,
      set: (more) => void span.setAttributes(more),
      run: (work) => store.run(running, work),
      end: (error) => {
        if (error !== undefined) {
          // The text of an error may quote what people wrote.
          span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  }
  return {
    isOn: true,
    begin,
    current: () => store.getStore()?.traceparent ?? null,
    close: async () => {
      await provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'the last spans were not sent'))
    },
  }
}

function withWarnings(exporter: SpanExporter, log: Log): SpanExporter {
  let quietUntil = 0
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && performance.now() >= quietUntil) {
          quietUntil = performance.now() + WARN_EVERY_MS
          log.warn({ err: result.error, spans: spans.length }, 'the collector took no spans; they are lost')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

function toContext(traceparent: Traceparent): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): Traceparent {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), decoded(value.join('=').trim())]
  })
  return Object.fromEntries(pairs.filter(([name]) => name !== ''))
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
