import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { CONTENT_TYPE } from './registry.ts'

/** None of it rejects. */
export type Answers = {
  metrics(): Promise<string>
  /** Why the process must be restarted; empty: it is live. */
  whyNotLive(): string[]
  isReady(): Promise<boolean>
}

export type MetricsServer = { url: string; close(): Promise<void> }

const CONNECTIONS_MOST = 32
const LIMITS = {
  requestTimeout: 5_000,
  headersTimeout: 5_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8_192,
}

/** `/metrics`, `/live` and `/ready` on a port of their own, without sign-in. Port 0 takes a free one. */
export async function startMetricsServer(
  { port, host }: { port: number; host: string },
  answers: Answers,
): Promise<MetricsServer> {
  const server = createServer(LIMITS, (request, response) => {
    answer(request, answers).then(
      (reply) => send(response, request, reply),
      () => send(response, request, { status: 500, text: 'failed' }),
    )
  })
  server.maxConnections = CONNECTIONS_MOST
  server.listen(port, host)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, close }
}

type Reply = { status: number; text: string; type?: string }

async function answer({ method, url = '/' }: IncomingMessage, answers: Answers): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'only GET' }
  const [path] = url.split('?', 1)
  if (path === '/metrics') return { status: 200, text: await answers.metrics(), type: CONTENT_TYPE }
  if (path === '/live') {
    const faults = answers.whyNotLive()
    return faults.length === 0 ? { status: 200, text: 'live' } : { status: 503, text: faults.join('\n') }
  }
  if (path === '/ready')
    return (await answers.isReady()) ? { status: 200, text: 'ready' } : { status: 503, text: 'not ready' }
  return { status: 404, text: 'there are /metrics, /live and /ready' }
}

function send(response: ServerResponse, { method }: IncomingMessage, { status, text, type }: Reply): void {
  response.writeHead(status, { 'content-type': type ?? 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(method === 'HEAD' ? undefined : `${text}\n`)
}
