import type { Clock } from '../../../platform/shared/clock.ts'
import type { Log } from '../../../platform/shared/log.ts'
import { sendEach, toSubmitAnswer, type PushResult } from '../each-push.ts'
import type { Http2Answer } from '../http2/exchange.ts'
import { openHttp2Client, type Http2Client } from '../http2/http2-client.ts'
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
import { createAccessTokens, type Access, type AccessTokens } from './access-tokens.ts'
import {
  exhausted,
  misconfigured,
  ofOtherSender,
  readAnswer,
  unknownVerdict,
  unsent,
  type Verdict,
} from './fcm-answers.ts'
import { encodeMessage, encodeProbe, payloadBytes, type Heads } from './fcm-message.ts'
import { FCM_SETTINGS, findFcmFaults, type FcmSettings } from './fcm-settings.ts'
import { FCM_TOKENS, isFcmToken } from './fcm-tokens.ts'
import { openGoogleAccess } from './google-access.ts'
import { readCredentials } from './google-credentials.ts'

const ADDRESS = 'https://fcm.googleapis.com'
// 10,000 a second at 50 ms are 500 in flight, and Google takes 100 on a connection.
const CONNECTIONS = 8
const MAX_PUSHES = 500
// Google asks senders to raise their rate over a minute or more. Up to 500 a second, as a small service sends, it needs
// no such climb.
const CLIMB = { from: 500, seconds: 60 }
/** No phone has this token: whatever Google says of it, it took the credentials. */
const NO_PHONE = `dead-phone-of-swapbell:APA91b${'x'.repeat(134)}`

export const FCM: Kind<FcmSettings> = {
  kind: 'fcm',
  settings: FCM_SETTINGS,
  key: { file: 'credentials_file', variable: 'credentials_variable' },
  tokens: FCM_TOKENS,
  faults: findFcmFaults,
  create: createFcmProvider,
}

/** `busyUntil`: the project's quota, in this process; others learn it from the database. */
type Fcm = {
  path: string
  client: Http2Client
  tokens: AccessTokens
  clock: Clock
  log: Log
  busyUntil: number
  limited: { to: string; until: number } | undefined
}

/** Throws for credentials that `faults` names. */
export function createFcmProvider(settings: FcmSettings, ground: ProviderGround): Provider {
  const { address = ADDRESS, connections = CONNECTIONS, token_address: tokenAddress } = settings
  const { name, ca, timeoutMs, log, clock } = ground
  const credentials = readCredentials(ground.key, settings.project)
  if (typeof credentials === 'string') throw new Error(`The provider ${name} ${credentials}`)
  const google = openGoogleAccess({ credentials, tokenAddress, ca, timeoutMs })
  const fcm: Fcm = {
    path: `/v1/projects/${credentials.project}/messages:send`,
    // It needs no quarantine: nothing says that bad tokens harm Google's connections.
    client: openHttp2Client({ address: new URL(address), connections, timeoutMs, ca, log }),
    tokens: createAccessTokens({ fetchAccess: google.fetchAccess, clock, log }),
    clock,
    log,
    busyUntil: 0,
    limited: undefined,
  }
  return {
    name,
    deliveryKnown: 'at once',
    platforms: ['android'],
    maxPushes: MAX_PUSHES,
    climb: CLIMB,
    needsProven: true,
    owns: isFcmToken,
    payloadBytes,
    submit: (pushes, mayBegin = () => true, onOutcome) => submit(fcm, pushes, { mayBegin, onOutcome }),
    probe: () => probe(fcm),
    close: async () => {
      await Promise.all([fcm.client.close(), google.close()])
    },
  }
}

type Hooks = { mayBegin: MayBegin; onOutcome: OnOutcome | undefined }
type Message = { body: string; isUrgent: boolean; mayBegin: MayBegin }
/** `verdict` undefined: it might not begin. */
type Sent = PushResult & { verdict: Verdict | undefined }

