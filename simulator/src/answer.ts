import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { refusal, type Refusal } from './refusal.ts'
import type { BodyFault, FaultStep } from './script.ts'
import type { Tickets } from './send.ts'

type Content = { headers: Record<string, string>; body: string | Buffer }

/** What goes back over HTTP. */
export type Answer = Content & { status: number }

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const HTML_TYPE = { 'content-type': 'text/html; charset=UTF-8' }
const HUGE_BYTES = 10 * 1024 * 1024
const BOMB_MEBIBYTES = 64

const DEFAULT_CODES: Record<number, string> = { 400: 'VALIDATION_ERROR', 401: 'UNAUTHORIZED', 429: 'TOO_MANY_REQUESTS' }

/** The answer to a request that was refused as the protocol says. */
export function answerRefusal({ status, body }: Refusal): Answer {
  return { status, headers: JSON_TYPE, body: JSON.stringify(body) }
}

/** The answer with tickets, in the shape of the step. */
export function answerTickets({ tickets, lone }: Tickets, fault: BodyFault): Answer {
  const data = lone || fault === 'object' ? tickets[0] : `[${ticketList(tickets, fault).join(',')}]`
  return { status: 200, headers: JSON_TYPE, body: `{"data":${data}}` }
}

/** The answer with receipts, in the shape of the step. */
export function answerReceipts(receipts: Map<string, string>, fault: BodyFault): Answer {
  const fields = Array.from(receipts, ([id, receipt]) => `${JSON.stringify(id)}:${receipt}`)
  if (fault === 'fewer') fields.pop()
  if (fault === 'more') fields.push(`"${randomUUID()}":{"status":"ok"}`)
  const data = fault === 'object' ? `[${[...receipts.values()].join(',')}]` : `{${fields.join(',')}}`
  return { status: 200, headers: JSON_TYPE, body: `{"data":${data}}` }
}

/**
 * The answer as the step changes it: another status, other headers, a list of errors, a body that is not what it should
 * be.
 */
export function withFault(answer: Answer, step: FaultStep): Answer {
  const changed = step.errors || step.status !== undefined ? failure(answer, step) : answer
  const { headers, body } = corrupt(changed, step.body ?? 'ok')
  return { status: changed.status, headers: { ...headers, ...lowerCased(step.headers ?? {}) }, body }
}

/** The answer of a step that fails the request before anything is accepted. */
export function answerFailure(step: FaultStep): Answer {
  return withFault({ status: 200, headers: JSON_TYPE, body: '{"data":[]}' }, step)
}

function ticketList(tickets: string[], fault: BodyFault): string[] {
  if (fault === 'fewer') return tickets.slice(0, -1)
  if (fault === 'more') return [...tickets, `{"status":"ok","id":"${randomUUID()}"}`]
  if (fault !== 'duplicate-ids') return tickets
  const first = tickets.find(isOk) ?? ''
  return tickets.map((ticket) => (isOk(ticket) ? first : ticket))
}

function isOk(ticket: string): boolean {
  return ticket.startsWith('{"status":"ok"')
}

function failure(answer: Answer, step: FaultStep): Answer {
  const status = step.status ?? 200
  if (step.errors) return { status, headers: JSON_TYPE, body: JSON.stringify({ errors: step.errors }) }
  if (status < 400) return { ...answer, status }
  // A gateway in front of the service answers these itself, in HTML.
  if (status >= 502 && status <= 504) return { status, headers: HTML_TYPE, body: html(status) }
  const code = DEFAULT_CODES[status] ?? 'INTERNAL_SERVER_ERROR'
  return answerRefusal(refusal(status, code, `The simulator was told to answer ${status}`))
}

function corrupt({ headers, body }: Content, fault: BodyFault): Content {
  if (typeof fault === 'object') return { headers: JSON_TYPE, body: JSON.stringify(fault) }
  if (fault === 'html') return { headers: HTML_TYPE, body: html(200) }
  if (fault === 'empty') return { headers, body: '' }
  if (fault === 'garbage') return { headers, body: Buffer.from('00ff1b7b5b2264617461c3283a9d00', 'hex') }
  if (fault === 'truncated') return { headers, body: body.slice(0, Math.floor(body.length / 2)) }
  if (fault === 'huge') return { headers, body: `{"padding":"${'x'.repeat(HUGE_BYTES)}",${body.toString().slice(1)}` }
  if (fault === 'gzip-bomb') return { headers: { ...headers, 'content-encoding': 'gzip' }, body: bomb(body) }
  return { headers, body }
}

/** Blanks that take 64 KB zipped and 64 MB unzipped, then the answer itself. */
function bomb(body: string | Buffer): Buffer {
  const blanks = gzipSync(Buffer.alloc(1024 * 1024, ' '))
  return Buffer.concat([...Array<Buffer>(BOMB_MEBIBYTES).fill(blanks), gzipSync(body)])
}

function html(status: number): string {
  return `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>Error: Server Error</h1><p>Please try again in 30 seconds.</p></body></html>\n`
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
