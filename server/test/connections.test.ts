// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, describe, expect } from 'vitest'
import { buildAnother } from './support/build-app.ts'
import { configWith } from '../src/platform/config/config.ts'
import { CONNECTION_TIMES, installConnections, type ConnectionTimes } from '../src/platform/server/connections.ts'
import type { App } from '../src/platform/http/routes.ts'
import { test } from './support/app.ts'
import { dial, dialMany } from './support/lines.ts'
import type { Service } from './support/service.ts'

const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n'
const LOGIN_HEAD =
  'POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n'
const FAST: Partial<ConnectionTimes> = { headMs: 300, requestMs: 600, lookEveryMs: 50 }

const opened: { apps: App[]; requests: number } = { apps: [], requests: 0 }

afterAll(async () => {
  await Promise.all(opened.apps.map((app) => app.close()))
})

/** The API on a port of its own, with times and a number of connections of its own. */
async function listening({ deps }: Service, times: Partial<ConnectionTimes>, connections = 5_000): Promise<number> {
  const config = configWith({ ...deps.config, CONNECTIONS_MAX: connections })
  const { app } = await buildAnother({ ...deps, config }, { ...CONNECTION_TIMES, ...times })
  opened.apps.push(app)
  opened.requests = 0
  app.server.on('request', () => opened.requests++)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

async function openOn(app: App): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

describe('a connection', () => {
  test('that never speaks is closed, and nothing of it stays', async ({ service }) => {
    const port = await listening(service, FAST)
    const lines = await dialMany(port, 50)
    await Promise.all(lines.map(({ closed }) => closed))
    expect(lines.map(({ heard }) => heard())).toEqual(Array(50).fill(''))
    await expect.poll(() => openOn(opened.apps.at(-1)!)).toBe(0)
  })

  test('whose answer ends while the server closes is closed then', async ({ service }) => {
    const app = Fastify({ forceCloseConnections: 'idle', keepAliveTimeout: CONNECTION_TIMES.keepAliveMs })
    opened.apps.push(app)
    installConnections(app, { ...service.deps, max: 10, isBehindProxy: true })
    const answer = new PassThrough()
    app.get('/long', () => answer)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { socket, heard, closed } = await dial((app.server.address() as AddressInfo).port)
    socket.write('GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n')
    answer.write('begins')
    await expect.poll(heard).toContain('begins')
    const closing = app.close()
    answer.end('ends')
    await closed
    expect(heard()).toContain('ends')
    await closing
  })

  test.for([
    ['its head', 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'y'],
    ['its body', LOGIN_HEAD, '{'],
  ])(
    'that is slow with %s is answered 408 and closed, also when it does not hang up',
    async ([, head, more], { service }) => {
      const port = await listening(service, FAST)
      const { socket, heard, closed } = await dial(port)
      socket.write(head!)
      const drip = setInterval(() => socket.writable && socket.write(more!), 100)
      await closed
      clearInterval(drip)
      expect(heard()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n.*"code":"REQUEST_TIMEOUT"/s)
      expect(heard().match(/HTTP\/1\.1/g)).toHaveLength(1)
      await expect.poll(() => openOn(opened.apps.at(-1)!)).toBe(0)
    },
  )

  test('whose client does not read its answers is closed', async ({ service }) => {
    const port = await listening(service, { stillMs: 300 })
    const { socket } = await dial(port)
    socket.pause()
    socket.write('GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200))
    await expect.poll(() => openOn(opened.apps.at(-1)!)).toBe(0)
  })

  test('with headers over 16 KB is answered 431', async ({ service }) => {
    const { socket, heard, closed } = await dial(await listening(service, FAST))
    socket.write(`GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'y'.repeat(17_000)}\r\n\r\n`)
    await closed
    expect(heard()).toMatch(/^HTTP\/1\.1 431 .*"success":false,.*"code":"HEADERS_TOO_LARGE","request_id":"[\w-]+"\}$/s)
  })

  test('whose request has no Host header is answered 400 in the envelope', async ({ service }) => {
    const { socket, heard, closed } = await dial(await listening(service, FAST))
    socket.write('GET /api/health HTTP/1.1\r\n\r\n')
    await closed
    expect(heard()).toMatch(/^HTTP\/1\.1 400 .*"error":"The Host header is missing\.","code":"BAD_REQUEST"/s)
    expect(heard()).toMatch(/x-request-id: [\w-]+\r\n.*connection: close\r\n/is)
  })
})

describe('connections over the limit', () => {
  test('take the place of those that were silent the longest', async ({ service }) => {
    const port = await listening(service, {}, 10)
    const silent = await dialMany(port, 10)
    const fresh = await dialMany(port, 5)
    for (const { socket } of fresh) socket.write(HEALTH)
    for (const { heard } of fresh) await expect.poll(heard).toMatch(/^HTTP\/1\.1 200 .*"healthy"/s)
    await expect.poll(() => silent.filter(({ isClosed }) => isClosed()).length).toBe(5)
    expect(await openOn(opened.apps.at(-1)!)).toBe(10)
    // Hundreds more do not keep others out.
    await dialMany(port, 300)
    const { socket, heard } = await dial(port)
    socket.write(HEALTH)
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 200 /)
    expect(await openOn(opened.apps.at(-1)!)).toBe(10)
  })

  test('are refused at once while all others have a request, except for health', async ({ service }) => {
    const port = await listening(service, {}, 10)
    const busy = await dialMany(port, 10)
    for (const { socket } of busy) socket.write(LOGIN_HEAD)
    await expect.poll(() => opened.requests).toBe(10)

    const [health, other] = await dialMany(port, 2)
    health!.socket.write(HEALTH)
    other!.socket.write('GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(health!.heard).toMatch(/^HTTP\/1\.1 200 .*connection: close\r\n.*"healthy"/is)
    await expect.poll(other!.heard).toMatch(/^HTTP\/1\.1 503 .*connection: close\r\n.*"code":"SERVICE_UNAVAILABLE"/is)
    await Promise.all([health!.closed, other!.closed])

    const crowd = await dialMany(port, 100)
    await expect.poll(() => openOn(opened.apps.at(-1)!)).toBeLessThanOrEqual(10 + 32)
    await expect.poll(() => crowd.filter(({ isClosed }) => isClosed()).length).toBeGreaterThanOrEqual(100 - 32)
    expect(busy.every(({ isClosed }) => !isClosed())).toBe(true)
  })
})

describe('a client that disconnects', () => {
  test('within its request is no error of ours', async ({ service }) => {
    const port = await listening(service, {})
    const from = service.logged().length
    const lines = await dialMany(port, 30)
    for (const { socket } of lines) socket.write(LOGIN_HEAD + '{'.repeat(100))
    await expect.poll(() => opened.requests).toBe(30)
    for (const { socket } of lines) socket.resetAndDestroy()
    const log = () => service.logged().slice(from)
    await expect.poll(() => log().match(/"the client disconnected before its request was complete"/g)?.length).toBe(30)
    await expect.poll(() => openOn(opened.apps.at(-1)!)).toBe(0)
    expect(log()).not.toMatch(/"level":"(?:warn|error|fatal)"|"status":5/)
  })

  test('before its answer is no error of ours', async ({ service }) => {
    const port = await listening(service, {})
    const from = service.logged().length
    const lines = await dialMany(port, 10)
    for (const { socket } of lines) {
      const body = '{"email":"nobody@example.com","password":"long enough"}'
      socket.write(LOGIN_HEAD.replace('60000', String(body.length)) + body)
      socket.end()
    }
    await sleep(20)
    for (const { socket } of lines) socket.resetAndDestroy()
    await expect.poll(() => openOn(opened.apps.at(-1)!)).toBe(0)
    // Longer than it takes to see that the account does not exist.
    await sleep(500)
    expect(service.logged().slice(from)).not.toMatch(/"level":"(?:warn|error|fatal)"|"status":5/)
  })
})
