import type { Call } from './calls.ts'
import {
  BODY_BYTES,
  FILLINGS,
  listFillings,
  hostileTexts,
  nearMisses,
  type Named,
  type Schema,
} from './hostile-values.ts'
import type { Operation } from './openapi.ts'

/** A request that is made to cost as much as it can; `what` says how. */
export type HostileRequest = {
  what: string
  url: string
  payload: string | undefined
  headers: Record<string, string>
}

type Parameter = { name: string; in: string; schema?: Schema }

// Node refuses a head (request line and headers) of 16 KB; what inject passes on must not be larger.
const HEAD_BYTES = 15_000
// The router's maxParamLength.
const PATH_PARAMETER_MAX = 128

/** The worst requests to an operation, each the valid `call` with one thing changed. */
export function listHostileRequests(operation: Operation, path: string, call: Call): HostileRequest[] {
  const parameters = (operation.parameters ?? []) as Parameter[]
  return [
    request(call, 'nothing is wrong', {}),
    ...inPath(path, parameters, call),
    ...inQuery(parameters, call),
    ...inBody(operation, call),
    ...inHeaders(call),
  ]
}

function inPath(path: string, parameters: Parameter[], call: Call): HostileRequest[] {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  return names.flatMap((name) =>
    hostileTexts(PATH_PARAMETER_MAX).map(([what, text]) => {
      const at = path.split('/').indexOf(`{${name}}`)
      const [address = '', query] = call.url.split('?')
      const parts = address.split('/').map((part, index) => (index === at ? encodeURIComponent(text) : part))
      return request(call, `${name} = ${what}`, { url: parts.join('/') + (query === undefined ? '' : `?${query}`) })
    }),
  )
}

function inQuery(parameters: Parameter[], call: Call): HostileRequest[] {
  const known = parameters.filter((parameter) => parameter.in === 'query')
  const changed = known.flatMap(({ name, schema }) =>
    queryValuesFor(schema ?? {}).map(([what, value]) =>
      request(call, `${name} = ${what}`, withQuery(call, name, value)),
    ),
  )
  const repeated = known.map(({ name }) =>
    request(call, `${name} again and again`, appended(call, fillHead(`${name}=1&`))),
  )
  const crowds = CROWDS.map(([what, query]) => request(call, what, appended(call, query)))
  const largest = known.some(({ name }) => name === 'per_page')
    ? [request(call, 'the largest page', withQuery(call, 'per_page', '100'))]
    : []
  return [...largest, ...changed, ...repeated, ...crowds, ...farRanges(known, call)]
}

function queryValuesFor(schema: Schema): Named[] {
  const lengths = [...new Set([Math.min(schema.maxLength ?? HEAD_BYTES, HEAD_BYTES), HEAD_BYTES])]
  const texts = lengths.flatMap((length) => [...hostileTexts(length), ...nearMisses(length)])
  const numbers = ['9007199254740991', '-9007199254740991', '9'.repeat(HEAD_BYTES), '1e999', '0.1']
  const lists = (schema.enum ?? []).slice(0, 1).map((word) => fillHead(`${word as string},`))
  return [...texts, ...[...numbers, ...lists].map((text): Named => [`${text.slice(0, 20)}…`, text])]
}

/** The longest ranges, in the costliest zones, cut into the smallest pieces. */
function farRanges(known: Parameter[], call: Call): HostileRequest[] {
  const names = new Set(known.map(({ name }) => name))
  if (!names.has('start_date')) return []
  const ranges = [
    ['0001-01-01', '9999-12-31'],
    ['1970-01-01', '2999-12-31'],
    ['2025-01-01', '2026-02-04'],
    ['2016-01-02', '2026-01-01'],
    ['2022-12-29', '2026-01-01'],
    ['2025-12-01', '2025-12-31'],
    ['-271821-04-20', '+275760-09-13'],
    ['2026-03-29T02:30:00.123456+23:59', '9999-12-31T23:59:59.999999-23:59'],
  ]
  const [address = ''] = call.url.split('?')
  return ranges.flatMap(([start_date = '', end_date = '']) =>
    ['UTC', 'America/Port-au-Prince', 'Africa/Casablanca', 'Antarctica/Troll'].flatMap((timezone) =>
      toWords(known, 'interval').flatMap((interval) =>
        toWords(known, 'compare').map((compare) => {
          const values = Object.entries({ start_date, end_date, timezone, ...interval, ...compare })
          const query = new URLSearchParams(values.filter(([name]) => names.has(name))).toString()
          return request(call, query, { url: `${address}?${query}` })
        }),
      ),
    ),
  )
}

/** The words that a parameter takes, each as a query of its own; one empty query when there is no such parameter. */
function toWords(known: Parameter[], name: string): Record<string, string>[] {
  const words = known.find((parameter) => parameter.name === name)?.schema?.enum as string[] | undefined
  return words?.map((word) => ({ [name]: word })) ?? [{}]
}

