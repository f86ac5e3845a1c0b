import { isRecord, isString, isWhole } from './json.ts'
import { invalid, type Refusal } from './refusal.ts'

/** A message after the check of its fields: its recipients, and the whole as it came, unknown fields included. */
export type Message = { tokens: string[]; fields: Record<string, unknown> }

/** What a send request holds; `lone` = one object to one recipient, which is answered by a ticket without a list. */
export type Mailing = { messages: Message[]; recipients: number; lone: boolean }

type Check = (value: unknown) => string | null

const MAX_PAYLOAD_BYTES = 4096

const text: Check = (value) => (isString(value) ? null : 'must be a string')
const flag: Check = (value) => (typeof value === 'boolean' ? null : 'must be a boolean')
const object: Check = (value) => (isRecord(value) ? null : 'must be an object')
const number: Check = (value) => (typeof value === 'number' ? null : 'must be a number')
const count: Check = (value) => (isWhole(value, 0, Number.MAX_SAFE_INTEGER) ? null : 'must be a whole number')
const sound: Check = (value) => (isString(value) || isRecord(value) ? null : 'must be a string or an object')

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value)

const isAmong =
  (...values: string[]): Check =>
  (value) =>
    isString(value) && values.includes(value) ? null : `must be one of ${values.join(', ')}`

const FIELDS = new Map<string, Check>([
  ['title', orNull(text)],
  ['body', orNull(text)],
  ['subtitle', orNull(text)],
  ['data', orNull(object)],
  ['ttl', orNull(count)],
  ['expiration', orNull(count)],
  ['priority', isAmong('default', 'normal', 'high')],
  ['sound', orNull(sound)],
  ['badge', orNull(count)],
  ['interruptionLevel', isAmong('active', 'critical', 'passive', 'time-sensitive')],
  ['mutableContent', flag],
  ['contentAvailable', flag],
  ['_contentAvailable', flag],
  ['channelId', orNull(text)],
  ['icon', orNull(text)],
  ['richContent', orNull(object)],
  ['categoryId', orNull(text)],
  ['collapseId', orNull(text)],
  ['tag', orNull(text)],
  ['threadId', orNull(text)],
  ['targetContentId', orNull(text)],
  ['relevanceScore', orNull(number)],
  ['filterCriteria', orNull(text)],
])

/**
 * Reads the parsed body of a send: one message or a list of them, each with its fields checked (Expo: message format).
 */
export function readMailing(value: unknown): Mailing | Refusal {
  const isList = Array.isArray(value)
  const list: unknown[] = isList ? value : [value]
  if (list.length === 0) return invalid('"value" must contain at least one message')
  const messages: Message[] = []
  let recipients = 0
  for (const [index, item] of list.entries()) {
    const message = readMessage(item)
    if (isString(message)) return invalid(`"${isList ? `[${index}]` : 'value'}${message}`)
    messages.push(message)
    recipients += message.tokens.length
  }
  return { messages, recipients, lone: isRecord(value) && isString(value['to']) }
}

/** Whether the payload passes 4096 bytes: the UTF-8 JSON of the message without `to` (Expo: MessageTooBig). */
export function isTooBig({ fields }: Message): boolean {
  const { to: _, ...payload } = fields
  try {
    return Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES
  } catch {
    // Nested too deep to be written, which takes far more than 4096 levels.
    return true
  }
}

/** The message, or its error, beginning with the field. */
function readMessage(value: unknown): Message | string {
  if (!isRecord(value)) return '" must be an object'
  const to = value['to']
  if (to === undefined) return '.to" is required'
  const tokens = isString(to) ? [to] : to
  if (!Array.isArray(tokens) || !tokens.every(isString)) return '.to" must be a string or an array of strings'
  if (tokens.length === 0) return '.to" must contain at least one token'
  for (const field in value) {
    const problem = FIELDS.get(field)?.(value[field])
    if (problem) return `.${field}" ${problem}`
  }
  return { tokens, fields: value }
}
