import type { Dispatcher } from 'undici'
import { createSemaphore, type Semaphore } from '../../../platform/concurrency/semaphore.ts'
import type { Clock } from '../../../platform/shared/clock.ts'
import {
  GIVEN_BACK,
  UNREACHED,
  type Health,
  type Kind,
  type MayBegin,
  type OnOutcome,
  type Provider,
  type ProviderGround,
  type Push,
  type PushOutcome,
  type SubmitAnswer,
} from '../provider.ts'
import { sendEach, toTicketId } from '../each-push.ts'
import { readAtMost, readHead, requestOnceAllowed, type HttpAnswer, type NoAnswer } from '../http/request.ts'
import { trustAlso } from '../http/trust.ts'
import {
  discount,
  excuse,
  isAccepted,
  isSignatureRefused,
  judge,
  listBusy,
  readAnswer,
  UNCLEAR,
  type Judged,
} from './answers.ts'
import { createConnections, type Connections } from './connections.ts'
import { encryptPush } from './encryption.ts'
import { createOrigins, REST_MS, type Origins } from './origins.ts'
import { encodeHeaders, encodePayload, measurePayload } from './payload.ts'
import {
  isAmong,
  normalizeSubscription,
  PUSH_HOSTS,
  readSubscription,
  WEB_PUSH_TOKENS,
  type Subscription,
} from './subscription.ts'
import { createTurns } from './turns.ts'
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
// A process holds so many to each push service. With HTTP/2, which most speak, a connection holds 100 requests.
const CONNECTIONS = 8
// More than a core encrypts while a service takes 50 ms to answer.
const REQUESTS_AT_ONCE = 400
// Connecting takes half of a request's time at most, so that a failed connection differs from a missing answer.
const CONNECT_MS = 3_000
const MAX_ANSWER_BYTES = 16_384

type Result = Judged & { wasSent: boolean; endpoint?: URL }
type Hooks = { mayBegin: MayBegin; onOutcome: OnOutcome | undefined }
type Link = {
  name: string
  hosts: readonly string[]
  connections: Connections
  vapid: Vapid
  origins: Origins
  places: Semaphore
  turn: () => Promise<unknown>
  timeoutMs: number
  clock: Clock
}

const FORBIDDEN: Result = { outcome: GIVEN_BACK, mood: 'none', wasSent: false }
const UNREACHABLE: Result = { ...FORBIDDEN, mood: 'failing' }
const RESTS: Result = { ...UNREACHABLE, outcome: { ...GIVEN_BACK, retryAfterMs: REST_MS } }
const NO_ADDRESS: Result = {
  outcome: { kind: 'refused', code: 'BadDeviceToken', retry: false },
  mood: 'fine',
  wasSent: false,
}

/** RFC 8030. No redirect is followed, and no more than 16 kB of an answer are read. */
export function createWebPushProvider(settings: WebPushSettings, ground: ProviderGround): Provider {
  const { name, key, ca, timeoutMs, clock } = ground
  const hosts: readonly string[] = settings.hosts ?? PUSH_HOSTS
  const pool = {
    allowH2: true,
    connections: settings.connections ?? CONNECTIONS,
    connect: { timeout: Math.min(CONNECT_MS, timeoutMs / 2), secureContext: trustAlso(ca) },
    keepAliveTimeout: 30_000,
  }
  const link: Link = {
    name,
    hosts,
    connections: createConnections(pool, timeoutMs),
    timeoutMs,
    clock,
    vapid: createVapid({ key, subject: settings.subject, hosts }, ground),
    origins: createOrigins(clock, timeoutMs),
    places: createSemaphore(REQUESTS_AT_ONCE),
    turn: createTurns(),
  }
  return {
    name,
    deliveryKnown: 'at once',
    platforms: ['web'],
    maxPushes: PUSHES_A_SUBMISSION,
    needsProven: true,
    publicKey: readPublicKey(key),
    owns: (token) => normalizeSubscription(token, hosts) !== undefined,
    toStored: (token) => normalizeSubscription(token, hosts) ?? token,
    phoneOf: (stored) => stored.slice(0, stored.indexOf('"keys"')),
    payloadBytes: measurePayload,
    submit: (pushes, mayBegin = () => true, onOutcome) => submit(link, pushes, { mayBegin, onOutcome }),
    probe: () => probe(link),
    close: () => link.connections.close(),
  }
}

async function submit(link: Link, pushes: Push[], { mayBegin, onOutcome }: Hooks): Promise<SubmitAnswer> {
  const results = await sendEach(pushes, (push) => send(link, push, mayBegin), onOutcome)
  const made = results.filter(({ mood }) => mood !== 'none')
  const busy = listBusy(made)
  for (const [origin, ms] of busy) link.origins.limit(origin, ms)
  // A limit that holds for all pushes is no attempt of this one.
  const isFree = ({ mood, endpoint }: Result) => mood === 'busy' && endpoint !== undefined && busy.has(endpoint.origin)
  const health: Health = made.length > 0 ? judge(made) : { kind: 'busy', retryAfterMs: 0 }
  const toOutcome = (result: Result): PushOutcome => {
    const { outcome } = result
    if (outcome.kind !== 'refused') return outcome
    if (isFree(result)) return { ...outcome, isFree: true }
    return health.kind === 'misconfigured' ? excuse(outcome) : outcome
  }
  return { outcomes: results.map(toOutcome), wasSent: results.map(({ wasSent }) => wasSent), health }
}

