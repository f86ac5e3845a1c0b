import { randomBytes } from 'node:crypto'
import { isRecord, isString } from './json.ts'
import { addId, createSeenIds, type SeenIds } from './seen-ids.ts'
import type { ReceiptPlan } from './tokens.ts'

/** One accepted message, as in the log. */
export type AcceptedMessage = {
  /** 1 for the first accepted message since the start or the last reset. */
  sequence: number
  /** Unix milliseconds. */
  time: number
  /** The number of the send request it came in. */
  request: number
  /** `data.notification_id` as it came, null when there was none. */
  notification_id: string | number | null
  token: string
  collapseId: string | null
  tag: string | null
  ticket: string
}

/** The ticket's fate: where its record lies, and what its receipt will say. */
export type TicketRecord = { sequence: number; time: number; plan: ReceiptPlan }

/** Every accepted message, in columns and text pages outside the heap: about 150 bytes each. */
export type Ledger = {
  ticketPrefix: string
  count: number
  duplicates: number
  requestIds: SeenIds
  times: Float64Array
  requests: Uint32Array
  plans: Uint16Array
  places: Float64Array
  pages: Buffer[]
  pageEnd: number
  planNames: ReceiptPlan[]
}

/** How a page holds a message; 0 says "the same as the notification_id". */
type Stored = [id: string | number | null, token: string, collapseId: string | 0 | null, tag: string | 0 | null]

const PAGE_BYTES = 1 << 20
const FIRST_ROWS = 1024
const PLAIN = /^[ !#-[\]-~]*$/

/** An empty ledger. Its ticket ids begin with 16 random digits, so that no two runs ever give the same id. */
export function createLedger(): Ledger {
  const random = randomBytes(8).toString('hex')
  return {
    ticketPrefix: `${random.slice(0, 8)}-${random.slice(8, 12)}-4${random.slice(12, 15)}-8000-`,
    count: 0,
    duplicates: 0,
    requestIds: createSeenIds(),
    times: new Float64Array(FIRST_ROWS),
    requests: new Uint32Array(FIRST_ROWS),
    plans: new Uint16Array(FIRST_ROWS),
    places: new Float64Array(FIRST_ROWS),
    pages: [],
    pageEnd: PAGE_BYTES,
    planNames: ['ok'],
  }
}

/** Writes one accepted message down and gives its ticket id. */
export function accept(
  ledger: Ledger,
  entry: { time: number; request: number; token: string; fields: Record<string, unknown>; plan: ReceiptPlan },
): string {
  const row = ledger.count
  if (row === ledger.times.length) grow(ledger)
  const id = notificationId(entry.fields)
  ledger.times[row] = entry.time
  ledger.requests[row] = entry.request
  ledger.plans[row] = entry.plan === 'ok' ? 0 : planIndex(ledger, entry.plan)
  ledger.places[row] = store(ledger, record(id, entry.token, entry.fields))
  ledger.count = row + 1
  if (id !== null && addId(ledger.requestIds, String(id), row, (at) => String(stored(ledger, at)[0])))
    ledger.duplicates++
  return ticketId(ledger, ledger.count)
}

/** The accepted messages after sequence `since`, oldest first, each read on demand. */
export function* acceptedAfter(ledger: Ledger, since: number): Generator<AcceptedMessage> {
  for (let sequence = Math.max(0, since) + 1; sequence <= ledger.count; sequence++) yield read(ledger, sequence)
}

/** The fate of a ticket, or undefined for an id that this ledger never gave. */
export function findTicketRecord(ledger: Ledger, ticket: string): TicketRecord | undefined {
  if (ticket.length !== 36 || !ticket.startsWith(ledger.ticketPrefix)) return undefined
  const sequence = parseInt(ticket.slice(24), 16)
  if (!(sequence >= 1 && sequence <= ledger.count) || ticket !== ticketId(ledger, sequence)) return undefined
  const row = sequence - 1
  return { sequence, time: ledger.times[row] ?? 0, plan: ledger.planNames[ledger.plans[row] ?? 0] ?? 'ok' }
}

/** One accepted message by its sequence, which must be in the ledger. */
export function read(ledger: Ledger, sequence: number): AcceptedMessage {
  const row = sequence - 1
  const [id, token, collapseId, tag] = stored(ledger, row)
  return {
    sequence,
    time: ledger.times[row] ?? 0,
    request: ledger.requests[row] ?? 0,
    notification_id: id,
    token,
    collapseId: collapseId === 0 ? String(id) : collapseId,
    tag: tag === 0 ? String(id) : tag,
    ticket: ticketId(ledger, sequence),
  }
}

/** The notification a message says it carries, `data.notification_id`. */
export function notificationId(fields: Record<string, unknown>): string | number | null {
  const id = isRecord(fields['data']) ? fields['data']['notification_id'] : null
  return isString(id) || typeof id === 'number' ? id : null
}

function stored(ledger: Ledger, row: number): Stored {
  const place = ledger.places[row] ?? 0
  const page = ledger.pages[Math.floor(place / PAGE_BYTES)]
  if (!page) throw new RangeError(`The ledger has no row ${row}`)
  const start = (place % PAGE_BYTES) + 4
  return JSON.parse(page.toString('latin1', start, start + page.readUInt32LE(start - 4)))
}

function planIndex(ledger: Ledger, plan: ReceiptPlan): number {
  const known = ledger.planNames.indexOf(plan)
  return known >= 0 ? known : ledger.planNames.push(plan) - 1
}

/** The stored form, JSON in ASCII, so that its length is its bytes. */
function record(id: string | number | null, token: string, { collapseId, tag }: Record<string, unknown>): string {
  return `[${ascii(id)},${ascii(token)},${unlessSame(collapseId, id)},${unlessSame(tag, id)}]`
}

function unlessSame(value: unknown, id: string | number | null): string {
  return value === id && isString(id) ? '0' : ascii(value)
}

function ascii(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (!isString(value)) return 'null'
  if (PLAIN.test(value)) return `"${value}"`
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped)
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function store(ledger: Ledger, text: string): number {
  const bytes = text.length + 4
  if (ledger.pageEnd + bytes > PAGE_BYTES) {
    // A record longer than a page gets a page of its own.
    ledger.pages.push(Buffer.allocUnsafeSlow(Math.max(PAGE_BYTES, bytes)))
    ledger.pageEnd = 0
  }
  const index = ledger.pages.length - 1
  const start = ledger.pageEnd
  const page = ledger.pages[index]
  page?.writeUInt32LE(text.length, start)
  page?.write(text, start + 4, 'latin1')
  ledger.pageEnd += bytes
  return index * PAGE_BYTES + start
}

function ticketId(ledger: Ledger, sequence: number): string {
  return ledger.ticketPrefix + (0x1000000000000 + sequence).toString(16).slice(1)
}

function grow(ledger: Ledger): void {
  const rows = ledger.times.length * 2
  const times = new Float64Array(rows)
  times.set(ledger.times)
  const requests = new Uint32Array(rows)
  requests.set(ledger.requests)
  const plans = new Uint16Array(rows)
  plans.set(ledger.plans)
  const places = new Float64Array(rows)
  places.set(ledger.places)
  Object.assign(ledger, { times, requests, plans, places })
}
