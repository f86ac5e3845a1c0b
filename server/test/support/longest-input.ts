import type { Call } from './calls.ts'
import type { Operation } from './openapi.ts'

/** A valid call with some of its fields as long as the schema admits. */
export type LongCall = { what: string; url: string; payload: Record<string, unknown> | undefined }

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  maximum?: number
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
}
type Parameter = { name: string; in: string; schema?: Schema }

// Node reads a head of 16 KB, and the service a body of 64 KB.
const QUERY_BYTES = 12_000
const BODY_BYTES = 60_000
const DECADE_MS = 3_652 * 86_400_000
const LONGEST_ZONE = 'America/Argentina/ComodRivadavia'

/** The call as it is, and with each of its fields at its longest: not all are legal, for patterns are not read. */
export function longCalls(operation: Operation, call: Call, now: number): LongCall[] {
  const parameters: Parameter[] = operation.parameters ?? []
  const query = parameters.filter((one) => one.in === 'query')
  const content: Schema | undefined = operation.requestBody?.content['application/json']?.schema
  const range = query.some(({ name }) => name === 'start_date') ? decadeBefore(now) : {}
  return [
    longCall(call, 'as it is', {}),
    ...query.flatMap(({ name, schema = {} }) =>
      (schema.enum ?? [longest(schema, QUERY_BYTES)]).map((value) =>
        longCall(call, name, { query: { ...range, [name]: toText(value) } }),
      ),
    ),
    ...Object.entries(content?.properties ?? {}).map(([name, schema]) =>
      longCall(call, name, { body: { [name]: longest(schema, BODY_BYTES) } }),
    ),
  ]
}

/** One call with the longest input of each of several calls. */
export function together(call: Call, parts: LongCall[]): LongCall {
  const query = Object.assign({}, ...parts.map(({ url }) => toQuery(url))) as Record<string, string>
  const body = Object.assign({}, ...parts.map(({ payload }) => payload)) as Record<string, unknown>
  return longCall(call, 'all together', { query, body })
}

export function measureLength({ url, payload }: LongCall): number {
  return url.length + (payload ? JSON.stringify(payload).length : 0)
}

function longCall(
  { url, payload }: Call,
  what: string,
  { query = {}, body = {} }: { query?: Record<string, string>; body?: Record<string, unknown> },
): LongCall {
  const [address = ''] = url.split('?')
  const search = new URLSearchParams({ ...toQuery(url), ...query }).toString()
  const hasBody = payload !== undefined || Object.keys(body).length > 0
  return {
    what,
    url: search ? `${address}?${search}` : address,
    payload: hasBody ? { ...payload, ...body } : undefined,
  }
}

function decadeBefore(now: number): Record<string, string> {
  return { start_date: toDay(now - DECADE_MS), end_date: toDay(now), timezone: LONGEST_ZONE }
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function toQuery(url: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?')[1]))
}

/** The longest value of a schema that fits into `room` bytes of JSON. */
function longest(schema: Schema, room: number): unknown {
  const { enum: words, anyOf, maximum = 2_147_483_647, properties = {} } = schema
  if (words) return words.toSorted((a, b) => toText(b).length - toText(a).length)[0]
  if (anyOf) return longest(anyOf.find(({ type }) => type !== 'null') ?? {}, room)
  const type = [schema.type].flat().find((one) => one !== 'null')
  if (type === 'array') return longList(schema, room)
  if (type === 'integer' || type === 'number') return maximum
  if (type === 'boolean') return true
  if (type !== 'object') return 'a'.repeat(Math.min(schema.maxLength ?? room, room))
  const each = room / Math.max(1, Object.keys(properties).length)
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, longest(inner, each)]))
}

/** The entries differ where they are numbers, texts or words. */
function longList({ items = {}, maxItems = 30_000 }: Schema, room: number): unknown[] {
  if (items.enum) return items.enum.slice(0, maxItems)
  const isText = [items.type].flat().includes('string')
  const entry = (n: number) => {
    if ([items.type].flat().includes('integer')) return 2_147_483_647 - n
    return isText ? `https://a.example/${n}`.padEnd(Math.min(items.maxLength ?? 500, 500), 'a') : longest(items, 500)
  }
  const fitting = Math.floor(room / (toText(entry(0)).length + 3))
  return Array.from({ length: Math.min(maxItems, fitting) }, (_, n) => entry(n))
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
