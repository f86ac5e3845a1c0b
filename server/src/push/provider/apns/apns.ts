import type { Clock } from '../../../platform/shared/clock.ts'
import type { Log } from '../../../platform/shared/log.ts'
import type { Http2Answer } from '../http2/exchange.ts'
import { openHttp2Client, type Http2Client } from '../http2/http2-client.ts'
import { judgeSubmission } from '../health.ts'
import type {
  Health,
  Kind,
  Provider,
  ProviderGround,
  Push,
  PushContent,
  PushOutcome,
  SubmitAnswer,
} from '../provider.ts'
import { readRefusal, toOutcome, type Refusal } from './apns-answers.ts'
import { findApnsFaults } from './apns-faults.ts'
import { createProviderJwt, type ProviderJwt } from './apns-jwt.ts'
import { apnsId, encodePush, payloadBytes, preparePayload, type Prepared } from './apns-protocol.ts'
import { APNS_SETTINGS, type ApnsSettings } from './apns-settings.schema.ts'
import { APNS_TOKENS, isDeviceToken } from './apns-tokens.ts'

const ADDRESSES = { production: 'https://api.push.apple.com', sandbox: 'https://api.sandbox.push.apple.com' }
const CONNECTIONS = 4
const MAX_PUSHES = 500
const REST_MS = 20 * 60_000
/** Of no device. That Apple calls it bad shows that the key and the topic are good. */
const NO_DEVICE = '0123456789abcdef'.repeat(4)
const STALE = 'ExpiredProviderToken'
const DIFFERENT_SECONDS = 300
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

type Apns = { topic: string; client: Http2Client; jwt: ProviderJwt; log: Log; clock: Clock }

export function createApnsProvider(settings: ApnsSettings, ground: ProviderGround): Provider {
  const { app, environment, topic, address = ADDRESSES[settings.environment], connections = CONNECTIONS } = settings
  const { name, ca, timeoutMs, log, clock } = ground
  const client = openHttp2Client({ address: new URL(address), connections, timeoutMs, ca, log })
  const jwt = createProviderJwt({ team: settings.team, keyId: settings.key_id, key: ground.key }, ground)
  const apns: Apns = { topic, client, jwt, log, clock }
  return {
    name,
    deliveryKnown: 'at once',
    platforms: ['ios'],
    maxPushes: MAX_PUSHES,
    needsProven: true,
    owns: (to) =>
      to.tokenType === 'apns' && to.app === app && to.environment === environment && isDeviceToken(to.token),
    toStored: (token) => token.toLowerCase(),
    payloadBytes,
    submit: (pushes, mayBegin = () => true) => submit(apns, pushes, mayBegin),
    probe: async () => probe(apns),
    close: () => client.close(),
  }
}

type MayBegin = () => boolean | Promise<boolean>
/** `sign`: what it says of the provider; absent: it was not allowed to leave. */
type Result = { outcome: PushOutcome; wasSent: boolean; sign?: Health }
/** What is the same for all pushes of a submission. */
type Submission = { jwt: string; mayBegin: MayBegin; prepare: (content: PushContent) => Prepared; faults: Refusal[] }

async function submit(apns: Apns, pushes: Push[], mayBegin: MayBegin): Promise<SubmitAnswer> {
  const jwt = await apns.jwt.current().catch((err: unknown) => apns.log.error({ err }, 'no provider token for Apple'))
  if (jwt === undefined) return { ...toAnswer(pushes.map(() => UNSENT)), health: NO_TOKEN }
  const faults: Refusal[] = []
  const submission = { jwt, mayBegin, prepare: prepareOnce(), faults }
  const results = await Promise.all(pushes.map(async (push) => sendPush(apns, push, submission)))
  logFaults(apns, faults)
  return toAnswer(results)
}

const UNSENT: Result = {
  outcome: { kind: 'refused', code: 'ProviderUnavailable', retry: true },
  wasSent: false,
}
const UNREACHED: Result = { ...UNSENT, sign: { kind: 'failing', code: 'ProviderUnavailable' } }
const UNKNOWN: Result = {
  outcome: { kind: 'unknown', code: 'OutcomeUnknown' },
  wasSent: true,
  sign: { kind: 'failing', code: 'OutcomeUnknown' },
}

/** A token that Apple calls too old is replaced once, at once. */
async function sendPush(apns: Apns, push: Push, submission: Submission): Promise<Result> {
  const { mayBegin, faults, prepare } = submission
  const prepared = prepare(push.content)
  const ticketId = apnsId(push.notificationId)
  const ask = async (jwt: string) => {
    const request = encodePush(push, { topic: apns.topic, ticketId, jwt, prepared })
    return apns.client.request({ ...request, isQuarantined: !push.isProven, mayBegin })
  }
  let answer = await ask(submission.jwt)
  if (isStale(answer)) {
    const jwt = await apns.jwt.replace(submission.jwt).catch(() => undefined)
    if (jwt !== undefined) answer = await ask(jwt)
  }
  if (answer.kind === 'unsent') return answer.why === 'forbidden' ? UNSENT : UNREACHED
  if (answer.kind === 'unknown') return UNKNOWN
  const refusal = readRefusal(answer)
  if (refusal === undefined)
    return { outcome: { kind: 'accepted', ticketId }, wasSent: true, sign: { kind: 'healthy' } }
  const { connection } = refusal.verdict
  if (connection === 'retire') answer.connection.retire()
  if (connection === 'rest') answer.connection.rest(REST_MS)
  faults.push(refusal)
  return { outcome: toOutcome(refusal), wasSent: true, sign: toSign(refusal, apns.clock) }
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

function toAnswer(results: Result[]): SubmitAnswer {
  return {
    outcomes: results.map(({ outcome }) => outcome),
    wasSent: results.map(({ wasSent }) => wasSent),
    health: judgeSubmission(results.flatMap(({ sign }) => sign ?? [])),
  }
}

/** A push to no device, on the connection of tokens that are not proven, because Apple counts it against that. */
async function probe(apns: Apns): Promise<Health> {
  const content = { title: 'probe', body: 'probe', data: null, urgent: false, mergeKey: null }
  const expiresAt = new Date(0)
  const push = { to: NO_DEVICE, platform: 'ios', notificationId: 0, content, expiresAt, isProven: false } as const
  const { health } = await submit(apns, [push], () => true)
  // Without a provider token nothing was asked.
  return health.kind === 'busy' ? { kind: 'failing', code: 'ProviderUnavailable' } : health
}
