import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApnsDouble } from '../../../simulator/src/apns/apns.ts'
import type { Reason } from '../../../simulator/src/apns/reasons.ts'
import { startFcm } from '../../../simulator/src/fcm/fcm.ts'
import type { FaultName } from '../../../simulator/src/fcm/google-error.ts'
import { startWebPush } from '../../../simulator/src/web-push/web-push.ts'
import { isBad, KEY_ID, TEAM, toPush, TOPIC, type Fault, type Kind, type Target } from './target.ts'

// A double in a process of its own. It is told by messages what to be, and what to report.

export type DoubleWish = {
  kind: Kind
  latencyMs: number
  fault: Fault | undefined
  pushes: number
  warm: number
  /** web-push speaks no HTTP/2. */
  http: 1 | 2
}

/** `taken`: how often each push was. `restedMs`: the longest time in which nothing was taken. */
export type DoubleReport = {
  taken: Uint8Array
  connections: number
  restedMs: number
  firstAt: number
  lastAt: number
}

type Entry = { push: number; time: number }
type Running = {
  target: Target
  connections(): number
  taken(): number
  log(): Entry[]
  lose(): void
  /** Answers pushes with a reason of this provider's from now on; to browsers a status, and after a space its body. */
  answer(reason: string, turns?: Turns): void
}
type Turns = { every?: number; accept?: boolean }

type Answer = '503' | '500' | 'wrong'
const ANSWERS: Record<Kind, Record<Answer, string>> = {
  apns: { '503': 'ServiceUnavailable', '500': 'InternalServerError', wrong: 'DeviceTokenNotForTopic' },
  fcm: { '503': 'UNAVAILABLE', '500': 'INTERNAL', wrong: 'NOT_FOUND' },
  web: { '503': '503', '500': '500', wrong: '403' },
}
const EACH = 100
const GOAWAY_EACH = 1_000
const HALF_LOOKED_AT_MS = 5

/** `reason`: what every push is answered from now on. */
export type Message = DoubleWish | 'report' | { reason: string }

process.on('message', (message: Message) => void receive(message))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
const state: { running?: Running } = {}

async function receive(message: Message): Promise<void> {
  if (message === 'report') return void process.send?.(report(state.running!))
  if ('reason' in message) {
    state.running!.answer(message.reason)
    return void process.send?.('done')
  }
  const running = await open(message)
  state.running = running
  if (isAnswer(message.fault)) running.answer(ANSWERS[message.kind][message.fault], turnsOf(message.fault))
  process.send?.(running.target)
  if (message.fault !== 'hole') return
  while (running.taken() < message.pushes / 2) await sleep(HALF_LOOKED_AT_MS)
  running.lose()
}

function open(wish: DoubleWish): Promise<Running> {
  return { apns: openApns, fcm: openFcm, web: openWeb }[wish.kind](wish)
}

async function openApns(wish: DoubleWish): Promise<Running> {
  const { privateKey, publicKey } = drawKeys()
  const keys = [{ team: TEAM, keyId: KEY_ID, key: publicKey }]
  const double = await startApnsDouble({ keys, topics: [TOPIC], ...common(wish) })
  return {
    answer: (reason, turns) => double.script([{ reason: reason as Reason, times: 0, ...turns }]),
    target: { ...toTarget(wish), url: double.production.url, key: privateKey },
    connections: () => double.production.counts().connections,
    taken: () => double.production.counts().taken,
    log: () => double.log().map(({ token, time }) => ({ push: toPush('apns', token), time })),
    lose: () => double.production.loseConnections(),
  }
}

async function openFcm(wish: DoubleWish): Promise<Running> {
  const double = await startFcm({ quotaPerMinute: 0, ...common(wish) })
  return {
    answer: (reason, turns) => double.script([{ match: 'send', answer: reason as FaultName, times: 0, ...turns }]),
    target: { ...toTarget(wish), url: double.url, key: double.credentials, tokenUrl: double.tokenUrl },
    connections: () => double.http2.counts().connections,
    taken: () => double.http2.counts().taken,
    log: () => double.log().map(({ token, time }) => ({ push: toPush('fcm', token), time })),
    lose: () => double.http2.loseConnections(),
  }
}

async function openWeb(wish: DoubleWish): Promise<Running> {
  const double = await startWebPush({ ...common(wish), http: wish.http })
  const subscriptions = Array.from({ length: wish.pushes + wish.warm }, () => double.subscribe())
  const target = { ...toTarget(wish), url: double.url, key: drawKeys().privateKey, subscriptions }
  for (const [push, subscription] of subscriptions.entries()) if (isBad(target, push)) double.unsubscribe(subscription)
  const pushes = new Map(subscriptions.map((one, n) => [(JSON.parse(one) as { endpoint: string }).endpoint, n]))
  return {
    answer: (reason, turns) => {
      const [status, ...body] = reason.split(' ')
      double.script([{ status: Number(status), body: body.join(' '), times: 0, ...turns }])
    },
    target,
    connections: () => double.counts().connections,
    taken: () => double.counts().requests,
    log: () => double.log().map(({ endpoint, time }) => ({ push: pushes.get(endpoint)!, time })),
    lose: () => double.scriptFaults([{ kind: 'hole', when: 'before', times: double.counts().connections }]),
  }
}

function common({ latencyMs, fault }: DoubleWish) {
  return { latencyMs, goawayEvery: fault === 'goaway' ? GOAWAY_EACH : 0 }
}

function isAnswer(fault: Fault | undefined): fault is Answer {
  return fault === '503' || fault === '500' || fault === 'wrong'
}

function turnsOf(fault: Answer): Turns {
  return { every: fault === 'wrong' ? 1 : EACH, accept: fault === '500' }
}

function toTarget({ kind, pushes, warm, fault }: DoubleWish) {
  return { kind, pushes, warm, tokenUrl: '', subscriptions: [], hasBadTokens: fault === 'bad' }
}

function drawKeys() {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

function report({ target, connections, log }: Running): DoubleReport {
  const taken = new Uint8Array(target.pushes + target.warm)
  let [firstAt, lastAt, restedMs] = [0, 0, 0]
  for (const { push, time } of log()) {
    taken[push]!++
    if (lastAt > 0) restedMs = Math.max(restedMs, time - lastAt)
    firstAt ||= time
    lastAt = time
  }
  return { taken, connections: connections(), restedMs, firstAt, lastAt }
}
