// Slow: a process is left by its connections.
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import Fastify from 'fastify'
import { afterAll, describe, expect } from 'vitest'
import { buildAnother } from './support/build-app.ts'
import { configWith } from '../src/platform/config/config.ts'
import { CONNECTION_TIMES, installConnections } from '../src/platform/server/connections.ts'
import { leave, type Times } from '../src/platform/process/leaving.ts'
import type { App } from '../src/platform/http/routes.ts'
import { test } from './support/app.ts'
import { dial, dialMany } from './support/lines.ts'
import type { Service } from './support/service.ts'

const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n'
const LOGIN_HEAD =
  'POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n'

const opened: { apps: App[] } = { apps: [] }

afterAll(async () => {
  await Promise.all(opened.apps.map((app) => app.close()))
})

/** The API on a port of its own, and what ends it. */
async function leaving({ deps }: Service, times: Times) {
  const lifecycle = { ...deps.lifecycle, draining: false }
  const config = configWith({ ...deps.config, ...times })
  const { app, connections } = await buildAnother({ ...deps, config, lifecycle })
  opened.apps.push(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const begin = () => {
    lifecycle.draining = true
    return leave(app, connections, times)
  }
  return { app, port, begin }
}

describe('a connection to a process that leaves', () => {
  test('is accepted for a time and kept, because new ones could come while the listener closes', async ({
    service,
  }) => {
    const { app, port, begin } = await leaving(service, { LAME_DUCK_SECONDS: 300, PROXY_KEEP_ALIVE_SECONDS: 5 })
    const before = await dial(port)
    void begin()
    for (const { socket, heard } of [before, await dial(port)])
      for (const times of [1, 2]) {
        socket.write(HEALTH)
        await expect.poll(() => heard().match(/HTTP\/1\.1 200/g)?.length).toBe(times)
        expect(heard()).not.toMatch(/connection: close/i)
      }
    expect(app.server.listening).toBe(true)
    expect((await app.inject({ url: '/api/ready' })).statusCode).toBe(503)
  })

  test('is told to close with its answer at once where there is no proxy', async ({ service }) => {
    const { app, port, begin } = await leaving(service, { LAME_DUCK_SECONDS: 300, PROXY_KEEP_ALIVE_SECONDS: 0 })
    const before = await dial(port)
    void begin()
    for (const { socket, heard, closed } of [before, await dial(port)]) {
      socket.write(HEALTH)
      await closed
      expect(heard()).toMatch(/^HTTP\/1\.1 200 .*connection: close\r\n.*"healthy"/is)
    }
    expect(app.server.listening).toBe(true)
  })

  test('whose answer did not say that it is the last is kept for one more', async ({ service }) => {
    const lifecycle = { ...service.deps.lifecycle, draining: false }
    const app = Fastify({ keepAliveTimeout: CONNECTION_TIMES.keepAliveMs })
    opened.apps.push(app)
    const connections = installConnections(app, { ...service.deps, lifecycle, max: 10, isBehindProxy: true })
    const answer = new PassThrough()
    app.get('/long', () => answer)
    app.get('/short', () => 'short')
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { socket, heard, closed } = await dial((app.server.address() as AddressInfo).port)
    socket.write('GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n')
    answer.write('begins')
    await expect.poll(heard).toContain('begins')
    lifecycle.draining = true
    const left = leave(app, connections, { LAME_DUCK_SECONDS: 0, PROXY_KEEP_ALIVE_SECONDS: 60 })
    await expect.poll(() => app.server.listening).toBe(false)
    answer.end('ends')
    await expect.poll(heard).toContain('\r\n0\r\n\r\n')
    socket.write('GET /short HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await closed
    expect(heard()).toMatch(/ends.*HTTP\/1\.1 200 .*connection: close.*short/is)
    await left
  })

  test('is still answered once after the listener has closed, and the process waits for that', async ({ service }) => {
    const { app, port, begin } = await leaving(service, { LAME_DUCK_SECONDS: 0, PROXY_KEEP_ALIVE_SECONDS: 60 })
    const [used, fresh, posting] = await Promise.all([dial(port), dial(port), dial(port)])
    used.socket.write(HEALTH)
    await expect.poll(used.heard).toContain('"healthy"')
    posting.socket.write(LOGIN_HEAD)
    const left = begin()
    await expect.poll(() => app.server.listening).toBe(false)
    await expect(dial(port)).rejects.toThrow('ECONNREFUSED')
    posting.socket.write('{}')
    for (const { socket } of [used, fresh]) socket.write(HEALTH)
    await left
    await Promise.all([used, fresh, posting].map(({ closed }) => closed))
    expect(used.heard().match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(fresh.heard()).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
    expect(posting.heard()).toMatch(/^HTTP\/1\.1 422 .*connection: close/is)
  })

  test('ends without a request once no proxy would send one', async ({ service }) => {
    const { port, begin } = await leaving(service, { LAME_DUCK_SECONDS: 0, PROXY_KEEP_ALIVE_SECONDS: 0 })
    const lines = await dialMany(port, 3)
    lines[0]!.socket.write(HEALTH)
    await expect.poll(lines[0]!.heard).toContain('"healthy"')
    await begin()
    await Promise.all(lines.map(({ closed }) => closed))
  })
})
