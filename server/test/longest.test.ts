// For CI: every route over a connection, with its longest input.
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { WAITING_MAX } from '../src/platform/server/turns.ts'
import { test } from './support/all-routes.ts'
import { sendAtOnce } from './support/answers-on-socket.ts'
import { crowdedRoutes, type CrowdedRoute } from './support/costly-requests.ts'
import { measureLength, longCalls, together, type LongCall } from './support/longest-input.ts'
import type { Service } from './support/service.ts'

const ANSWER_MAX_BYTES = 2 * 1024 * 1024
// The largest page of a list. The inbox of the first app has no pages, an insight has points, an export has all rows.
const ROWS_MAX = 100
const MORE_ROWS: [route: RegExp, rows: number][] = [
  [/^GET \/api\/notification$/, 200],
  [/\/insight\//, 400],
  [/\/users-export$/, 1_000],
]
const AT_ONCE = 8
const TOO_MANY = 40
const NOT_LEGAL = new Set([400, 413, 414, 415, 422, 431])

test('the longest legal input of every route is answered in bounded bytes and rows, alone and many at once', async ({
  service,
}) => {
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { server } = service.app
  const wrong: string[] = []
  const most = { input: 0, bytes: 0, rows: 0 }
  for await (const crowded of crowdedRoutes(service)) {
    const { route, call, signIn } = crowded
    const legal = await runAlone(service, crowded)
    const [largest] = legal.toSorted((a, b) => b.bytes - a.bytes || measureLength(b.long) - measureLength(a.long))
    const { bytes, long } = largest!
    const rows = Math.max(...legal.map((one) => one.rows))
    most.input = Math.max(most.input, ...legal.map((one) => measureLength(one.long)))
    most.bytes = Math.max(most.bytes, bytes)
    most.rows = Math.max(most.rows, rows)
    if (bytes > ANSWER_MAX_BYTES) wrong.push(`${route} answers ${bytes} bytes when ${long.what} is long`)
    if (rows > toRows(route)) wrong.push(`${route} answers a list of ${rows}`)

    const many = await sendAtOnce(server, { ...call, ...long, headers: await signIn() }, AT_ONCE)
    signIn.again()
    const isBounded = many.unsent === 0 && many.bytes <= AT_ONCE * ANSWER_MAX_BYTES
    if (many.answered !== AT_ONCE || !isBounded) wrong.push(`${route} at once: ${JSON.stringify(many)}`)
    const tooMany = await sendAtOnce(server, { ...call, headers: await signIn() }, TOO_MANY)
    signIn.again()
    if (tooMany.answered > WAITING_MAX || tooMany.unsent > 0)
      wrong.push(`${route}, ${TOO_MANY} at once: ${JSON.stringify(tooMany)}`)
  }
  expect(wrong).toEqual([])
  // Input and answers were long.
  expect(most.input).toBeGreaterThan(10_000)
  expect(most.bytes).toBeGreaterThan(ANSWER_MAX_BYTES / 2)
  expect(most.rows).toBe(200)
})

/** `rows`: of the longest list. */
type Alone = { long: LongCall; status: number; bytes: number; rows: number }

/** The answers to what is legal, each asked alone. */
async function runAlone({ app, deps }: Service, { operation, call, signIn }: CrowdedRoute): Promise<Alone[]> {
  const { port } = app.server.address() as AddressInfo
  const ask = async (long: LongCall): Promise<Alone> => {
    const headers = { ...(await signIn()), 'accept-encoding': 'identity', 'content-type': 'application/json' }
    const body = long.payload && JSON.stringify(long.payload)
    const address = `http://127.0.0.1:${port}${long.url}`
    const answer = await fetch(address, { method: call.method, headers, redirect: 'manual', ...(body && { body }) })
    // It has ended the session, or shown none.
    if (answer.status === 401 || call.url.endsWith('/logout')) signIn.again()
    const type = answer.headers.get('content-type')
    const read = Buffer.from(await answer.arrayBuffer())
    const rows = answer.status === 200 && type?.startsWith('application/json') ? longestList(read) : 0
    return { long, status: answer.status, bytes: read.length, rows }
  }
  const isLegal = ({ status }: Alone) => status === call.status || !NOT_LEGAL.has(status)
  const alone: Alone[] = []
  for (const long of longCalls(operation, call, deps.clock.now())) alone.push(await ask(long))
  const parts = alone.filter(isLegal)
  const all = await ask(
    together(
      call,
      parts.map(({ long }) => long),
    ),
  )
  return isLegal(all) ? [...parts, all] : parts
}

function longestList(body: Buffer): number {
  return lengthIn((JSON.parse(body.toString()) as { data?: unknown }).data)
}

function lengthIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Math.max(Array.isArray(value) ? value.length : 0, ...Object.values(value).map(lengthIn))
}

function toRows(route: string): number {
  return MORE_ROWS.find(([pattern]) => pattern.test(route))?.[1] ?? ROWS_MAX
}
