import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerFailure, answerReceipts, answerRefusal, answerTickets, withFault, type Answer } from './answer.ts'
import { invalidBearer, refusal, type Refusal } from './refusal.ts'
import { getReceipts } from './receipts.ts'
import { readText } from './request-body.ts'
import { accepts, takeStep, type FaultStep, type Route } from './script.ts'
import { send } from './send.ts'
import { countRefusal, readTime, type State } from './state.ts'
import { noteRequest, type Outcome } from './wall/traffic.ts'

/** One request as it was read; `number` counts the requests of its route. */
type Call = { route: Route; number: number; body: string | Refusal; authorization: string | undefined }

/** Long enough for half an answer to reach a client on the same machine before the connection is reset. */
const HALF_ANSWER_MS = 20

/** A wait must not keep a process alive that has closed its simulator. */
const HOLDS_NOTHING = { ref: false }

/**
 * Serves one request of the protocol: the scripted step that takes it, if any, then the service itself.
 */
export async function serveProtocol(
  state: State,
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const number = route === 'send' ? ++state.counts.sendRequests : ++state.counts.receiptRequests
  const step = takeStep(state.script, route)
  if (step) state.counts.scriptedFaults++
  const waitMs = state.options.latencyMs + (step?.delayMs ?? 0)
  if (step?.cut === 'before-read') {
    request.pause()
    if (waitMs > 0) await sleep(waitMs, undefined, HOLDS_NOTHING)
    note(state, { route, answer: 'cut', waitMs }, countTotals(state))
    return cut(state, request)
  }
  const body = await readText(request)
  const before = countTotals(state)
  const answer = answerTo(state, { route, number, body, authorization: request.headers.authorization }, step)
  note(state, { route, answer: step?.cut ? 'cut' : answer.status, waitMs }, before)
  if (waitMs > 0) await sleep(waitMs, undefined, HOLDS_NOTHING)
  await step?.until
  if (step?.cut === 'after-read') return cut(state, request)
  if (step?.cut === 'mid-body') return writeHalf(state, request, response, answer)
  response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) })
  response.end(answer.body)
}

type Totals = { accepted: number; copies: number; refused: number }

function countTotals({ ledger, counts }: State): Totals {
  return { accepted: ledger.count, copies: ledger.duplicates, refused: counts.errorTickets }
}

/** Notes for the wall what a request did. */
function note(state: State, outcome: Omit<Outcome, 'provider' | keyof Totals>, before: Totals): void {
  const { accepted, copies, refused } = countTotals(state)
  const done = {
    accepted: accepted - before.accepted,
    copies: copies - before.copies,
    refused: refused - before.refused,
  }
  noteRequest(state.wall.traffic, { provider: 'expo', ...outcome, ...done }, readTime(state))
}

function answerTo(state: State, call: Call, step: FaultStep | undefined): Answer {
  if (step && !accepts(step)) return answerFailure(step)
  const refused = refuseBearer(state, call.authorization)
  if (refused) return refuse(state, refused, 0)
  if (typeof call.body !== 'string') return refuse(state, call.body, 0)
  const answer =
    call.route === 'send' ? answerSend(state, call.number, call.body, step) : answerGet(state, call.body, step)
  return step && answer.status === 200 ? withFault(answer, step) : answer
}

function answerSend(state: State, number: number, body: string, step?: FaultStep): Answer {
  const result = send(state, number, body, step)
  return 'refused' in result
    ? refuse(state, result.refused, result.messages)
    : answerTickets(result, step?.body ?? 'ok')
}

function answerGet(state: State, body: string, step?: FaultStep): Answer {
  const result = getReceipts(state, body, step)
  return result instanceof Map ? answerReceipts(result, step?.body ?? 'ok') : refuse(state, result, 0)
}

function refuse(state: State, refused: Refusal, messages: number): Answer {
  countRefusal(state, refused.code, messages)
  return answerRefusal(refused)
}

/** Expo: with enhanced push security on, a missing and a wrong bearer get different forms of answer. */
function refuseBearer(state: State, authorization: string | undefined): Refusal | null {
  const { accessToken } = state.options
  if (!accessToken) return null
  if (authorization === undefined)
    return refusal(401, 'UNAUTHORIZED', 'An access token is required to send push notifications')
  return authorization === `Bearer ${accessToken}` ? null : invalidBearer()
}

function cut(state: State, request: IncomingMessage): void {
  state.counts.cuts++
  request.socket.resetAndDestroy()
}

async function writeHalf(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
): Promise<void> {
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)))
  await sleep(HALF_ANSWER_MS, undefined, HOLDS_NOTHING)
  cut(state, request)
}
