import { readRefusal, unanswered } from './refusal.ts'
import type { operations } from './schema.ts'

/** The names of the calls: `listUsers`, `proposeSwap`, … */
type OperationName = keyof operations

type Defined<T> = {
  [Key in keyof T as [T[Key]] extends [never] ? never : T[Key] extends undefined ? never : Key]: T[Key]
}
type Parameters<Name extends OperationName> = operations[Name]['parameters']
type BodyInput<Name extends OperationName> = operations[Name] extends {
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
export type Input<Name extends OperationName> = Defined<Parameters<Name>> & BodyInput<Name> & Options

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

/** A function for each of these calls. */
export type Calls<Name extends OperationName> = { [Each in Name]: Call<Each> }

export type Settings = {
  /** The address of the service, such as `https://api.example.com`. */
  baseUrl: string
  /** Returns the token of the session, at each call; absent or undefined: none is sent. */
  token?: () => string | undefined
  /** Milliseconds until an answer begins; 30,000 when absent. */
  timeoutMs?: number
  /** The `fetch` to use, where it is not the global one. React Native reads streams only with that of `expo/fetch`. */
  fetch?: (url: string, request: Request) => Promise<Response>
}

type Request = { method: string; headers: Record<string, string>; signal: AbortSignal; body?: string }

/** Method and path of each call; `stream` where the answer is a stream of events. */
type Operations = Record<string, readonly [method: string, path: string, kind?: 'stream']>

type AnyInput = {
  path?: Record<string, string | number>
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  header?: Record<string, string | undefined>
  body?: unknown
} & Options

export function createCalls<Name extends OperationName>(operations: Operations, settings: Settings): Calls<Name> {
  const calls = Object.entries(operations).map(([name, [method, path, kind]]) => [
    name,
    async (input: AnyInput = {}) => {
      if (kind === 'stream') expectStreams(settings)
      return ask(settings, { method, url: buildUrl(settings.baseUrl, path, input), input })
    },
  ])
  return Object.fromEntries(calls) as Calls<Name>
}

/** Otherwise a stream would wait for its own end, and then fail by the time limit. */
function expectStreams(settings: Settings): void {
  if (settings.fetch === undefined && !('body' in Response.prototype))
    throw new TypeError('The fetch of this runtime cannot read streams: give createClient the fetch of expo/fetch.')
}

function buildUrl(baseUrl: string, path: string, { path: parts = {}, query = {} }: AnyInput): string {
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

type PreparedCall = { method: string; url: string; input: AnyInput }

async function ask(settings: Settings, { method, url, input }: PreparedCall): Promise<unknown> {
  const { body, signal } = input
  const ending = new AbortController()
  const cancel = () => ending.abort(signal?.reason)
  const timer = setTimeout(() => ending.abort(), settings.timeoutMs ?? 30_000)
  signal?.addEventListener('abort', cancel)
  let isEnded = true
  try {
    if (signal?.aborted) cancel()
    const request = {
      method,
      headers: buildHeaders(settings, input),
      signal: ending.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await (settings.fetch ?? fetch)(url, request)
    const isFile = response.headers.has('Content-Disposition')
    const isJson = !isFile && response.headers.get('Content-Type')?.startsWith('application/json') === true
    if (response.ok && !isJson) {
      // A stream goes on for as long as its reader wants: the signal still ends it, the time limit does not.
      isEnded = false
      return response
    }
    const text = await response.text()
    const json = isJson ? parsed(text) : undefined
    if (response.ok && json !== undefined) return json
    throw readRefusal(response, json)
  } catch (error) {
    if (signal?.aborted) throw unanswered('CANCELLED', error)
    throw unanswered(ending.signal.aborted ? 'TIMED_OUT' : 'UNREACHABLE', error)
  } finally {
    clearTimeout(timer)
    if (isEnded) signal?.removeEventListener('abort', cancel)
  }
}

function buildHeaders({ token }: Settings, { header, body }: AnyInput): Record<string, string> {
  const given = Object.entries(header ?? {}).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const value = token?.()
  return {
    ...(value !== undefined && { Authorization: `Bearer ${value}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...Object.fromEntries(given),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