/** Once Google named a fault of ours or the project's quota, none of the others begins. */
async function submit(fcm: Fcm, pushes: Push[], { mayBegin, onOutcome }: Hooks): Promise<SubmitAnswer> {
  const [quota] = listQuota(fcm)
  if (quota) return answerAll(pushes, GIVEN_BACK, quota)
  const access = await fcm.tokens.get()
  if (access.kind !== 'token') {
    const { outcome, health } = judgeAccess(access)
    return answerAll(pushes, outcome, health)
  }
  const heads: Heads = new Map()
  let isEnded = false
  let checked: Promise<Health> | undefined
  const check = async () => {
    const health = await probe(fcm)
    if (health.kind === 'healthy') isEnded = false
    return health
  }
  const mayGoOn = async () => !isEnded && fcm.busyUntil <= fcm.clock.now() && (await mayBegin())
  const sendOne = async (push: Push): Promise<Sent> => {
    const body = encodeMessage(push, fcm.clock.now(), heads)
    const message = { body, isUrgent: push.content.urgent, mayBegin: mayGoOn }
    let sent = await send(fcm, access.token, message)
    if (sent.verdict?.health.kind === 'misconfigured') isEnded = true
    if (sent.verdict?.mayBeOfPush) {
      checked ??= check()
      sent = toSent(sent.wasSent, judgeByProbe(sent.verdict, await checked))
    }
    const waitMs = sent.verdict?.mayBeOfProject
    if (waitMs !== undefined && isOfSeveral(fcm, push.to, waitMs)) sent = toSent(sent.wasSent, exhausted(waitMs))
    const health = sent.verdict?.health
    if (health?.kind === 'busy') fcm.busyUntil = Math.max(fcm.busyUntil, fcm.clock.now() + health.retryAfterMs)
    return sent
  }
  const results = await sendEach(pushes, sendOne, onOutcome)
  tellFields(fcm, results)
  tellOthers(fcm, results)
  return toSubmitAnswer(results, listQuota(fcm))
}

function toSent(wasSent: boolean, verdict: Verdict | undefined): Sent {
  return { wasSent, verdict, outcome: verdict?.outcome ?? GIVEN_BACK, ...(verdict && { sign: verdict.health }) }
}

/** Only a probe that meets the same fault shows that it is ours; one that Google had no time for shows nothing. */
function judgeByProbe(verdict: Verdict, health: Health): Verdict {
  if (health.kind === 'healthy') return ofOtherSender()
  return health.kind === 'misconfigured' ? verdict : { ...unsent(), health }
}

/** A quota that several phones meet, of whose Google does not say, is the project's. */
function isOfSeveral(fcm: Fcm, to: string, waitMs: number): boolean {
  const now = fcm.clock.now()
  const { limited } = fcm
  if (limited !== undefined && limited.to !== to && now < limited.until) return true
  fcm.limited = { to, until: now + waitMs }
  return false
}

function listQuota({ busyUntil, clock }: Fcm): Health[] {
  const retryAfterMs = busyUntil - clock.now()
  return retryAfterMs > 0 ? [{ kind: 'busy', retryAfterMs }] : []
}

async function probe(fcm: Fcm): Promise<Health> {
  const access = await fcm.tokens.get()
  if (access.kind !== 'token') return judgeAccess(access).health
  const message = { body: encodeProbe(NO_PHONE), isUrgent: true, mayBegin: () => true }
  const { verdict } = await send(fcm, access.token, message)
  return verdict?.health ?? UNREACHED
}

/** A refused access token is replaced once, and the message, which was surely not taken, sent again at once. */
async function send(fcm: Fcm, token: string, message: Message): Promise<Sent> {
  const first = await post(fcm, token, message)
  if (first.verdict?.isAccessRefused === undefined) return first
  const access = await fcm.tokens.renew(token)
  if (access.kind !== 'token') return toSent(true, judgeAccess(access))
  if (access.token === token) return first
  return { ...(await post(fcm, access.token, message)), wasSent: true }
}

async function post({ client, path }: Fcm, token: string, { body, ...how }: Message): Promise<Sent> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return readSent(await client.request({ path, headers, body, ...how }))
}

function readSent(answer: Http2Answer): Sent {
  if (answer.kind === 'answered') return toSent(true, readAnswer(answer))
  if (answer.kind === 'unknown') return toSent(true, unknownVerdict())
  return toSent(false, answer.why === 'forbidden' ? undefined : unsent())
}

function judgeAccess(access: Exclude<Access, { kind: 'token' }>): Verdict {
  return access.kind === 'refused' ? misconfigured(access.advice) : unsent()
}

function answerAll(pushes: Push[], outcome: PushOutcome, health: Health): SubmitAnswer {
  return { outcomes: pushes.map(() => outcome), wasSent: pushes.map(() => false), health }
}

function tellOthers({ log }: Fcm, results: Sent[]): void {
  const [status] = results.flatMap(({ verdict }) => verdict?.byAnother ?? [])
  if (status !== undefined) log.warn({ status }, 'another program than Google answers: check the address and any proxy')
}

/** A message whose form Google does not take is our own fault: a line a submission, without the values. */
function tellFields({ log }: Fcm, results: Sent[]): void {
  const fields = new Set(results.flatMap(({ verdict }) => verdict?.field?.slice(0, 100) ?? []))
  if (fields.size > 0) log.error({ fields: [...fields].slice(0, 5) }, 'Google does not take the form of a push')
}
