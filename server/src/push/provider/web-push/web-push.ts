import { getCACertificates } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { createSemaphore, type Semaphore } from '../../../platform/concurrency/semaphore.ts'
import type { Clock } from '../../../platform/shared/clock.ts'
import type { Kind, MayBegin, Provider, ProviderGround, Push, SubmitAnswer } from '../provider.ts'
import { readAtMost, readHeader, requestOnceAllowed, type NoAnswer } from '../http/request.ts'
import {
  discount,
  isAccepted,
  isSignatureRefused,
  judge,
  readAnswer,
  UNKNOWN,
  type Judged,
  type PushAnswer,
} from './answers.ts'
import { encryptPush } from './encryption.ts'
import { createOrigins, REST_MS, type Origins } from './origins.ts'
import { encodeHeaders, encodePayload, measurePayload, toTicketId } from './payload.ts'
import {
  isAmong,
  normalizeSubscription,
  PUSH_HOSTS,
  readSubscription,
  WEB_PUSH_TOKENS,
  type Subscription,
} from './subscription.ts'
import { createVapid, listVapidFaults, readPublicKey, type Vapid } from './vapid.ts'
import { WEB_PUSH_SETTINGS, type WebPushSettings } from './web-push-settings.ts'

export const WEB_PUSH: Kind<WebPushSettings> = {
  kind: 'web',
  settings: WEB_PUSH_SETTINGS,
  key: { file: 'key_file', variable: 'key_variable' },
  tokens: WEB_PUSH_TOKENS,
  faults: ({ subject }, key) => listVapidFaults({ key, subject }),
  create: createWebPushProvider,
}

const PUSHES_A_SUBMISSION = 100
// To each push service. With HTTP/2, which most speak, a connection holds 100 requests.
const CONNECTIONS = 8
// More than a core encrypts while a service takes 50 ms to answer.
const REQUESTS_AT_ONCE = 400
// Connecting takes half of a request's time at most, so that a failed connection differs from a missing answer.
const CONNECT_MS = 3_000
const MAX_ANSWER_BYTES = 16_384
// Of the time limit. Undici (8.12) asks by a PING whether a connection still lives only when it gave up a request itself,
// and would keep one that swallows everything.
const HEADERS_WITHIN = 0.9

type Result = Judged & { wasSent: boolean }
type Link = {
  name: string
  hosts: readonly string[]
  agent: Dispatcher
  vapid: Vapid
  origins: Origins
  places: Semaphore
  timeoutMs: number
  clock: Clock
}

const FORBIDDEN: Result = {
  outcome: { kind: 'refused', code: 'ProviderUnavailable', retry: true },
  mood: 'fine',
  wasSent: false,
}
const UNREACHABLE: Result = { ...FORBIDDEN, mood: 'failing' }
const RESTS: Result = {
  outcome: { kind: 'refused', code: 'ProviderUnavailable', retry: true, retryAfterMs: REST_MS },
  mood: 'failing',
  wasSent: false,
}
const NO_ADDRESS: Result = {
  outcome: { kind: 'refused', code: 'BadDeviceToken', retry: false },
  mood: 'fine',
  wasSent: false,
}

/** RFC 8030. No redirect is followed, and no more than 16 kB of an answer are read. */
export function createWebPushProvider(settings: WebPushSettings, ground: ProviderGround): Provider {
  const { name, key, ca, timeoutMs, clock } = ground
  const hosts: readonly string[] = settings.hosts ?? PUSH_HOSTS
  const agent = new Agent({
    allowH2: true,
    connections: settings.connections ?? CONNECTIONS,
    connect: { timeout: Math.min(CONNECT_MS, timeoutMs / 2), ...(ca && { ca: [...getCACertificates(), ca] }) },
    keepAliveTimeout: 30_000,
  })
  const link: Link = {
    name,
    hosts,
    agent,
    timeoutMs,
    clock,
    vapid: createVapid({ key, subject: settings.subject, hosts }, ground),
    origins: createOrigins(clock, timeoutMs),
    places: createSemaphore(REQUESTS_AT_ONCE),
  }
  return {
    name,
    deliveryKnown: 'at once',
    platforms: ['web'],
    maxPushes: PUSHES_A_SUBMISSION,
    needsProven: true,
    publicKey: readPublicKey(key),
    owns: ({ token, tokenType, app, environment }) =>
      tokenType === 'web' &&
      app === settings.app &&
      environment === null &&
      normalizeSubscription(token, hosts) !== undefined,
    toStored: (token) => normalizeSubscription(token, hosts) ?? token,
    payloadBytes: measurePayload,
    submit: (pushes, mayBegin = () => true) => submit(link, pushes, mayBegin),
    probe: async () => ({ kind: 'healthy' }),
    close: () => agent.destroy(),
  }
}