function withQuery(call: Call, name: string, value: string): { url: string } {
  const [address = '', query = ''] = call.url.split('?')
  const others = query.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`))
  const budget = HEAD_BYTES - others.join('&').length - name.length
  const pair = `${name}=${cut(encodeURIComponent(value), budget)}`
  return { url: `${address}?${[...others, pair].join('&')}` }
}

function appended(call: Call, query: string): { url: string } {
  const glue = call.url.includes('?') ? '&' : '?'
  return { url: call.url + glue + cut(query, HEAD_BYTES) }
}

/** Gives at most `bytes` of percent-encoded text, with no escape cut in two; the wrong end of a near miss stays. */
function cut(encoded: string, bytes: number): string {
  if (encoded.length <= bytes) return encoded
  const head = encoded.slice(0, bytes - 1).replace(/(?:%[\dA-Fa-f]{0,2})*$/, '')
  return head + encoded.slice(-1)
}

function inBody(operation: Operation, call: Call): HostileRequest[] {
  const content = (operation.requestBody as { content?: Record<string, { schema?: Schema }> } | undefined)?.content
  if (call.method === 'GET' || call.method === 'HEAD') return []
  const schema = content?.['application/json']?.schema ?? {}
  const body = call.payload ?? {}
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    listFillings(inner).map(([what, text], index) =>
      request(call, `${name} = ${what}`, {
        payload: spliced({ ...body, [name]: undefined }, name, text),
        headers: { 'idempotency-key': `${name} ${index}` },
      }),
    ),
  )
  const bodies = FILLINGS.map(([what, text]) =>
    request(call, `the body is ${what}`, { payload: text.slice(0, BODY_BYTES) }),
  )
  const unknown = FILLINGS.map(([what, text]) =>
    request(call, `an unknown field is ${what}`, { payload: spliced(body, 'x', text) }),
  )
  const long = 'k'.repeat(60_000)
  return [
    ...fields,
    ...bodies,
    ...unknown,
    request(call, 'a field with a long name', { payload: JSON.stringify({ ...body, [long]: 1 }) }),
    request(call, 'long names, nested', { payload: `{"${'k'.repeat(2_000)}":`.repeat(28) + '1e999' + '}'.repeat(28) }),
    request(call, 'blanks around it', { payload: ' '.repeat(60_000) + JSON.stringify(body) }),
  ]
}

function inHeaders(call: Call): HostileRequest[] {
  return [
    ...LONG_HEADERS.map(([name, value]) =>
      request(call, `${name}: ${value.slice(0, 20)}…`, { headers: { [name]: value } }),
    ),
    request(call, 'more than a thousand headers', { headers: MANY_HEADERS }),
  ]
}

function longHeaders(name: string, units: string[]): [name: string, value: string][] {
  return units.map((unit) => [name, fillHead(unit).slice(0, HEAD_BYTES)])
}

/** Makes a text a little longer than a head may be. */
function fillHead(unit: string): string {
  return unit.repeat(Math.ceil(HEAD_BYTES / unit.length) + 1)
}

function request(call: Call, what: string, changes: Partial<HostileRequest>): HostileRequest {
  const payload = call.payload === undefined ? undefined : JSON.stringify(call.payload)
  const changed = { what, url: call.url, payload, headers: {}, ...changes }
  const type = changed.payload === undefined ? {} : { 'content-type': 'application/json' }
  return { ...changed, headers: { ...type, ...changed.headers } }
}

/** The object as JSON, with one more field whose value is JSON text already. */
function spliced(body: Record<string, unknown>, name: string, json: string): string {
  const text = JSON.stringify({ ...body, [name]: 'HERE' })
  const room = BODY_BYTES - text.length
  return text.replace('"HERE"', () => (json.length <= room ? json : json.slice(0, room)))
}

// They are made once, because each route gets them.
const CROWDS: Named[] = [
  ['thousands of parameters', Array.from({ length: 3_000 }, (_, n) => `a${n}=`).join('&')],
  ['one unknown parameter again and again', fillHead('a=&')],
  ['an empty query of separators', '&'.repeat(HEAD_BYTES)],
  ['a long name', 'a'.repeat(HEAD_BYTES)],
  ['a name of escapes', fillHead('%41')],
  ['broken escapes', '%'.repeat(HEAD_BYTES)],
  ['escapes that are no text', fillHead('a=%ff')],
  ['names of prototypes', fillHead('__proto__[a]=1&constructor=1&')],
  ['brackets', `a${fillHead('[a]')}=1`],
].map(([what = '', query = '']) => [what, cut(query, HEAD_BYTES)])

const LONG_HEADERS = [
  ...longHeaders('x-request-id', ['a', '-.', 'a!']),
  ...longHeaders('if-match', ['"v1", ', '"', 'W/', '"v1"', ',', ' ']),
  ...longHeaders('idempotency-key', ['k']),
  ...longHeaders('authorization', ['Bearer ', 'Bearer a.', 'a.a.', 'Bearer a.b.c ', 'B']),
  ...longHeaders('x-forwarded-for', ['1.1.1.1, ', '::', ':1', ',', 'f:']),
  ...longHeaders('accept', ['a/b, ', 'a/b;q=0.1,', ';']),
  ...longHeaders('accept-encoding', ['gzip,', 'gzip;q=0.1,']),
  ...longHeaders('content-type', ['application/json; ', 'application/json;a=b', 'application/', ';', 'a/b;a="']),
  ...longHeaders('cookie', ['a=b; ', ';']),
  ...longHeaders('origin', ['https://a', 'a']),
  ...longHeaders('user-agent', ['a', ' ', '(']),
  ...longHeaders('host', ['a', 'a.', ':']),
  ...longHeaders('access-control-request-headers', ['a,', ' ,']),
]
const MANY_HEADERS = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`a${n}`, '1']))
