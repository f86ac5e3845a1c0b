import type { DoubleConnection } from '../http2/connection.ts'
import {
  startHttp2Double,
  type DoubleAnswer,
  type DoubleRequest,
  type Http2Double,
  type Watch,
} from '../http2/double.ts'
import { acceptedAfter, createLedger, type AcceptedMessage, type Ledger } from '../ledger.ts'
import { addToScript } from '../script.ts'
import { createDevices, type Device } from './devices.ts'
import { judge, type Apple, type ApnsAnswer } from './judge.ts'
import { createTokenChecks, type AppleKey, type Environment } from './provider-token.ts'
import { createSession, learn, type Session } from './session.ts'
import type { ApnsStep } from './steps.ts'
import { createWaiting, type WaitingPush } from './waiting.ts'

export type ApnsDoubleOptions = {
  /** The keys that Apple gave to the team, and the bundle ids of its apps. */
  keys: AppleKey[]
  topics: string[]
  /** Ports of the two listeners; absent, or 0: any free one. */
  ports?: Partial<Record<Environment, number>>
  /** Streams that a session allows after a good push. Default 1000. */
  streams?: number
  latencyMs?: number
  /** An honest GOAWAY after so many requests of a connection; 0: none. */
  goawayEvery?: number
  /** The clock in Unix milliseconds; a test may set it. */
  now?: () => number
  /** The ledger of accepted pushes; absent: one of its own. */
  ledger?: Ledger
  /** Gets each push that a phone which is on shows. */
  onPush?: (push: WaitingPush) => void
  watch?: Watch
}

/** An accepted push. */
type ApnsMessage = {
  sequence: number
  time: number
  connection: number
  notification_id: string | number | null
  token: string
  collapseId: string | null
  apnsId: string | null
}

export type ApnsDouble = {
  /** One listener for each environment, with tokens and faults of its own. */
  production: Http2Double
  sandbox: Http2Double
  /** The accepted pushes of both, oldest first. */
  log(since?: number): ApnsMessage[]
  counts(): ApnsCounts
  setToken(token: string, device: Device): void
  /** The app is deleted: pushes are refused as unregistered, since now. */
  kill(token: string): void
  /** The phone is on again, and shows what Apple kept for it. */
  comeBack(token: string): WaitingPush[]
  script(steps: ApnsStep[]): void
  clearScript(): void
  revokeKey(keyId: string): void
  /** The provider tokens of a key, in the order of their first use. */
  tokensOf(keyId: string): string[]
  close(): Promise<void>
}

/** `answers`: by reason, and `accepted`. `goaways`: sessions that ended because of bad tokens. */
type ApnsCounts = { accepted: number; duplicates: number; answers: Record<string, number>; goaways: number }

const MOST_STREAMS = 1_000

/** Apple's service as its documents and its users describe it: production and sandbox, over TLS and HTTP/2. */
export async function startApnsDouble(options: ApnsDoubleOptions): Promise<ApnsDouble> {
  const apple: Apple = {
    tokens: createTokenChecks(options.keys),
    topics: options.topics,
    devices: createDevices(),
    script: [],
    ledger: options.ledger ?? createLedger(),
    waiting: createWaiting(),
    onPush: options.onPush ?? (() => undefined),
    now: options.now ?? Date.now,
  }
  const counts = { answers: {} as Record<string, number>, goaways: 0 }
  const listen = (environment: Environment) => {
    const sessions = new WeakMap<DoubleConnection, Session>()
    const answer = ({ headers, body, connection }: DoubleRequest): DoubleAnswer => {
      const session = sessions.get(connection) ?? createSession(connection.number)
      sessions.set(connection, session)
      const answered = judge(apple, { environment, session, headers, body: body.toString() })
      const { limit } = session
      const { closes } = learn(session, answered.status, options.streams ?? MOST_STREAMS, answered.reason)
      if (session.limit !== limit) connection.setLimit(session.limit)
      if (closes) connection.goaway({ reason: 'BadDeviceToken' })
      if (closes) counts.goaways++
      const name = answered.reason ?? 'accepted'
      counts.answers[name] = (counts.answers[name] ?? 0) + 1
      return toAnswer(answered, apple.now())
    }
    const { latencyMs = 0, goawayEvery = 0, ports, watch } = options
    return startHttp2Double({ streams: 1, latencyMs, goawayEvery, port: ports?.[environment] ?? 0, answer, watch })
  }
  const [production, sandbox] = await Promise.all([listen('production'), listen('sandbox')])
  return {
    production,
    sandbox,
    log: (since = 0) => [...acceptedAfter(apple.ledger, since)].map(toMessage),
    counts: () => ({ accepted: apple.ledger.count, duplicates: apple.ledger.duplicates, ...structuredClone(counts) }),
    setToken: (token, device) => apple.devices.set(token, device),
    kill: (token) =>
      apple.devices.set(token, { ...apple.devices.find(token), reason: 'Unregistered', since: apple.now() }),
    comeBack: (token) => {
      apple.devices.set(token, { ...apple.devices.find(token), isAway: false })
      return apple.waiting.take(token, apple.now())
    },
    script: (steps) => addToScript(apple.script, steps),
    clearScript: () => void (apple.script.length = 0),
    revokeKey: (keyId) => apple.tokens.revoke(keyId),
    tokensOf: (keyId) => [...(apple.tokens.seen.get(keyId) ?? [])],
    close: async () => {
      await Promise.all([production.close(), sandbox.close()])
    },
  }
}

function toAnswer({ status, apnsId, reason, timestamp }: ApnsAnswer, now: number): DoubleAnswer {
  const headers = { 'apns-id': apnsId, date: new Date(now).toUTCString() }
  if (reason === undefined) return { status, headers }
  return { status, headers, body: JSON.stringify({ reason, ...(timestamp !== undefined && { timestamp }) }) }
}

/** The ledger keeps the connection as the request, and the apns-id as the tag, which is Android's. */
function toMessage({ request, tag, ...entry }: AcceptedMessage): ApnsMessage {
  const { sequence, time, notification_id, token, collapseId } = entry
  return { sequence, time, connection: request, notification_id, token, collapseId, apnsId: tag }
}
