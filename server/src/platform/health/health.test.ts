// Slow: a second or more for each test, or five for the file.
import Fastify from 'fastify'
import { describe, expect } from 'vitest'
import { installLoadShedding } from '../server/server.ts'
import type { DbPool } from '../db/connect.ts'
import { createReadiness, READINESS_MS } from './readiness.ts'
import { test } from '../../../test/support/app.ts'
import { expectError } from '../../../test/support/faults.ts'

describe('health', () => {
  test('is a bare object with the status and the time in UTC', async ({ app, clock }) => {
    const answer = await app.inject({ url: '/api/health' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ status: 'healthy', timestamp: new Date(clock.now()).toISOString() })
  })

  test('asks nothing of the database', async ({ app, deps }) => {
    const counted = counting(deps.pool)
    const connections = deps.pool.totalCount
    await app.inject({ url: '/api/health' })
    expect([counted.asked(), deps.pool.totalCount]).toEqual([0, connections])
    counted.end()
  })

  test('is followed by readiness, which asks once a second for all who ask', async ({ app, deps }) => {
    const answer = await app.inject({ url: '/api/ready' })
    expect(answer.json()).toEqual({ success: true, data: { status: 'ready' }, message: 'Ready' })
    const time = { now: 0 }
    const isReady = createReadiness(deps.pool, () => time.now)
    const counted = counting(deps.pool)
    expect(await Promise.all(Array.from({ length: 50 }, isReady))).toEqual(Array.from({ length: 50 }, () => true))
    time.now = READINESS_MS - 1
    await isReady()
    expect(counted.asked()).toBe(1)
    time.now = READINESS_MS
    await isReady()
    expect(counted.asked()).toBe(2)
    counted.end()
  })

  test('is healthy, but not ready, while it shuts down', async ({ app, deps }) => {
    deps.lifecycle.draining = true
    const answer = await app.inject({ url: '/api/ready' })
    deps.lifecycle.draining = false
    expectError(answer, 503, 'SERVICE_UNAVAILABLE')
    expect(answer.headers['retry-after']).toBe('5')
    expect((await app.inject({ url: '/api/ready' })).statusCode).toBe(200)
  })

  test('is healthy, but not ready, with a schema that is not current', async ({ app, deps }) => {
    const readiness = async () => (await app.inject({ url: '/api/ready' })).statusCode
    await deps.pool.query('alter table schema_migrations rename to elsewhere')
    await expect.poll(readiness).toBe(503)
    expect((await app.inject({ url: '/api/health' })).statusCode).toBe(200)
    await deps.pool.query('alter table elsewhere rename to schema_migrations')
    await expect.poll(readiness).toBe(200)
  })

  test('is no request in the metrics and the log', async ({ service, app, deps }) => {
    const from = service.logged().length
    const before = requestsIn(await deps.metrics.registry.text())
    for (const url of ['/api/health', '/api/ready']) await app.inject({ url })
    expect(requestsIn(await deps.metrics.registry.text())).toEqual(before)
    expect(service.logged().slice(from)).not.toContain('"route":"/api/')
  })

  test('is answered while the event loop is late and all else is refused, which is logged once', async ({
    service,
  }) => {
    const app = Fastify()
    await installLoadShedding(app, service.deps.log, 20)
    for (const url of ['/api/health', '/api/ready', '/else']) app.get(url, () => 'answered')
    await app.ready()
    const from = service.logged().length
    const blocked = async (url: string) => {
      const until = performance.now() + 100
      while (performance.now() < until);
      return (await app.inject({ url })).statusCode
    }
    await expect.poll(() => blocked('/else')).toBe(503)
    expect(await blocked('/api/ready')).toBe(503)
    expect(await blocked('/api/health')).toBe(200)
    expect(
      service
        .logged()
        .slice(from)
        .match(/the event loop is late/g),
    ).toHaveLength(1)
    await app.close()
  })
})

function requestsIn(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('swapbell_http_request'))
}

function counting(pool: DbPool) {
  const query = pool.query.bind(pool)
  let asked = 0
  pool.query = ((...values: Parameters<typeof query>) => {
    asked++
    return query(...values)
  }) as typeof pool.query
  return { asked: () => asked, end: () => void (pool.query = query) }
}
