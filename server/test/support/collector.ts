import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as the collector got it. */
type ReceivedSpan = {
  service: string
  /** The process that it is of. */
  process: string
  name: string
  traceId: string
  spanId: string
  parentSpanId: string
  links: string[]
  attributes: Record<string, unknown>
}

/** An OpenTelemetry collector that takes traces over OTLP/HTTP, as JSON. */
export type Collector = {
  url: string
  spans: ReceivedSpan[]
  headers: IncomingMessage['headers'][]
  close(): Promise<void>
}

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number }
type Attribute = { key: string; value: Value }
type Sent = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      spans: {
        name: string
        traceId: string
        spanId: string
        parentSpanId?: string
        links?: { traceId: string }[]
        attributes?: Attribute[]
      }[]
    }[]
  }[]
}

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      headers.push(request.headers)
      if (request.url === '/v1/traces') spans.push(...spansIn(JSON.parse(Buffer.concat(chunks).toString()) as Sent))
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, headers, close }
}

function spansIn({ resourceSpans }: Sent): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const of = toValues(resource.attributes)
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId = '', links = [], attributes = [] }) => ({
        service: String(of['service.name']),
        process: String(of['service.namespace']),
        name,
        traceId,
        spanId,
        parentSpanId,
        links: links.map((link) => link.traceId),
        attributes: toValues(attributes),
      })),
    )
  })
}

function toValues(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown]))
}
