import { appendFileSync } from 'node:fs'
import { startHttp2Double, type Watch } from '../http2/double.ts'
import type { Http2Fault } from '../http2/faults.ts'
import { accept as enter, type Ledger } from '../ledger.ts'
import { addToScript, takeFirst, type LiveStep, type Turns } from '../script.ts'
import { startHttp1 } from './http1.ts'
import { readPush, type AcceptedPush, type PushReply, type PushRequest } from './push.ts'
import { comeBack, createSubscription, deliver, describe, type Subscription } from './subscriptions.ts'
import type { Vendor } from './vendors.ts'

export type WebPushOptions = {
  /** Default 0: any free one. */
  port?: number
  /** The owner of the push service that it resembles. Default google. */
  vendor?: Vendor
  /** Default 2; 1: a service that speaks no HTTP/2, and takes no faults of connections. */
  http?: 1 | 2
  latencyMs?: number
  /** An honest GOAWAY after so many requests of a connection; 0: none. */
  goawayEvery?: number
  /** Gets a JSON line for each accepted push before the answer. */
  logFile?: string
  /** Unix milliseconds; a test may set it. */
  now?: () => number
  /** The ledger that accepted pushes are written to, beside the log. */
  ledger?: Ledger
  watch?: Watch
}

/** What some requests are answered. */
type WebPushStep = Turns & {
  /** The status that replaces the usual one. */
  status?: number
  headers?: Record<string, string>
  body?: string
  /** The push is accepted and in the log, whatever the answer is. Default: where `status` is below 300 or absent. */
  accept?: boolean
  /** The answer waits for it. */
  until?: Promise<unknown>
}

/** The push service of a browser's vendor. A subscription is named by its JSON, or by its endpoint. */
export type WebPushDouble = {
  /** Where endpoints are: `https://localhost:…`. */
  url: string
  /** Does what `pushManager.subscribe` does in a page; gives its JSON. */
  subscribe(wish?: Browser): string
  /** The browser drops it: pushes get 410. */
  unsubscribe(subscription: string): void
  /** The browser is away: pushes wait. */
  goAway(subscription: string): void
  /** Gives the pushes that waited. */
  comeBack(subscription: string): AcceptedPush[]
  /** Accepted pushes, oldest first. */
  log(since?: number): AcceptedPush[]
  counts(): { requests: number; connections: number; undecipherable: number; faults: number; liedAbout: number }
  /** The tokens with which senders signed, in the order of their first use. */
  tokens(): { key: string; firstAt: number }[]
  script(steps: WebPushStep[]): void
  /** Plans faults of requests and connections, with HTTP/2. */
  scriptFaults(faults: Http2Fault[]): void
  /** Counts the faults that are still to come. */
  faultsLeft(): number
  clearScript(): void
  close(): Promise<void>
}

type Browser = {
  /** Pushes of its sender alone are accepted; left out: of any. */
  applicationServerKey?: string
  /** Is given each push while the browser is there. */
  onPush?: (push: AcceptedPush) => void
}

export async function startWebPush(options: WebPushOptions = {}): Promise<WebPushDouble> {
  const {
    port = 0,
    vendor = 'google',
    http = 2,
    latencyMs = 0,
    goawayEvery = 0,
    now = Date.now,
    logFile,
    watch,
  } = options
  const subscriptions = new Map<string, Subscription>()
  const tokens = new Map<string, { key: string; firstAt: number }>()
  const steps: LiveStep<WebPushStep>[] = []
  const log: AcceptedPush[] = []
  let requests = 0

  const answer = async (request: PushRequest): Promise<PushReply> => {
    requests++
    const step = takeFirst(steps, () => true)
    const reply = take(request, step)
    await step?.until
    const { status, headers, body } = step ?? {}
    return { ...reply, ...(status && { status }), ...(headers && { headers }), ...(body !== undefined && { body }) }
  }

  /** The push is in the log before anybody gets an answer. */
  const take = (request: PushRequest, step: WebPushStep | undefined): PushReply => {
    const read = readPush({ origin: server.url, vendor, now: now(), tokens, subscriptions }, request)
    if ('status' in read) return read
    const { status = 201, accept = status < 300 } = step ?? {}
    if (!accept) return { status }
    const push = { sequence: log.length + 1, ...read }
    log.push(push)
    if (logFile !== undefined) appendFileSync(logFile, `${JSON.stringify(push)}\n`)
    const subscription = named(push.endpoint)
    if (options.ledger) note(options.ledger, push, describe(subscription))
    deliver(subscription, push)
    return { status, headers: { location: `${server.url}/message/${push.sequence}`, ttl: String(push.ttl) } }
  }

  const named = (subscription: string): Subscription => {
    const isJson = subscription.startsWith('{')
    const endpoint = isJson ? (JSON.parse(subscription) as { endpoint: string }).endpoint : subscription
    const found = subscriptions.get(endpoint)
    if (!found) throw new TypeError(`There is no subscription ${endpoint}`)
    return found
  }

  const server =
    http === 1
      ? await startHttp1(port, answer)
      : await startHttp2Double({ port, latencyMs, goawayEvery, answer, watch })

  return {
    url: server.url,
    subscribe: (browser = {}) => {
      const subscription = createSubscription(server.url, browser)
      subscriptions.set(subscription.endpoint, subscription)
      return describe(subscription)
    },
    unsubscribe: (subscription) => void (named(subscription).isGone = true),
    goAway: (subscription) => void (named(subscription).isOnline = false),
    comeBack: (subscription) => comeBack(named(subscription), now()),
    log: (since = 0) => log.slice(since),
    counts: () => {
      const undecipherable = log.filter(({ text }) => text === undefined).length
      const { connections, faults, liedAbout } = server.counts()
      return { requests, connections, undecipherable, faults, liedAbout }
    },
    tokens: () => [...tokens.values()],
    script: (added) => addToScript(steps, added),
    scriptFaults: (faults) => {
      if (!('script' in server)) throw new TypeError('Faults of connections need HTTP/2')
      server.script(faults)
    },
    faultsLeft: () => ('faultsLeft' in server ? server.faultsLeft() : 0),
    clearScript: () => {
      steps.length = 0
      if ('clearScript' in server) server.clearScript()
    },
    close: () => server.close(),
  }
}

/** The service's own ticket never comes here, so that there is none. */
function note(ledger: Ledger, { sequence, time, notification_id, topic }: AcceptedPush, token: string): void {
  const fields = { data: { notification_id }, collapseId: topic }
  enter(ledger, { time, request: sequence, token, fields, plan: 'ok' })
}
