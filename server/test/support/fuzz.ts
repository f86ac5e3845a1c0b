import type { ApiDocument, Operation } from './openapi.ts'
import { toRandom } from './random.ts'

/** A random generator that gives the same numbers for the same seed. */
export type Chance = {
  /** Gives a number from 0 up to, but not including, `n`. */
  below(n: number): number
  pick<T>(values: readonly T[]): T
  /** True in `percent` of 100 cases. */
  in100(percent: number): boolean
}

export function createChance(seed: number): Chance {
  const { next } = toRandom(seed, '')
  return {
    below: (n) => Math.floor(next() * n),
    pick: (values) => values[Math.floor(next() * values.length)]!,
    in100: (percent) => next() * 100 < percent,
  }
}

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
}

/**
 * Values that often break services: ends of ranges, other types, other alphabets, and code in several languages.
 */
const NASTY = [
  ' | 0 | -1 | 1e400 | NaN | null | true | [] | {} | undefined'.split(' | '),
  '99999999999999999999 | 9007199254740993 | 2147483648'.split(' | '),
  '\u0000 | a\u0000b | \ud800 | \ufeff | \u202Eabc | 👩‍👩‍👧‍👦 | ﬀ | İ | ß'.split(' | '),
  `=1+1 | +1 | @SUM(A1) | \t=1 | " | ' | \\ | % | _ | %27`.split(' | '),
  `' or 1=1 -- | '; drop table users; -- | pg_sleep(5) | \${7*7} | {{7*7}}`.split(' | '),
  '<script>alert(1)</script> | ../../etc/passwd | __proto__ | constructor'.split(' | '),
  '2026-02-30 | 2026-13-45 | 9999-12-31 | 0000-00-00 | 275760-09-14'.split(' | '),
  ['a'.repeat(300), 'é'.repeat(3_000), '🙂'.repeat(2_500)],
].flat()
const ODD: unknown[] = [null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 31, 2 ** 53, 2 ** 63, [], {}, [[]], [null]]
const NASTY_VALUES: unknown[] = [
  NASTY,
  ODD,
  { a: { b: { c: {} } } },
  JSON.parse('{"__proto__":{"x":1}}'),
  JSON.parse('{"constructor":{"prototype":{"x":1}}}'),
].flat()

/** Ids that exist, so that a request gets further than "no such record". */
export type Known = { ids: number[]; words: string[] }

/** A value for a schema: mostly one that it accepts, now and then one that nobody expects. */
function valueFor(chance: Chance, schema: Schema, known: Known, depth = 0): unknown {
  if (chance.in100(12)) return chance.pick(NASTY_VALUES)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return chance.pick(schema.enum)
  if (schema.anyOf) return valueFor(chance, chance.pick(schema.anyOf), known, depth + 1)
  const type = [schema.type].flat().find((one) => one !== 'null') ?? 'string'
  switch (type) {
    case 'integer':
    case 'number':
      return numberFor(chance, schema, known)
    case 'boolean':
      return chance.in100(50)
    case 'array':
      return Array.from({ length: (schema.minItems ?? 0) + chance.below(3) }, () =>
        valueFor(chance, schema.items ?? {}, known, depth + 1),
      )
    case 'object':
      return objectFor(chance, schema, known, depth)
    default:
      return textFor(chance, schema, known)
  }
}

function numberFor(chance: Chance, { minimum = 0, maximum = 1_000 }: Schema, { ids }: Known): number {
  const ends = [minimum, maximum, minimum - 1, maximum + 1, minimum + chance.below(50)]
  return chance.in100(60) && ids.length > 0 ? chance.pick(ids) : chance.pick(ends)
}

function textFor(chance: Chance, { format, minLength = 0, maxLength = 40 }: Schema, { words }: Known): string {
  if (format === 'email') return chance.pick(['a@b.c', `x${chance.below(1e6)}@example.com`, 'not an address', 'é@ü.de'])
  if (format === 'date-time') return chance.pick(['2026-03-29T01:30:00Z', '2026-01-01T00:00:00+14:00', 'now'])
  if (chance.in100(10)) return 'x'.repeat(maxLength + 1)
  if (chance.in100(10)) return 'y'.repeat(Math.min(maxLength, 4_000))
  const word = chance.pick(words)
  return word.length < minLength ? word.padEnd(minLength, '-') : word
}

function objectFor(chance: Chance, schema: Schema, known: Known, depth: number): Record<string, unknown> {
  const required = new Set(schema.required)
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => chance.in100(required.has(name) ? 95 : 40))
    .map(([name, inner]) => [name, valueFor(chance, inner, known, depth + 1)])
  if (chance.in100(5)) entries.push([chance.pick(NASTY) || 'unknown', chance.pick(NASTY_VALUES)])
  return Object.fromEntries(entries) as Record<string, unknown>
}

export type FuzzRequest = {
  method: string
  url: string
  /** The address as the document has it. */
  path: string
  payload: string | undefined
  headers: Record<string, string>
}

/** One request to an operation of the document. */
export function requestFor(
  chance: Chance,
  { method, path, operation }: { method: string; path: string; operation: Operation },
  known: Known,
): FuzzRequest {
  const parameters = (operation.parameters ?? []) as { name: string; in: string; required?: boolean; schema?: Schema }[]
  const inPath = (name: string) => toText(valueFor(chance, toSchema(parameters, name), known)) || '0'
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(inPath(name)))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && chance.in100(parameter.required ? 95 : 35))
    .flatMap(({ name, schema = {} }) =>
      Array.from(
        { length: chance.in100(4) ? 2 : 1 },
        () => `${name}=${encode(toText(valueFor(chance, schema, known)))}`,
      ),
    )
  const body = (operation.requestBody as { content?: Record<string, { schema?: Schema }> } | undefined)?.content
  const payload = body && payloadFor(chance, body['application/json']?.schema ?? {}, known)
  return {
    method: method.toUpperCase(),
    url: query.length > 0 ? `${url}?${query.join('&')}` : url,
    path,
    payload,
    headers: headersFor(chance, payload),
  }
}

function payloadFor(chance: Chance, schema: Schema, known: Known): string {
  const text = JSON.stringify(valueFor(chance, schema, known)) ?? ''
  if (chance.in100(2)) return text.slice(0, chance.below(text.length + 1))
  return chance.in100(1) ? '['.repeat(5_000) : text
}

function headersFor(chance: Chance, payload: string | undefined): Record<string, string> {
  return {
    ...(payload !== undefined && { 'content-type': chance.in100(97) ? 'application/json' : 'text/plain' }),
    ...(chance.in100(8) && { 'idempotency-key': chance.pick(['one', 'two', 'k'.repeat(256), '{"a":1}']) }),
    ...(chance.in100(8) && { 'if-match': chance.pick(['"v1"', '*', 'v1', '"v99999999999"', 'W/"v2"']) }),
    ...(chance.in100(5) && { accept: chance.pick(['text/html', '*/*', 'application/xml']) }),
  }
}

function toSchema(parameters: { name: string; schema?: Schema }[], name: string): Schema {
  return parameters.find((parameter) => parameter.name === name)?.schema ?? {}
}

function toText(value: unknown): string {
  // A list of words is one text with commas.
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',')
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Percent-encoded; a lone surrogate, which has no encoding, as the bytes that a careless client sends. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}

/** Every operation of the document, but for those that `except` names. */
export function listOperations(document: ApiDocument, except: string[]) {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => !except.includes(`${method.toUpperCase()} ${path}`))
      .map(([method, operation]) => ({ method, path, operation })),
  )
}
