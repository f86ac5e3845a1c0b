import type { Config } from '../../platform/config/config.ts'

export type BadgeNode = {
  version: number
  total: number
  notifications: number
  chats: Record<string, number>
  updated_at: number
}

/** `newer`: this or a later version is there. `failed`: perhaps not written, to be retried. `etag` null: not known. */
export type Written =
  { kind: 'written' | 'newer'; etag: string | null } | { kind: 'failed'; code: string; retryAfterMs: number }

/** No call rejects because of the database or the network. */
export type RealtimeDatabase = {
  /** Writes a badge unless a later version exists; `etag`: that of the last known version. */
  put(userId: number, node: BadgeNode, etag: string | null): Promise<Written>
  /** False: try again. */
  remove(userId: number): Promise<boolean>
  /** Null: there is none; undefined: the database did not answer. */
  read(userId: number): Promise<BadgeNode | null | undefined>
}

/** `renew` says that the last token was refused. */
export type Tokens = { get(): Promise<string>; renew(): void }

const REQUEST_MS = 10_000
const MOST_REDIRECTS = 3
const MOST_ROUNDS = 5
const NOTHING_THERE = 'null_etag'
const MOST_RETRY_AFTER_S = 300
const HOSTS = /\.(?:firebaseio\.com|firebasedatabase\.app)$/

/** Each badge is one conditional PUT: `if-match` has the last ETag, so a late write never replaces a later version. */
export function createFirebase(databaseUrl: string, tokens: Tokens, requestMs = REQUEST_MS): RealtimeDatabase {
  const ask = (userId: number, init: Init) =>
    request(toAddress(databaseUrl, userId), tokens, { ...init, signal: AbortSignal.timeout(requestMs) })

  const put = async (userId: number, node: BadgeNode, etag: string | null): Promise<Written> => {
    let expected = etag ?? NOTHING_THERE
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const headers = { 'if-match': expected, 'content-type': 'application/json' }
      const answer = await ask(userId, { method: 'PUT', headers, body: JSON.stringify(node) })
      const found = answer.headers.get('etag')
      if (answer.ok) {
        await answer.body?.cancel()
        return { kind: 'written', etag: found }
      }
      if (answer.status !== 412) {
        await answer.body?.cancel()
        return { kind: 'failed', code: `HTTP ${answer.status}`, retryAfterMs: retryAfterMs(answer) }
      }
      if (readVersion(await answer.json()) >= node.version) return { kind: 'newer', etag: found }
      if (found === null) break
      expected = found
    }
    return { kind: 'failed', code: 'contended', retryAfterMs: 0 }
  }

  return {
    put: (userId, node, etag) =>
      put(userId, node, etag).catch((error: unknown) => ({ kind: 'failed', code: toCode(error), retryAfterMs: 0 })),
    remove: async (userId) => {
      try {
        const answer = await ask(userId, { method: 'DELETE' })
        await answer.body?.cancel()
        return answer.ok
      } catch {
        return false
      }
    },
    read: async (userId) => {
      try {
        const answer = await ask(userId, { method: 'GET' })
        if (answer.ok) return (await answer.json()) as BadgeNode | null
        await answer.body?.cancel()
        return undefined
      } catch {
        return undefined
      }
    },
  }
}

/** Keeps a query: Firebase names a database of an emulator so (`?ns=my-app`). */
function toAddress(databaseUrl: string, userId: number): string {
  const url = new URL(databaseUrl)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/badges/u${userId}.json`
  return url.href
}

/** Undefined when none is set. A plain-HTTP address is an emulator, which takes the token `owner`. */
export function openRealtimeDatabase(config: Config): RealtimeDatabase | undefined {
  const url = config.FIREBASE_DATABASE_URL
  if (url === '') return undefined
  const ofEmulator: Tokens = { get: () => Promise.resolve('owner'), renew: () => undefined }
  return createFirebase(url, url.startsWith('http:') ? ofEmulator : createGoogleTokens(config))
}

type Init = { method: string; headers?: Record<string, string>; body?: string }

/** Follows redirects; renews a refused token once. */
async function request(url: string, tokens: Tokens, init: Init & { signal: AbortSignal }): Promise<Response> {
  const send = async () => {
    const authorization = `Bearer ${await within(init.signal, tokens.get())}`
    let at = new URL(url)
    for (let redirects = 0; ; redirects++) {
      const headers = { 'x-firebase-etag': 'true', ...init.headers, authorization }
      const answer = await fetch(at, { ...init, headers, redirect: 'manual' })
      const location = answer.headers.get('location')
      if (answer.status < 300 || answer.status >= 400 || location === null) return answer
      await answer.body?.cancel()
      const next = new URL(location, at)
      if (redirects === MOST_REDIRECTS || !mayFollow(at, next)) throw new Error('refused a redirect')
      at = next
    }
  }
  const answer = await send()
  if (answer.status !== 401) return answer
  await answer.body?.cancel()
  tokens.renew()
  return send()
}

/** Google's library asks for a token several times, each time for minutes, which the loop that waits has not. */
async function within<T>(signal: AbortSignal, asked: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  if (signal.aborted) reject(signal.reason as Error)
  signal.addEventListener('abort', () => reject(signal.reason as Error))
  return Promise.race([asked, promise])
}

/** Sends the token only to hosts of Firebase; for an emulator only to its own host. */
function mayFollow(from: URL, to: URL): boolean {
  return to.protocol === 'https:' ? HOSTS.test(to.hostname) : from.protocol === 'http:' && to.hostname === from.hostname
}

function readVersion(node: unknown): number {
  const version = typeof node === 'object' && node !== null ? (node as { version?: unknown }).version : undefined
  return typeof version === 'number' ? version : -1
}

function retryAfterMs({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MOST_RETRY_AFTER_S) * 1_000 : 0
}

/** The log never has an address or a token. */
function toCode(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } }
  return cause?.code ?? name ?? 'unknown'
}

const SCOPES = ['https://www.googleapis.com/auth/firebase.database', 'https://www.googleapis.com/auth/userinfo.email']

function createGoogleTokens(config: Config): Tokens {
  const open = async () => {
    const { JWT } = await import('google-auth-library')
    const account = config.FIREBASE_SERVICE_ACCOUNT
    if (account.startsWith('/')) return new JWT({ scopes: SCOPES, keyFile: account })
    const jwt = new JWT({ scopes: SCOPES })
    jwt.fromJSON(JSON.parse(account) as Parameters<typeof jwt.fromJSON>[0])
    return jwt
  }
  const opened: { jwt?: ReturnType<typeof open> | undefined } = {}
  return {
    get: async () => {
      const { token } = await (await (opened.jwt ??= open())).getAccessToken()
      if (!token) throw new Error('no access token')
      return token
    },
    renew: () => (opened.jwt = undefined),
  }
}
