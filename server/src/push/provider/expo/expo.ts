import { promisify } from 'node:util'
import { constants, gunzip, gzipSync } from 'node:zlib'
import { Pool, type Dispatcher } from 'undici'
import type { Config } from '../../../platform/config/config.ts'
import {
  encodePushes,
  isExpoPushToken,
  payloadBytes,
  readFault,
  readReceipts,
  readTickets,
  refused,
  unknownOutcome,
  type RequestFault,
} from './expo-protocol.ts'
import { readAtMost, readHead, readHeader, requestOnceAllowed, type HttpAnswer } from '../http/request.ts'
import {
  UNREACHED,
  type Health,
  type MayBegin,
  type Provider,
  type Push,
  type PushOutcome,
  type Receipt,
  type ReceiptAnswer,
  type SubmitAnswer,
} from '../provider.ts'

const decompress = promisify(gunzip)

const SEND = '/--/api/v2/push/send'
const RECEIPTS = '/--/api/v2/push/getReceipts'
// Connecting takes half of a request's time at most, so that a failed connection differs from a missing answer.
const CONNECT_MS = 3_000
// Receipts and probes use these, so that no send waits for them: its time limit includes that wait.
const BESIDE_SENDS = 6
const MAX_ANSWER_BYTES = 1_000_000
const GZIP_ABOVE = 1_024
// This thread compresses: 100 pushes take 0.1 ms, and to hand them to another thread takes longer (measured).
const FAST_GZIP = { level: constants.Z_BEST_SPEED, windowBits: 13, memLevel: 6 }
// Isolates one bad push of 100 in 14 requests; a request with only bad pushes is given up before it floods.
const MAX_SPLITS = 40
const NEVER_ISSUED = '00000000-0000-4000-8000-000000000000'
const REFUSES_QUESTION: Health = { kind: 'failing', code: 'RequestRefused' }
const FORBIDDEN = refused('ProviderUnavailable', { kind: 'busy', retryAfterMs: 0 })
const UNREACHABLE = refused('ProviderUnavailable', UNREACHED)

type Settings = Pick<Config, 'EXPO_BASE_URL' | 'EXPO_ACCESS_TOKEN' | 'PUSH_CONCURRENCY' | 'PUSH_TIMEOUT_SECONDS'>

/** No redirect is followed, no answer above 1 MB is read, and every request ends within the time limit. */
export function createExpoProvider(settings: Settings): Provider {
  const pool = new Pool(settings.EXPO_BASE_URL, {
    connections: settings.PUSH_CONCURRENCY + BESIDE_SENDS,
    connect: { timeout: Math.min(CONNECT_MS, settings.PUSH_TIMEOUT_SECONDS * 500) },
    keepAliveTimeout: 30_000,
  })
  const post: Post = (path, json, how) => postJson(pool, settings, { path, json, ...how })
  return {
    name: 'expo',
    deliveryKnown: 'by receipt',
    platforms: ['unknown', 'ios', 'android'],
    maxPushes: 100,
    maxReceipts: 1_000,
    removesMismatched: true,
    owns: isExpoPushToken,
    payloadBytes,
    submit: (pushes, mayBegin = () => true) => submit(post, pushes, mayBegin),
    fetchReceipts: (ticketIds, signal) => fetchReceipts(post, ticketIds, signal),
    probe: async () => (await ask(post, [NEVER_ISSUED])).health,
    close: () => pool.destroy(),
  }
}

type Wish = { path: string; json: string; mayBegin?: MayBegin; signal?: AbortSignal }
type Post = (path: string, json: string, how?: Pick<Wish, 'mayBegin' | 'signal'>) => Promise<HttpAnswer | RequestFault>

async function submit(post: Post, pushes: Push[], mayBegin: MayBegin): Promise<SubmitAnswer> {
  const outcomes = Array<PushOutcome>(pushes.length).fill(FORBIDDEN.outcome)
  const wasSent = Array<boolean>(pushes.length).fill(false)
  let health: Health | undefined
  // Places of the pushes that a request holds.
  const waiting = [[...pushes.keys()]]
  let requests = 0
  // After a halt, or while the provider asks for time or fails, no further part begins.
  for (; waiting.length > 0 && health === undefined; requests++) {
    const places = waiting.shift() ?? []
    const group = places.map((place) => pushes[place]!)
    const answer = await post(SEND, encodePushes(group), { mayBegin })
    if (answer === FORBIDDEN) break
    if (!isNeverSent(answer)) for (const place of places) wasSent[place] = true
    const tickets = 'outcome' in answer ? undefined : readTickets(answer, group.length)
    if (tickets) {
      places.forEach((place, n) => (outcomes[place] = tickets[n] ?? unknownOutcome().outcome))
      continue
    }
    const fault = 'outcome' in answer ? answer : readFault(answer)
    const parts = requests < MAX_SPLITS ? splitBy(fault, places, pushes) : []
    if (parts.length > 1) waiting.push(...parts)
    else for (const place of places) outcomes[place] = toOutcome(fault, group)
    if (fault.health.kind !== 'healthy') health = fault.health
  }
  return { outcomes, wasSent, health: requests === 0 ? FORBIDDEN.health : (health ?? { kind: 'healthy' }) }
}