async function submit(link: Link, pushes: Push[], mayBegin: MayBegin): Promise<SubmitAnswer> {
  const results = await Promise.all(pushes.map((push) => send(link, push, mayBegin)))
  const named = results.map((result, n) => ({ result, to: pushes[n]!.to }))
  const made = named.filter(({ result }) => result !== FORBIDDEN).map(({ result, to }) => ({ ...result, to }))
  return {
    outcomes: results.map(({ outcome }) => outcome),
    wasSent: results.map(({ wasSent }) => wasSent),
    health: made.length > 0 ? judge(made) : { kind: 'busy', retryAfterMs: 0 },
  }
}

async function send(link: Link, push: Push, mayBegin: MayBegin): Promise<Result> {
  const subscription = readSubscription(push.to)
  if (subscription === undefined || !isAmong(subscription.endpoint, link.hosts)) return NO_ADDRESS
  const { origin, host } = subscription.endpoint
  const { isProven } = push
  // Nobody makes a listed server unreachable for us, but a name under a `*` may be invented.
  const isReal = isProven || link.hosts.includes(host)
  const release = await link.places.take()
  try {
    if (!link.origins.mayTry(origin)) return isReal ? RESTS : discount(RESTS)
    const beganAt = link.clock.now()
    const answer = await post(link, { push, subscription, mayBegin })
    if (answer === 'forbidden') return FORBIDDEN
    const isAnswered = typeof answer === 'object' && answer.status < 500
    if (isAnswered || isProven || answer === 'unreachable') link.origins.report(origin, { isAnswered, beganAt })
    if (answer === 'unreachable') return isReal ? UNREACHABLE : discount(UNREACHABLE)
    const judged = answer === 'unknown' ? UNKNOWN : read(link, { push, subscription }, answer)
    return { ...(isProven ? judged : discount(judged)), wasSent: true }
  } finally {
    release()
  }
}

type Addressed = { push: Push; subscription: Subscription }

function read(link: Link, { push, subscription: { endpoint } }: Addressed, answer: PushAnswer): Judged {
  const { isProven, notificationId } = push
  if (isProven && isAccepted(answer)) link.origins.trust(endpoint)
  const isAlone = !isProven || !isSignatureRefused(answer) || link.origins.isAloneToRefuse(endpoint)
  const ticketId = toTicketId(link.name, notificationId)
  return readAnswer(answer, { ticketId, isProven, isAlone, origin: endpoint.origin, now: link.clock.now() })
}

type Posted = Addressed & { mayBegin: MayBegin }

async function post(link: Link, { push, subscription, mayBegin }: Posted): Promise<PushAnswer | NoAnswer> {
  const { endpoint, keys } = subscription
  // Without the database, which has the signature, nothing may begin either.
  const authorization = await link.vapid(endpoint).catch(() => undefined)
  if (authorization === undefined) return 'forbidden'
  const request = {
    origin: endpoint.origin,
    path: endpoint.pathname + endpoint.search,
    method: 'POST',
    headers: { ...encodeHeaders(push, link.clock.now()), authorization },
    body: encryptPush(encodePayload(push), keys),
    timeoutMs: link.timeoutMs,
    headersTimeout: link.timeoutMs * HEADERS_WITHIN,
    mayBegin,
  } as const
  return requestOnceAllowed(link.agent, request, toAnswer)
}

/** The status is the answer: a body that breaks off or is too large changes nothing. */
async function toAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<PushAnswer> {
  return {
    status: statusCode,
    date: readHeader(headers['date']),
    retryAfter: readHeader(headers['retry-after']),
    body: await readAtMost(body, MAX_ANSWER_BYTES).then(String, () => ''),
  }
}
