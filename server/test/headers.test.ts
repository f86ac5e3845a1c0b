import { describe, expect } from 'vitest'
import { test } from './support/app.ts'
import { startService } from './support/service.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

describe('X-Request-Id', () => {
  test.for(['a', 'trace-1_2.3', 'x'.repeat(64)])(
    '%s is taken over, in the answer and in its errors',
    async (id, { app }) => {
      const health = await app.inject({ url: '/api/health', headers: { 'x-request-id': id } })
      expect(health.headers['x-request-id']).toBe(id)
      const error = await app.inject({ url: '/api/notification', headers: { 'x-request-id': id } })
      expect(error.json()).toMatchObject({ request_id: id })
    },
  )

  test.for(['', 'x'.repeat(65), 'a b', 'a"b', '<script>', 'a;b', 'ü', 'a,b'])(
    '“%s” is replaced by one of our own',
    async (id, { app }) => {
      const answer = await app.inject({ url: '/api/health', headers: { 'x-request-id': id } })
      expect(answer.headers['x-request-id']).toMatch(UUID)
    },
  )

  test('differs for every request, and is in the log', async ({ app, service }) => {
    const answers = await Promise.all([1, 2, 3].map(() => app.inject({ url: '/api/notification' })))
    const ids = answers.map((answer) => String(answer.headers['x-request-id']))
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) await expect.poll(() => service.logged()).toContain(id)
  })
})

describe('the security headers', () => {
  test('are on every kind of answer', async ({ app, given }) => {
    const user = await given.user()
    const answers = [
      await app.inject({ url: '/api/health' }),
      await app.inject({ url: '/api/notification', headers: user.headers }),
      await app.inject({ url: '/api/notification' }),
      await app.inject({ url: '/api/admin/push-status', headers: user.headers }),
      await app.inject({ url: '/nowhere' }),
      await app.inject({ method: 'DELETE', url: '/api/health' }),
      await app.inject({
        method: 'POST',
        url: '/api/v1/login',
        payload: '{',
        headers: { 'content-type': 'application/json' },
      }),
    ]
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 401, 403, 404, 405, 400])
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'x-request-id': expect.any(String) as string,
      })
      for (const telling of ['server', 'x-powered-by', 'strict-transport-security', 'access-control-allow-origin'])
        expect(headers).not.toHaveProperty(telling)
    }
  })
})

describe('other origins', () => {
  test('may call only if the list contains them exactly', async () => {
    const service = await startService({ CORS_ORIGINS: ['https://panel.example'] })
    try {
      for (const [origin, allowed] of [
        ['https://panel.example', true],
        ['https://panel.example.evil.example', false],
        ['https://evil-panel.example', false],
        ['http://panel.example', false],
        ['https://panel.example:8443', false],
        ['null', false],
      ] as const) {
        const asked = {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        }
        for (const answer of [
          await service.app.inject({ url: '/api/health', headers: { origin } }),
          await service.app.inject({ method: 'OPTIONS', url: '/api/v1/login', headers: asked }),
        ]) {
          expect(answer.headers['access-control-allow-origin'] === origin, `${origin} ${answer.statusCode}`).toBe(
            allowed,
          )
          expect(answer.headers['access-control-allow-origin']).not.toBe('*')
          expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
          expect(answer.headers.vary).toMatch(/Origin/i)
        }
      }
      const preflight = await service.app.inject({
        method: 'OPTIONS',
        url: '/api/v1/login',
        headers: { origin: 'https://panel.example', 'access-control-request-method': 'POST' },
      })
      expect(preflight.statusCode).toBe(204)
      expect(preflight.headers['access-control-allow-methods']).toBe('GET, POST, PUT, PATCH, DELETE')
      const sent = String(preflight.headers['access-control-allow-headers']).split(', ')
      expect(sent).toEqual(expect.arrayContaining(['Authorization', 'Content-Type', 'If-Match', 'Idempotency-Key']))
      expect(preflight.headers['access-control-max-age']).toBe('600')
      const answer = await service.app.inject({ url: '/api/health', headers: { origin: 'https://panel.example' } })
      const read = String(answer.headers['access-control-expose-headers']).split(', ')
      const needed = ['ETag', 'Content-Disposition', 'Retry-After', 'X-Request-Id', 'X-Total-Rows', 'Allow']
      expect(read).toEqual(expect.arrayContaining(needed))
    } finally {
      await service.close()
    }
  })

  test('may not without a list', async ({ app }) => {
    const answer = await app.inject({ url: '/api/health', headers: { origin: 'https://panel.example' } })
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('in production', () => {
  test('browsers are told to use HTTPS', async () => {
    const service = await startService({ NODE_ENV: 'production' })
    const answer = await service.app.inject({ url: '/api/health' })
    await service.close()
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=31536000/)
  })
})
