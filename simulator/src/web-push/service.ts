import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { readPush, type AcceptedPush, type PushReply } from './push.ts'
import { accepts, addSteps, takeStep, type WebPushScript, type WebPushStep } from './script.ts'
import { comeBack, createSubscription, deliver, describe, type Subscription } from './subscriptions.ts'
import { type Vendor } from './vendors.ts'

export type WebPushOptions = {
  /** PEM. */
  tls: { key: string; cert: string }
  /** Default 0: any free one. */
  port?: number
  /** Default google. */
  vendor?: Vendor
  /** Default true; false: HTTP/1.1 alone, as some services speak. */
  http2?: boolean
  /** Gets a JSON line for each accepted push before the answer. */
  logFile?: string
  /** Milliseconds before each answer. Default 0. */
  latencyMs?: number
  /** Unix milliseconds; a test may set it. */
  now?: () => number
}

type Request = IncomingMessage | Http2ServerRequest
type Response = ServerResponse | Http2ServerResponse

/** The push service of a browser's vendor, over TLS. */
export type WebPushService = {
  /** Where endpoints are: `https://localhost:…`. */
  url: string
  /**
   * What `pushManager.subscribe` gives a page, as JSON. `applicationServerKey`: its pushes alone are accepted; left out:
   * those of any sender. `onPush`: the browser, while it is online.
   */
  subscribe(wish?: { applicationServerKey?: string; onPush?: (push: AcceptedPush) => void }): string
  /** The browser drops it: pushes get 410. Takes the JSON or the endpoint. */
  unsubscribe(subscription: string): void
  /** The browser is away: pushes wait. */
  goAway(subscription: string): void
  /** The pushes that waited. */
  comeBack(subscription: string): AcceptedPush[]
  /** All accepted pushes, oldest first. */
  log(): readonly AcceptedPush[]
  /** How many requests came, how many connections by protocol, and the tokens of senders, the oldest first. */
  state(): { requests: number; connections: Record<string, number>; tokens: { key: string; firstAt: number }[] }
  script(steps: WebPushStep[]): void
  clearScript(): void
  close(): Promise<void>
}

export async function startWebPushService(options: WebPushOptions): Promise<WebPushService> {
  const { vendor = 'google', http2 = true, now = Date.now, latencyMs = 0, logFile } = options
  const subscriptions = new Map<string, Subscription>()
  const script: WebPushScript = { steps: [] }
  const log: AcceptedPush[] = []
  const counts = { requests: 0, connections: {} as Record<string, number> }
  const tokens = new Map<string, { key: string; firstAt: number }>()
  const sockets = new Set<Socket>()
  const listener = (request: Request, response: Response) => void serve(request, response).catch(() => cut(response))
  const { tls } = options
  const server = http2 ? createSecureServer({ ...tls, allowHTTP1: true }, listener) : createServer(tls, listener)
  server.on('secureConnection', (socket) => {
    const protocol = socket.alpnProtocol || 'http/1.1'
    counts.connections[protocol] = (counts.connections[protocol] ?? 0) + 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  server.listen(options.port ?? 0, 'localhost')
  await once(server, 'listening')
  const url = `https://localhost:${(server.address() as AddressInfo).port}`

  async function serve(request: Request, response: Response): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    counts.requests++
    const step = takeStep(script)
    const { method, url: path = '', headers } = request
    if (step?.cut === 'before-accepting') return cut(response)
    const reply = method === 'POST' ? take({ path, headers, body: Buffer.concat(chunks) }, step) : { status: 405 }
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs))
    await step?.until
    if (step?.cut === 'after-accepting') return cut(response)
    answer(response, { ...reply, ...step }, step?.cut === 'mid-body')
  }

  /** The push is in the log before anybody gets an answer. */
  function take(request: Parameters<typeof readPush>[1], step: WebPushStep | undefined): PushReply {
    const service = { origin: url, vendor, now: now(), tokens, find: (endpoint: string) => subscriptions.get(endpoint) }
    const read = readPush(service, request)
    if ('status' in read) return read
    if (step !== undefined && !accepts(step)) return { status: step.status ?? 500 }
    const push = { sequence: log.length + 1, ...read }
    log.push(push)
    if (logFile) appendFileSync(logFile, `${JSON.stringify(push)}\n`)
    const subscription = subscriptions.get(push.endpoint)
    if (subscription) deliver(subscription, push)
    return { status: 201, headers: { location: `${url}/message/${push.sequence}`, ttl: String(push.ttl) } }
  }

  function find(subscription: string): Subscription {
    const endpoint = subscription.startsWith('{')
      ? String((JSON.parse(subscription) as { endpoint: unknown }).endpoint)
      : subscription
    const found = subscriptions.get(endpoint)
    if (!found) throw new TypeError(`There is no subscription ${endpoint}`)
    return found
  }

  return {
    url,
    subscribe: ({ applicationServerKey, onPush } = {}) => {
      const subscription = createSubscription(url, applicationServerKey ?? null)
      subscription.onPush = onPush
      subscriptions.set(subscription.endpoint, subscription)
      return describe(subscription)
    },
    unsubscribe: (subscription) => void (find(subscription).isGone = true),
    goAway: (subscription) => void (find(subscription).isOnline = false),
    comeBack: (subscription) => comeBack(find(subscription), now()),
    log: () => log,
    state: () => ({ ...counts, tokens: [...tokens.values()] }),
    script: (steps) => addSteps(script, steps),
    clearScript: () => void (script.steps.length = 0),
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

function answer(response: Response, { status, headers = {}, body = '' }: PushReply, isCut: boolean): void {
  const open = response as ServerResponse
  open.writeHead(status, headers)
  if (!isCut) return void open.end(body)
  open.write(body.slice(0, body.length / 2) || ' ', () => cut(response))
}

function cut(response: Response): void {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  else response.socket?.destroy()
}
