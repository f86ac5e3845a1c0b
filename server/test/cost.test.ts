// For CI: many costly requests, or long data.
import { describe, expect } from 'vitest'
import { test } from './support/all-routes.ts'
import { costlyRequests, type CostlyRequest } from './support/costly-requests.ts'

const ANSWER_MAX_BYTES = 16 * 1024
const FAILURES_MAX = 20
// What differs from route to route even when nothing is wrong with the request.
const ON_EACH_ROUTE = new Set(['nothing is wrong', 'the largest page'])
const EACH_OF_THE_REST = 5

describe('a request of at most 64 KB', () => {
  // `npm run bench -- cost` measures what each takes of the event loop.
  test(
    'is answered without a fault of the service, whatever it holds, and refused in few bytes, on every route',
    {
      timeout: 1_800_000,
    },
    async ({ service }) => {
      const wrong: string[] = []
      const statuses: Record<number, number> = {}
      for await (const { route, what, send } of sampled(costlyRequests(service))) {
        const { statusCode: status, rawPayload } = await send()
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status >= 500) wrong.push(`${route} answers ${status} when ${what}`)
        // A 412 holds the whole record.
        if (status >= 400 && status !== 412 && rawPayload.length > ANSWER_MAX_BYTES)
          wrong.push(`${route} refuses with ${rawPayload.length} bytes when ${what}`)
        if (wrong.length >= FAILURES_MAX) break
      }
      expect(wrong).toEqual([])
      // They reach the handlers, and each check before them.
      for (const status of [200, 201, 202, 400, 404, 415, 422])
        expect.soft(statuses[status] ?? 0, String(status)).toBeGreaterThan(0)
    },
  )
})

/**
 * A third of them, as a bench sends all: each value once for an input of its name, and on every other route with such
 * an input a fifth of the values, from one route to the next others.
 */
async function* sampled(requests: AsyncIterable<CostlyRequest>): AsyncGenerator<CostlyRequest> {
  const met = new Set<string>()
  let repeated = 0
  for await (const request of requests) {
    const { what } = request
    if (!met.has(what) || ON_EACH_ROUTE.has(what) || repeated++ % EACH_OF_THE_REST === 0) yield request
    met.add(what)
  }
}
