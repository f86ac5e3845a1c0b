import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError } from '../../../test/support/faults.ts'

describe('health', () => {
  test('is a bare object with the status and the time in UTC', async ({ app, clock }) => {
    const answer = await app.inject({ url: '/api/health' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ status: 'healthy', timestamp: new Date(clock.now()).toISOString() })
  })

  test('asks nothing of the database; readiness does', async ({ app, deps }) => {
    const { pool } = deps
    const query = pool.query.bind(pool)
    let asked = 0
    pool.query = ((...values: Parameters<typeof query>) => {
      asked++
      return query(...values)
    }) as typeof pool.query
    const connections = pool.totalCount
    await app.inject({ url: '/api/health' })
    expect([asked, pool.totalCount]).toEqual([0, connections])
    expect((await app.inject({ url: '/api/ready' })).json()).toEqual({
      success: true,
      data: { status: 'ready' },
      message: 'Ready',
    })
    expect(asked).toBeGreaterThan(0)
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

  test('is healthy, but not ready, with a schema that is not current', async ({ app, deps }) => {
    await deps.pool.query('alter table schema_migrations rename to elsewhere')
    expectError(await app.inject({ url: '/api/ready' }), 503, 'SERVICE_UNAVAILABLE')
    expect((await app.inject({ url: '/api/health' })).statusCode).toBe(200)
    await deps.pool.query('alter table elsewhere rename to schema_migrations')
  })
})
