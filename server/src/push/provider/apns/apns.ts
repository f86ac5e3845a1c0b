import type { Clock } from '../../../platform/shared/clock.ts'
import type { Log } from '../../../platform/shared/log.ts'
import type { Http2Answer } from '../http2/exchange.ts'
import { openHttp2Client, type Http2Client } from '../http2/http2-client.ts'
import { sendEach, toSubmitAnswer, toTicketId, type PushResult } from '../each-push.ts'
import {
  GIVEN_BACK,
  UNKNOWN,
  UNREACHED,
  type Health,
  type Kind,
  type MayBegin,
  type OnOutcome,
  type Provider,
  type ProviderGround,
  type Push,
  type PushContent,
  type SubmitAnswer,
} from '../provider.ts'
import { readRefusal, toOutcome, type Refusal } from './apns-answers.ts'
import { createProviderJwt, type ProviderJwt } from './apns-jwt.ts'
import { encodePush, payloadBytes, preparePayload, type Prepared } from './apns-protocol.ts'
import { APNS_SETTINGS, findApnsFaults, type ApnsSettings } from './apns-settings.ts'
import { APNS_TOKENS, isDeviceToken } from './apns-tokens.ts'

const ADDRESSES = { production: 'https://api.push.apple.com', sandbox: 'https://api.sandbox.push.apple.com' }
const CONNECTIONS = 4
const MAX_PUSHES = 500
const REST_MS = 20 * 60_000
/** No device has this token. That Apple calls it bad shows that the key and the topic are good. */
const NO_DEVICE = '0123456789abcdef'.repeat(4)
const STALE = 'ExpiredProviderToken'
const DIFFERENT_SECONDS = 300
// Pushes wait this long for a place in the quarantine, and those that find none come back after CROWDED_RETRY_MS.
// Proven pushes do not wait for the unproven ones of their submission for COOLDOWN_MS after a refusal.
const QUARANTINE_WAIT_MS = 2_000
const CROWDED_RETRY_MS = 10_000
const COOLDOWN_MS = 30_000
/** How long to wait for the database, which has the provider token. */
const NO_TOKEN: Health = { kind: 'busy', retryAfterMs: 1_000 }

export const APNS: Kind<ApnsSettings> = {
  kind: 'apns',
  settings: APNS_SETTINGS,
  key: { file: 'key_file', variable: 'key_variable' },
  tokens: APNS_TOKENS,
  faults: findApnsFaults,
  create: createApnsProvider,
}

/** `coolsUntil`: Apple refused a token of the quarantine, so that few leave by it for now. */
type Apns = { topic: string; client: Http2Client; jwt: ProviderJwt; log: Log; clock: Clock; coolsUntil: number }

export function createApnsProvider(settings: ApnsSettings, ground: ProviderGround): Provider {
  const { topic, address = ADDRESSES[settings.environment], connections = CONNECTIONS } = settings
  const { name, ca, timeoutMs, log, clock } = ground
  const client = openHttp2Client({ address: new URL(address), connections, timeoutMs, ca, log })
  const jwt = createProviderJwt({ team: settings.team, keyId: settings.key_id, key: ground.key }, ground)
  const apns: Apns = { topic, client, jwt, log, clock, coolsUntil: 0 }
  return {
    name,
    deliveryKnown: 'at once',
    platforms: ['ios'],
    maxPushes: MAX_PUSHES,
    needsProven: true,
    owns: isDeviceToken,
    toStored: (token) => token.toLowerCase(),
    payloadBytes,
    submit: (pushes, mayBegin = () => true, onOutcome) =>
      submit(apns, pushes, { mayBegin, onOutcome, waitsMs: QUARANTINE_WAIT_MS }),
    probe: async () => probe(apns),
    close: () => client.close(),
  }
}

type Unsent = Extract<Http2Answer, { kind: 'unsent' }>
type Limits = { mayBegin: MayBegin; waitsMs: number; onOutcome?: OnOutcome | undefined }
type Submission = {
  jwt: string
  mayBegin: MayBegin
  mayWait: () => boolean
  prepare: (content: PushContent) => Prepared
  faults: Refusal[]
  isOver: boolean
}

/** Once Apple named a fault of our configuration, none of the others begins. */
async function submit(apns: Apns, pushes: Push[], { mayBegin, waitsMs, onOutcome }: Limits): Promise<SubmitAnswer> {
  const jwt = await apns.jwt.current().catch((err: unknown) => apns.log.error({ err }, 'no provider token for Apple'))
  if (jwt === undefined) return { ...toSubmitAnswer(pushes.map(() => UNSENT)), health: NO_TOKEN }
  const submission: Submission = {
    jwt,
    mayBegin: async () => (await mayBegin()) && !submission.isOver,
    mayWait: limitWaiting(apns, pushes, waitsMs),
    prepare: prepareOnce(),
    faults: [],
    isOver: false,
  }
  const results = await sendEach(pushes, (push) => sendPush(apns, push, submission), onOutcome)
  logFaults(apns, submission.faults)
  return toSubmitAnswer(results)
}

const UNSENT: PushResult = { outcome: GIVEN_BACK, wasSent: false }
/** It found no place in the quarantine, which says nothing of the provider. */
const CROWDED: PushResult = { outcome: { ...GIVEN_BACK, retryAfterMs: CROWDED_RETRY_MS }, wasSent: false }