async function send(link: Link, push: Push, mayBegin: MayBegin): Promise<Result> {
  const subscription = readSubscription(push.to)
  if (subscription === undefined || !isAmong(subscription.endpoint, link.hosts)) return NO_ADDRESS
  const { origin } = subscription.endpoint
  const result = await link.places.run(() => sendOnce(link, { push, subscription, mayBegin }))
  // A push service that fails rests by itself in place of the breaker, so that the others go on.
  const isOwn = result.mood === 'failing' && link.origins.failsAlone(origin)
  return { ...result, endpoint: subscription.endpoint, mood: isOwn ? 'fine' : result.mood }
}

type Addressed = { push: Push; subscription: Subscription }
type Posted = Addressed & { mayBegin: MayBegin }

async function sendOnce(link: Link, posted: Posted): Promise<Result> {
  const { isProven } = posted.push
  const { origin, host } = posted.subscription.endpoint
  // Nobody makes a listed server unreachable for us, but a name under a `*` may be invented.
  const isReal = isProven || link.hosts.includes(host)
  const waitMs = link.origins.findWait(origin)
  if (waitMs > 0) return { ...RESTS, mood: 'fine', outcome: { ...GIVEN_BACK, retryAfterMs: waitMs } }
  if (!link.origins.mayTry(origin)) return isReal ? RESTS : discount(RESTS)
  const beganAt = link.clock.now()
  const answer = await post(link, posted)
  if (answer === 'forbidden') return FORBIDDEN
  if (answer === 'unreachable') {
    link.origins.report(origin, { isAnswered: false, beganAt })
    return isReal ? UNREACHABLE : discount(UNREACHABLE)
  }
  const judged = answer === 'unknown' ? UNCLEAR : read(link, posted, answer)
  const isAnswered = judged.mood !== 'failing'
  if (isAnswered || isProven) link.origins.report(origin, { isAnswered, beganAt })
  return { ...(isProven ? judged : discount(judged)), wasSent: true }
}

function read(link: Link, { push, subscription: { endpoint } }: Addressed, answer: HttpAnswer): Judged {
  const { isProven, notificationId } = push
  if (isProven && isAccepted(answer)) link.origins.trust(endpoint)
  const isAlone = !isProven || !isSignatureRefused(answer) || link.origins.isAloneToRefuse(endpoint)
  const ticketId = toTicketId(link.name, notificationId)
  return readAnswer(answer, { ticketId, isProven, isAlone, origin: endpoint.origin, now: link.clock.now() })
}

async function post(link: Link, { push, subscription, mayBegin }: Posted): Promise<HttpAnswer | NoAnswer> {
  const { endpoint, keys } = subscription
  // Nothing may begin either without the database, which has the signature.
  const authorization = await link.vapid(endpoint).catch(() => undefined)
  if (authorization === undefined) return 'forbidden'
  await link.turn()
  const request = {
    origin: endpoint.origin,
    path: endpoint.pathname + endpoint.search,
    method: 'POST',
    headers: { ...encodeHeaders(push, link.clock.now()), authorization },
    body: encryptPush(encodePayload(push), keys),
    timeoutMs: link.timeoutMs,
    mayBegin,
  } as const
  return link.connections.use(request.origin, (pool) => requestOnceAllowed(pool, request, toAnswer))
}

/**
 * Tells whether one of the listed services is reached that does not rest. One that fails may be the only one that can
 * be reached, so it is asked too: the trial tells how it takes pushes.
 */
async function probe({ hosts, connections, origins, timeoutMs }: Link): Promise<Health> {
  const named = hosts.filter((host) => !host.startsWith('*')).map((host) => `https://${host}`)
  const asking = named
    .filter((origin) => !origins.rests(origin))
    .map(async (origin) => {
      const request = { origin, path: '/', method: 'GET', timeoutMs } as const
      const answer = await connections.use(origin, (pool) => requestOnceAllowed(pool, request, toAnswer))
      return typeof answer === 'object' && answer.status < 500 ? [origin] : []
    })
  const reached = (await Promise.all(asking)).flat()
  if (reached.some((origin) => !origins.isFailing(origin))) origins.noteReached()
  return named.length === 0 || reached.length > 0 ? { kind: 'healthy' } : UNREACHED
}

/** The status is the answer: a body that breaks off or is too large changes nothing. */
async function toAnswer(answer: Dispatcher.ResponseData): Promise<HttpAnswer> {
  return { ...readHead(answer), body: await readAtMost(answer.body, MAX_ANSWER_BYTES).then(String, () => '') }
}
