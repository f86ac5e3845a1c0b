import type { IncomingHttpHeaders } from 'node:http2'
import { accept, type Ledger } from '../ledger.ts'
import { takeFirst } from '../script.ts'
import type { Devices } from './devices.ts'
import type { Environment, TokenChecks } from './provider-token.ts'
import { REASONS, type Reason } from './reasons.ts'
import { findHeaderFault, header, readPayload, readTarget, UNNAMED } from './request-checks.ts'
import { admit, type Session } from './session.ts'
import type { ApnsScript } from './steps.ts'
import type { Waiting, WaitingPush } from './waiting.ts'

/** What Apple knows. */
export type Apple = {
  tokens: TokenChecks
  /** The apps of the team. */
  topics: string[]
  devices: Devices
  script: ApnsScript
  ledger: Ledger
  waiting: Waiting
  onPush: (push: WaitingPush) => void
  now: () => number
}

export type ApnsRequest = { environment: Environment; session: Session; headers: IncomingHttpHeaders; body: string }

/** `reason` absent: accepted, and in the ledger. */
export type ApnsAnswer = { status: number; apnsId: string; reason?: Reason; timestamp?: number }

const HOUR_MS = 3_600_000

/** Apple's answer to a push. An accepted one is in the ledger before it is answered. */
export function judge(apple: Apple, request: ApnsRequest): ApnsAnswer {
  const apnsId = header(request.headers, 'apns-id') ?? UNNAMED
  const target = readTarget(request.headers)
  const found = findFault(apple, request)
  if (found !== undefined) return { status: REASONS[found], apnsId, reason: found }
  const { token } = target as { token: string }
  const step = takeFirst(apple.script, () => true)
  const refused = apple.devices.refuse(token, toPlace(request))
  // A script may deliver a push and answer a failure, but a probe names no device that could get it.
  if (step?.accept === true && refused === undefined) note(apple, request, token)
  const reason = step?.reason ?? refused
  if (reason === undefined) note(apple, request, token)
  const since = step?.since ?? apple.devices.find(token).since ?? apple.now() - HOUR_MS
  return {
    status: reason === undefined ? 200 : (step?.status ?? REASONS[reason]),
    apnsId,
    ...(reason && { reason }),
    ...(reason && REASONS[reason] === 410 && { timestamp: since }),
  }
}

/** Checks in the order in which Apple was seen to check. */
function findFault(apple: Apple, { environment, session, headers, body }: ApnsRequest): Reason | undefined {
  const target = readTarget(headers)
  if ('reason' in target && target.reason !== 'MissingDeviceToken') return target.reason
  const now = apple.now()
  const authorization = header(headers, 'authorization')
  const signed = apple.tokens.check(authorization, now)
  if (typeof signed === 'string') return signed
  const { key } = signed
  if (key.environment !== undefined && key.environment !== environment) return 'BadEnvironmentKeyInToken'
  const refused = admit(session, authorization ?? '', signed, now)
  if (refused !== undefined) return refused
  const topic = header(headers, 'apns-topic')
  if (topic === undefined) return 'MissingTopic'
  if (!/^[\w-]+(?:\.[\w-]+)+$/.test(topic)) return 'BadTopic'
  if (!apple.topics.includes(topic) || key.topics?.includes(topic) === false) return 'TopicDisallowed'
  if ('reason' in target) return target.reason
  if (!/^(?:[\da-f]{2}){32,200}$/.test(target.token)) return 'BadDeviceToken'
  const payload = readPayload(body)
  return findHeaderFault(headers) ?? ('reason' in payload ? payload.reason : undefined)
}

function note(apple: Apple, request: ApnsRequest, token: string): void {
  const { headers, body, session } = request
  const payload = JSON.parse(body) as Record<string, unknown>
  const collapseId = header(headers, 'apns-collapse-id') ?? null
  const apnsId = header(headers, 'apns-id') ?? UNNAMED
  const fields = { data: payload['body'], collapseId, tag: apnsId }
  accept(apple.ledger, { time: apple.now(), request: session.number, token, fields, plan: 'ok' })
  const { isAway = false } = apple.devices.find(token)
  const expiresAt = Number(header(headers, 'apns-expiration') ?? Infinity) * 1_000
  const push = { token, topic: toPlace(request).topic, apnsId, collapseId, expiresAt, payload }
  if (isAway) apple.waiting.keep(push)
  else apple.onPush(push)
}

function toPlace({ environment, headers }: ApnsRequest): { environment: Environment; topic: string } {
  return { environment, topic: header(headers, 'apns-topic') ?? '' }
}