/** Proven tokens do not wait for the others of their submission while the quarantine takes few. */
function limitWaiting(apns: Apns, pushes: Push[], waitsMs: number): () => boolean {
  const isMixed = pushes.some(({ isProven }) => isProven)
  const until = apns.clock.now() + waitsMs
  return () => {
    const now = apns.clock.now()
    return now < until && !(isMixed && now < apns.coolsUntil)
  }
}

/** A token that Apple calls too old is replaced once, at once. */
async function sendPush(apns: Apns, push: Push, submission: Submission): Promise<PushResult> {
  const { mayBegin, mayWait, faults, prepare } = submission
  const prepared = prepare(push.content)
  const ticketId = toTicketId('apns', push.notificationId)
  const ask = async (jwt: string) => {
    const request = encodePush(push, { topic: apns.topic, ticketId, jwt, prepared })
    const how = push.isProven ? { mayBegin } : { mayBegin, isQuarantined: true, mayWait }
    return apns.client.request({ ...request, ...how, isUrgent: push.content.urgent })
  }
  let answer = await ask(submission.jwt)
  if (isStale(answer)) {
    const jwt = await apns.jwt.replace(submission.jwt).catch(() => undefined)
    if (jwt !== undefined) answer = await ask(jwt)
  }
  if (answer.kind === 'unsent') return toUnsent(answer.why, push)
  if (answer.kind === 'unknown')
    return { outcome: UNKNOWN, wasSent: true, sign: { kind: 'failing', code: UNKNOWN.code } }
  const refusal = readRefusal(answer)
  if (refusal === undefined)
    return { outcome: { kind: 'accepted', ticketId }, wasSent: true, sign: { kind: 'healthy' } }
  const { connection } = refusal.verdict
  if (connection === 'retire') answer.connection.retire()
  if (connection === 'rest') answer.connection.rest(REST_MS)
  faults.push(refusal)
  if (refusal.verdict.health === 'misconfigured') submission.isOver = true
  if (!push.isProven && isCooling(answer)) apns.coolsUntil = apns.clock.now() + COOLDOWN_MS
  return { outcome: toOutcome(refusal, push.content), wasSent: true, sign: toSign(refusal, apns.clock) }
}

/** Apple takes one stream at a time in place of hundreds after a refusal, while pushes are on their way. */
function toUnsent(why: Unsent['why'], { isProven }: Push): PushResult {
  if (why === 'forbidden') return UNSENT
  return why === 'crowded' || (why === 'refused' && !isProven) ? CROWDED : { ...UNSENT, sign: UNREACHED }
}

/** A token that is gone is no error for Apple. */
function isCooling({ status }: { status: number }): boolean {
  return status >= 400 && status < 500 && status !== 410
}

function isStale(answer: Http2Answer): boolean {
  return answer.kind === 'answered' && answer.status === 403 && readRefusal(answer)?.reason === STALE
}

function toSign(refusal: Refusal, clock: Clock): Health {
  const { health, code } = refusal.verdict
  if (health === 'healthy') return { kind: 'healthy' }
  return health === 'failing'
    ? { kind: 'failing', code }
    : { kind: 'misconfigured', code: 'Unauthorized', advice: toAdvice(refusal, clock) }
}

/** A token that was signed a moment ago is refused for its age, or for all it says, when the clocks differ. */
function toAdvice({ reason, verdict, at }: Refusal, clock: Clock): string {
  const text = `Apple says ${reason ?? verdict.status}: ${verdict.advice ?? 'no more is known'}`
  const seconds = at === undefined ? 0 : Math.round((clock.now() - at.getTime()) / 1_000)
  if (verdict.status !== 403 || Math.abs(seconds) < DIFFERENT_SECONDS) return text
  const way = seconds < 0 ? 'behind' : 'ahead of'
  return `Apple says ${reason}: the clock of this server is ${Math.abs(seconds)} s ${way} Apple's: set it right`
}

/** A line for each reason of a submission that is our fault. */
function logFaults({ log, clock }: Apns, refusals: Refusal[]): void {
  const faults = refusals.filter(({ verdict }) => verdict.advice !== undefined)
  for (const [reason, own] of Map.groupBy(faults, (fault) => fault.reason)) {
    const advice = toAdvice(own[0]!, clock)
    log.error({ reason, status: own[0]!.verdict.status, pushes: own.length }, advice)
  }
}

function prepareOnce(): Submission['prepare'] {
  const known = new Map<PushContent, Prepared>()
  return (content) => {
    const prepared = known.get(content) ?? preparePayload(content)
    known.set(content, prepared)
    return prepared
  }
}

/** A push to no device, on the connection of tokens that are not proven, because Apple counts it against that. */
async function probe(apns: Apns): Promise<Health> {
  const content = { title: 'probe', body: 'probe', data: null, urgent: false, mergeKey: null }
  const expiresAt = new Date(0)
  const push = { to: NO_DEVICE, platform: 'ios', notificationId: 0, content, expiresAt, isProven: false } as const
  const { health } = await submit(apns, [push], { mayBegin: () => true, waitsMs: Infinity })
  // Nothing was asked without a provider token.
  return health.kind === 'busy' ? UNREACHED : health
}
