import { OPERATIONS } from './operations.ts'
import { refusalOf } from './refusal.ts'
import type { operations } from './schema.ts'

/** The names of the calls: `listUsers`, `proposeSwap`, … */
export type OperationName = keyof operations

type Defined<T> = {
  [Key in keyof T as [T[Key]] extends [never] ? never : T[Key] extends undefined ? never : Key]: T[Key]
}
type Parameters<Name extends OperationName> = operations[Name]['parameters']
type BodyOf<Name extends OperationName> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? { body: Body }
  : operations[Name] extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : object

type Options = {
  /** Ends the call before its time limit. */
  signal?: AbortSignal
}

/** What a call takes: the parts of its address, its query parameters, headers such as `If-Match`, and its body. */
export type Input<Name extends OperationName> = Defined<Parameters<Name>> & BodyOf<Name> & Options

type Contents<Name extends OperationName> = {
  [Status in keyof operations[Name]['responses'] & (200 | 201 | 202)]: operations[Name]['responses'][Status] extends {
    content: infer Content
  }
    ? Content
    : never
}[keyof operations[Name]['responses'] & (200 | 201 | 202)]

/** What a call gives: the JSON of its answer; a stream or a file comes as the `Response` itself. */
export type Answer<Name extends OperationName> =
  | (Contents<Name> extends { 'application/json': infer Json } ? (unknown extends Json ? never : Json) : never)
  | (Exclude<keyof Contents<Name>, 'application/json'> extends never ? never : Response)

type Call<Name extends OperationName> =
  object extends Input<Name>
    ? (input?: Input<Name>) => Promise<Answer<Name>>
    : (input: Input<Name>) => Promise<Answer<Name>>

/** A function for each call of the API. */
export type Swapbell = { [Name in OperationName]: Call<Name> }

export type Settings = {
  /** The address of the service, such as `https://api.example.com`. */
  baseUrl: string
  /** Returns the token of the session, at each call; absent or undefined: none is sent. */
  token?: () => string | undefined
  /** Milliseconds until an answer begins; 30,000 when absent. */
  timeoutMs?: number
  fetch?: typeof fetch
}

type AnyInput = {
  path?: Record<string, string | number>
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  header?: Record<string, string | undefined>
  body?: unknown
} & Options

/**
 * A client. Each call resolves with the answer of a success, and rejects with a `Refusal` on any other answer and when
 * the service cannot be reached.
 */
export function createClient(settings: Settings): Swapbell {
  const calls = Object.entries(OPERATIONS).map(([name, [method, path]]) => [
    name,
    async (input: AnyInput = {}) => ask(settings, { method, url: urlOf(settings.baseUrl, path, input), input }),
  ])
  return Object.fromEntries(calls) as Swapbell
}

function urlOf(baseUrl: string, path: string, { path: parts = {}, query = {} }: AnyInput): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = String(parts[name] ?? '')
    // An empty part would be another address, and `..` would be resolved by whatever reads the URL.
    if (part === '' || part === '.' || part === '..') throw new TypeError(`The path needs ${name}.`)
    return encodeURIComponent(part)
  })
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  // A list becomes one text with commas.
  const text = pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&')
  return `${baseUrl.replace(/\/$/, '')}${address}${text && '?'}${text}`
}

type Asked = { method: string; url: string; input: AnyInput }

async function ask(settings: Settings, { method, url, input: { header, body, signal } }: Asked): Promise<unknown> {
  const token = settings.token?.()
  const headers = new Headers()
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  for (const [name, value] of Object.entries(header ?? {})) if (value !== undefined) headers.set(name, value)

  const ending = new AbortController()
  const end = () => ending.abort(signal?.reason)
  const timer = setTimeout(() => ending.abort(new Error('No answer came in time.')), settings.timeoutMs ?? 30_000)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  let isOver = true
  try {
    const request = {
      method,
      headers,
      signal: ending.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await (settings.fetch ?? fetch)(url, request)
    const isFile = response.headers.has('Content-Disposition')
    const isJson = !isFile && response.headers.get('Content-Type')?.startsWith('application/json') === true
    if (response.ok && !isJson) {
      // A stream goes on for as long as its reader wants: the signal still ends it, the time limit does not.
      isOver = false
      return response
    }
    const json: unknown = isJson ? await response.json() : undefined
    if (response.ok) return json
    throw refusalOf(response, json)
  } catch (error) {
    throw refusalOf(undefined, error)
  } finally {
    clearTimeout(timer)
    if (isOver) signal?.removeEventListener('abort', end)
  }
}
