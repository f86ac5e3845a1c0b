// Slow: many costly requests, or long data.
import { describe, expect } from 'vitest'
import type { Access } from '../src/platform/http/routes.ts'
import { test } from './support/all-routes.ts'
import { callsOf, givenWorld, type Call, type World } from './support/calls.ts'
import { crowd } from './support/crowded.ts'
import { hostileRequestsOf, type HostileRequest } from './support/hostile.ts'
import { documentOf, operationOf } from './support/openapi.ts'
import type { Service } from './support/service.ts'

/** No request of at most 64 KB may take more of the event loop than this. */
const COST_MAX_MS = 25
// The least of these counts: compilation, garbage collection and neighbours only ever add.
const TRIES = 12
const HOPELESS_MS = 1_000
const ANSWER_MAX_BYTES = 16 * 1024
const FAILURES_MAX = 5

describe('a request of at most 64 KB', () => {
  test(
    `takes ${COST_MAX_MS} ms of the event loop at most, whatever it holds, on every route`,
    { timeout: 900_000 },
    async ({ service }) => {
      const document = await documentOf(service.app)
      const world = await givenWorld(service)
      const calls = callsOf(world)
      await crowd(service, world.owner.userId)
      const wrong: string[] = []
      const statuses: Record<number, number> = {}
      for (const { method, url, access } of service.routes.filter((route) => route.url.startsWith('/api/'))) {
        const name = `${method} ${url}`
        const call = calls[name]!
        const failuresBefore = wrong.length
        const signIn = sessionFor(service, access, world)
        for (const request of hostileRequestsOf(operationOf(document, method, url)!, documented(url), call)) {
          const { ms, status, bytes } = await leastCostOf(service, call, request, await signIn())
          // It has ended the session, or shown none.
          if (status === 401 || url.endsWith('/logout')) signIn.again()
          statuses[status] = (statuses[status] ?? 0) + 1
          if (ms > COST_MAX_MS) wrong.push(`${name} takes ${ms.toFixed(1)} ms when ${request.what}`)
          if (status >= 500) wrong.push(`${name} answers ${status} when ${request.what}`)
          // A 412 holds the whole record.
          if (status >= 400 && status !== 412 && bytes > ANSWER_MAX_BYTES)
            wrong.push(`${name} refuses with ${bytes} bytes when ${request.what}`)
          if (wrong.length - failuresBefore >= FAILURES_MAX) break
        }
      }
      expect(wrong).toEqual([])
      // They reach the handlers, and each check before them.
      for (const status of [200, 201, 202, 400, 404, 415, 422])
        expect.soft(statuses[status] ?? 0, String(status)).toBeGreaterThan(0)
    },
  )
})

/** The address as the OpenAPI document has it. */
function documented(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}

/** The headers of whoever may call, in one session until `again`. */
function sessionFor({ deps }: Service, access: Access, { owner, admin }: World) {
  let headers: Promise<Record<string, string>> | undefined
  const open = async () => {
    if (access === 'public') return {}
    const caller =
      access === 'user'
        ? { userId: owner.userId, role: 'user' as const }
        : { userId: admin.userId, role: 'admin' as const }
    return { authorization: `Bearer ${(await deps.sessions.open(caller)).token}` }
  }
  return Object.assign(() => (headers ??= open()), { again: () => (headers = undefined) })
}

/**
 * What a request takes of the event loop, in milliseconds: CPU of its thread, so that it holds on a busy machine, or
 * the time that passed, when that is less (the CPU of a thread is known to some milliseconds only).
 */
async function leastCostOf({ app }: Service, call: Call, request: HostileRequest, headers: Record<string, string>) {
  let least = { ms: Infinity, status: 0, bytes: 0 }
  for (let tries = 0; tries < TRIES && least.ms > COST_MAX_MS; tries++) {
    const startedAt = performance.now()
    const before = process.threadCpuUsage()
    const answer = await app.inject({
      method: call.method,
      url: request.url,
      headers: { ...headers, ...request.headers },
      ...(request.payload !== undefined && { payload: request.payload }),
    })
    const { user, system } = process.threadCpuUsage(before)
    const took = performance.now() - startedAt
    const ms = Math.min(least.ms, took, (user + system) / 1_000)
    // The answer of the first try: a repetition may find that the work is done.
    least = tries === 0 ? { ms, status: answer.statusCode, bytes: answer.rawPayload.length } : { ...least, ms }
    if (ms > HOPELESS_MS) break
  }
  return least
}
