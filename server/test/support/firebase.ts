import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRealtimeDatabase, type RealtimeDatabase } from '../../src/push/badges/firebase.ts'
import { must } from '../../src/platform/shared/must.ts'
import { startService, type Service } from './service.ts'

/** What happens to a request instead of its answer: before or after the write was made. */
type FirebaseFault = { status: number; retryAfter?: number } | 'cut before' | 'cut after' | { delayMs: number }

/** A stand-in for the Firebase Realtime Database that speaks its REST protocol. */
export type Firebase = {
  url: string
  /** The value at a path such as `badges/u7`; null when there is none. */
  at(path: string): unknown
  set(path: string, value: unknown): void
  /** Every value that a path has had, oldest first. */
  history(path: string): unknown[]
  /** Tokens that it takes. */
  tokens: Set<string>
  /** Asked for each request. */
  fault: (method: string, path: string) => FirebaseFault | undefined
  /** Answers 307 to here, once for each request; the address of the same stand-in under another port. */
  redirectTo: string | undefined
  requests(): number
  close(): Promise<void>
}

/**
 * Starts it: `.json` addresses, Bearer tokens (401), ETags on request (`X-Firebase-ETag`; nothing is `null_etag`),
 * `if-match` on PUT and DELETE (412 with the present value and ETag; 400 on PATCH), PATCH of several paths, `shallow`,
 * nulls and empty objects that vanish, redirects. `?ns=` names a database, whose paths are `my-app:badges/u7`.
 */
export async function startFirebase(): Promise<Firebase> {
  const values = new Map<string, unknown>()
  const histories = new Map<string, unknown[]>()
  const set = (path: string, value: unknown) => {
    const kept = prune(value)
    if (kept === null) values.delete(path)
    else values.set(path, kept)
    histories.set(path, [...(histories.get(path) ?? []), kept])
  }
  let requests = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    requests++
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const database = url.searchParams.get('ns')
    const path = `${database === null ? '' : `${database}:`}${url.pathname.replace(/^\/|\.json$/g, '')}`
    const method = request.method ?? 'GET'
    const body = await readText(request)
    if (firebase.redirectTo !== undefined && request.headers.host !== new URL(firebase.redirectTo).host)
      return response.writeHead(307, { location: `${firebase.redirectTo}${request.url}` }).end()
    const fault = firebase.fault(method, path)
    if (fault === 'cut before') return request.socket.destroy()
    if (typeof fault === 'object' && 'status' in fault)
      return response
        .writeHead(fault.status, fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) })
        .end('{"error":"a fault"}')
    if (typeof fault === 'object') await sleep(fault.delayMs)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!firebase.tokens.has(token)) return response.writeHead(401).end('{"error":"Unauthorized request."}')
    if (!url.pathname.endsWith('.json')) return response.writeHead(404).end()
    const { status, value } = apply(method, path, body, request.headers['if-match'])
    if (fault === 'cut after') return request.socket.destroy()
    const etag = request.headers['x-firebase-etag'] === 'true' ? { etag: toEtag(at(path)) } : {}
    const shallow = url.searchParams.get('shallow') === 'true' && typeof value === 'object' && value !== null
    const visible = shallow ? Object.fromEntries(Object.keys(value).map((key) => [key, true])) : value
    return response.writeHead(status, { 'content-type': 'application/json', ...etag }).end(JSON.stringify(visible))
  }

  const apply = (method: string, path: string, body: string, expected: string | undefined) => {
    const value: unknown = body === '' ? null : JSON.parse(body)
    if (method === 'GET') return { status: 200, value: at(path) }
    if (method === 'PATCH') {
      if (expected !== undefined) return { status: 400, value: { error: 'etag not supported' } }
      for (const [key, part] of Object.entries(value as object)) set(`${path === '' ? '' : `${path}/`}${key}`, part)
      return { status: 200, value }
    }
    if (expected !== undefined && expected !== toEtag(at(path))) return { status: 412, value: at(path) }
    set(path, method === 'DELETE' ? null : value)
    return { status: 200, value: method === 'DELETE' ? null : value }
  }

  /** Nodes are kept where they were written; above them, they are put together. */
  const at = (path: string): unknown => {
    if (values.has(path)) return values.get(path)
    const below = [...values].filter(([key]) => key.startsWith(`${path}/`))
    return below.length === 0
      ? null
      : Object.fromEntries(below.map(([key, value]) => [key.slice(path.length + 1), value]))
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const firebase: Firebase = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at,
    set,
    history: (path) => histories.get(path) ?? [],
    tokens: new Set(['owner']),
    fault: () => undefined,
    redirectTo: undefined,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return firebase
}

function toEtag(value: unknown): string {
  return value === null ? 'null_etag' : createHash('sha1').update(JSON.stringify(value)).digest('base64')
}

/** Firebase stores neither null nor an empty object. */
function prune(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([key, part]) => {
    const pruned = prune(part)
    return pruned === null ? [] : [[key, pruned] as const]
  })
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** A service whose badges are written to a stand-in Firebase, and the client that writes them. */
export type BadgeWorld = {
  firebase: Firebase
  service: Service
  database: RealtimeDatabase
  close: () => Promise<void>
}

export async function startBadgeWorld(): Promise<BadgeWorld> {
  const firebase = await startFirebase()
  const service = await startService({ FIREBASE_DATABASE_URL: firebase.url })
  const database = must(openRealtimeDatabase(service.deps.config), 'realtime database of the settings')
  const close = async () => {
    await service.close()
    await firebase.close()
  }
  return { firebase, service, database, close }
}
