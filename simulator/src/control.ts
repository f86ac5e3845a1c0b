import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readJson, sendJson, sendProblem } from './json-body.ts'
import { isRecord, isString, isWhole } from './json.ts'
import { logAfter } from './log-lines.ts'
import { addSteps } from './script.ts'
import { clearScript, describeState, resetState, readTime, type State } from './state.ts'
import { isReceiptPlan, RECEIPT_PLANS, type TokenRule } from './tokens.ts'
import type { World } from './wall/actions.ts'
import { createMailRoutes } from './mail/mail-routes.ts'
import type { Mailbox } from './mail/mailbox.ts'
import { createLiveEvents, type LiveEvents } from './wall/live-events.ts'
import { loadPage } from './wall/page.ts'
import { createWallRoutes } from './wall/wall-routes.ts'

/** The simulator's own routes, beside the protocol. */
export type Control = {
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends the live views. */
  close(): void
}

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void

const LOG_PIECE = 1000
const MOST_ADVANCE_MS = 366 * 24 * 60 * 60 * 1000

/** Sets up the control routes for a simulator. */
export function createControl(state: State, world: World, mailbox: Mailbox | undefined): Control {
  const page = loadPage()
  const wallRoute = createWallRoutes(state, world)
  const events = createLiveEvents(state)
  const routes = new Map<string, Handler>([
    ['GET /simulator/events', (_, response) => attach(events, response)],
    ['GET /simulator/state', (_, response) => sendJson(response, 200, describeState(state))],
    ['GET /simulator/log', async (_, response, url) => sendLog(state, response, url)],
    ['POST /simulator/reset', (_, response) => answerAfter(response, () => resetState(state))],
    ['POST /simulator/script', async (request, response) => addScript(state, request, response)],
    ['DELETE /simulator/script', (_, response) => answerAfter(response, () => clearScript(state))],
    ['POST /simulator/tokens', async (request, response) => setTokens(state, request, response)],
    ...createMailRoutes(mailbox),
    ['POST /simulator/clock', async (request, response) => moveClock(state, request, response)],
  ])
  return {
    async serve(request, response) {
      const url = new URL(request.url ?? '/', 'http://simulator')
      if (isForeign(request)) return sendProblem(response, 403, 'Another site may not control the simulator')
      const file = request.method === 'GET' ? page.get(url.pathname) : undefined
      if (file) return void response.writeHead(200, file.headers).end(file.body)
      const { method = '' } = request
      const handler = routes.get(`${method} ${url.pathname}`) ?? wallRoute(method, url.pathname)
      if (handler) return run(handler, request, response, url)
      const others = [...routes.keys()].filter((key) => key.endsWith(` ${url.pathname}`))
      sendProblem(response, others.length > 0 ? 405 : 404, `No ${request.method} ${url.pathname} here`)
    },
    close: () => events.close(),
  }
}

function attach(events: LiveEvents, response: ServerResponse): void {
  if (!events.attach(response)) sendProblem(response, 503, 'Too many pages are open')
}

/** Bad input is thrown as a TypeError that names the field. */
async function run(handler: Handler, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  try {
    await handler(request, response, url)
  } catch (error) {
    if (!(error instanceof TypeError) || response.headersSent) throw error
    sendProblem(response, 400, error.message)
  }
}

/** A page of another origin can post to a loopback address; only our own page and clients without an origin may. */
function isForeign({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`
}

async function addScript(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const steps = toList(await readJson(request))
  addSteps(state.script, steps)
  sendJson(response, 200, { scriptLeft: describeState(state).scriptLeft })
}

async function setTokens(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const rules = toList(await readJson(request))
  for (const { token, ...rule } of rules.map(readTokenRule)) state.tokenRules.set(token, rule)
  sendJson(response, 200, { tokenRules: state.tokenRules.size })
}

function readTokenRule(value: unknown, index: number): TokenRule & { token: string } {
  if (!isRecord(value)) throw new TypeError(`[${index}] must be an object`)
  const { token, ticketError, receipt, ...others } = value
  const [other] = Object.keys(others)
  if (other) throw new TypeError(`[${index}].${other} is not a field; there are token, ticketError, receipt`)
  if (!isString(token)) throw new TypeError(`[${index}].token must be a string`)
  if (ticketError !== undefined && !isString(ticketError)) throw new TypeError(`[${index}].ticketError must be a code`)
  if (receipt !== undefined && !isReceiptPlan(receipt))
    throw new TypeError(`[${index}].receipt must be ${RECEIPT_PLANS}`)
  return { token, ...(ticketError && { ticketError }), ...(receipt && { receipt }) }
}

async function moveClock(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const value = await readJson(request)
  const ms = isRecord(value) ? value['advanceMs'] : undefined
  if (!isWhole(ms, 0, MOST_ADVANCE_MS))
    throw new TypeError(`advanceMs must be a whole number from 0 to ${MOST_ADVANCE_MS}`)
  state.advancedMs += ms
  sendJson(response, 200, { time: readTime(state) })
}

async function sendLog(state: State, response: ServerResponse, url: URL): Promise<void> {
  const since = url.searchParams.get('since') ?? '0'
  if (!/^\d{1,15}$/.test(since)) throw new TypeError('since must be a sequence number')
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' })
  let piece = ''
  let lines = 0
  for (const entry of logAfter(state.ledger, Number(since))) {
    piece += JSON.stringify(entry) + '\n'
    if (++lines % LOG_PIECE !== 0) continue
    if (!response.write(piece)) await once(response, 'drain')
    piece = ''
  }
  response.end(piece)
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function answerAfter(response: ServerResponse, action: () => unknown): void {
  action()
  sendJson(response, 200, { ok: true })
}