/** True when nothing of the request was written. After any other failure the outcome is unknown. */
function isNeverSent(answer: HttpAnswer | RequestFault): boolean {
  return 'outcome' in answer && answer.outcome.kind === 'refused'
}

/** A group that was not split down to single pushes may contain good ones, so they get another attempt. */
function toOutcome({ outcome, split }: RequestFault, group: Push[]): PushOutcome {
  return outcome.kind === 'refused' && split !== undefined && group.length > 1 ? { ...outcome, retry: true } : outcome
}

/** Splits by project when the answer names them, else in halves to isolate a bad push. */
function splitBy(fault: RequestFault, places: number[], pushes: Push[]): number[][] {
  if (fault.split === undefined || places.length < 2) return []
  if (fault.split === 'halves') return halve(places)
  const projects = new Map(Object.entries(fault.split).flatMap(([project, tokens]) => tokens.map((t) => [t, project])))
  return [...Map.groupBy(places, (place) => projects.get(pushes[place]!.to)).values()]
}

/** A question that is refused is halved, as a request is. An id that is refused alone has no receipt. */
async function fetchReceipts(post: Post, ticketIds: string[], signal?: AbortSignal): Promise<ReceiptAnswer> {
  const receipts = new Map<string, Receipt>()
  const waiting = [ticketIds]
  let health: Health = REFUSES_QUESTION
  for (let requests = 0; waiting.length > 0; requests++) {
    const ids = waiting.shift() ?? []
    const answer = await ask(post, ids, signal)
    if (answer.health === REFUSES_QUESTION && ids.length > 1) {
      if (requests < MAX_SPLITS) waiting.push(...halve(ids))
      continue
    }
    if (answer.health !== REFUSES_QUESTION && answer.health.kind !== 'healthy') return answer
    health = { kind: 'healthy' }
    for (const [id, receipt] of answer.receipts) receipts.set(id, receipt)
  }
  return { receipts, health }
}

async function ask(post: Post, ids: string[], signal?: AbortSignal): Promise<ReceiptAnswer> {
  const answer = await post(RECEIPTS, JSON.stringify({ ids }), signal && { signal })
  if ('outcome' in answer) return { receipts: new Map(), health: answer.health }
  const receipts = readReceipts(answer, ids)
  if (receipts) return { receipts, health: { kind: 'healthy' } }
  const { health } = readFault(answer)
  return { receipts: new Map(), health: health.kind === 'healthy' ? REFUSES_QUESTION : health }
}

function halve<Item>(items: readonly Item[]): Item[][] {
  return [items.slice(0, items.length / 2), items.slice(items.length / 2)]
}

async function postJson(pool: Pool, settings: Settings, { path, json, mayBegin, signal }: Wish) {
  const zipped = json.length > GZIP_ABOVE
  const request = {
    method: 'POST',
    path,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      ...(zipped && { 'content-encoding': 'gzip' }),
      ...(settings.EXPO_ACCESS_TOKEN !== '' && { authorization: `Bearer ${settings.EXPO_ACCESS_TOKEN}` }),
    },
    body: zipped ? gzipSync(json, FAST_GZIP) : json,
    timeoutMs: settings.PUSH_TIMEOUT_SECONDS * 1_000,
    mayBegin,
    signal,
  } as const
  const answer = await requestOnceAllowed(pool, request, readAnswer)
  if (answer === 'forbidden') return FORBIDDEN
  if (answer === 'unreachable') return UNREACHABLE
  return answer === 'unknown' ? unknownOutcome() : answer
}

async function readAnswer(answer: Dispatcher.ResponseData): Promise<HttpAnswer> {
  const bytes = await readAtMost(answer.body, MAX_ANSWER_BYTES)
  const body = await decoded(bytes, readHeader(answer.headers['content-encoding']))
  return { ...readHead(answer), body: body.toString('utf8') }
}

/** A proxy may compress what it was not asked to. */
async function decoded(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  return encoding === 'gzip' ? decompress(bytes, { maxOutputLength: MAX_ANSWER_BYTES }) : bytes
}
