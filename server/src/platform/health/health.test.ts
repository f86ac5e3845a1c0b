import Fastify from 'fastify'
import { describe, expect } from 'vitest'
import { installLoadShedding } from '../../server.ts'
import { READINESS_MS } from './readiness.ts'
import { test } from '../../../test/support/app.ts'
import { expectError } from '../../../test/support/faults.ts'

describe('health', () => {
  test('is a bare object with the status and the time in UTC', async ({ app, clock }) => {
    const answer = await app.inject({ url: '/api/health' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ status: 'healthy', timestamp: new Date(clock.now()).toISOString() })
  })

  test('asks nothing of the database; readiness does, once a second for all who ask', async ({ app, deps, clock }) => {
    const { pool } = deps
    const query = pool.query.bind(pool)
    let asked = 0
    pool.query = ((...values: Parameters<typeof query>) => {
      asked++
      return query(...values)
    }) as typeof pool.query
    const connections = pool.totalCount
    await clock.tick(READINESS_MS)
    await app.inject({ url: '/api/health' })
    expect([asked, pool.totalCount]).toEqual([0, connections])
    expect((await app.inject({ url: '/api/ready' })).json()).toEqual({
      success: true,
      data: { status: 'ready' },
      message: 'Ready',
    })
    await Promise.all(Array.from({ length: 50 }, () => app.inject({ url: '/api/ready' })))
    expect(asked).toBe(1)
    await clock.tick(READINESS_MS)
    await app.inject({ url: '/api/ready' })
    expect(asked).toBe(2)
    pool.query = query
  })

  test('is healthy, but not ready, while it shuts down', async ({ app, deps }) => {
    deps.lifecycle.draining = true
    const answer = await app.inject({ url: '/api/ready' })
    deps.lifecycle.draining = false
    expectError(answer, 503, 'SERVICE_UNAVAILABLE')
    expect(answer.headers['retry-after']).toBe('5')
    expect((await app.inject({ url: '/api/ready' })).statusCode).toBe(200)
  })

  test('is healthy, but not ready, with a schema that is not current', async ({ app, deps, clock }) => {
    await clock.tick(READINESS_MS)
    await deps.pool.query('alter table schema_migrations rename to elsewhere')
    expectError(await app.inject({ url: '/api/ready' }), 503, 'SERVICE_UNAVAILABLE')
    expect((await app.inject({ url: '/api/health' })).statusCode).toBe(200)
    await deps.pool.query('alter table elsewhere rename to schema_migrations')
    await clock.tick(READINESS_MS)
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
    await expect.poll(() => blocked('/else'), { timeout: 120_000 }).toBe(503)
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
