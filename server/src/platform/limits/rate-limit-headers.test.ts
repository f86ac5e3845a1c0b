// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { post } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { limited } from '../../../test/support/limits.ts'

describe('RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11)', () => {
  test('count down, and start again with the window', async ({ deps, given }) => {
    const { app, time } = await limited(deps)
    time.now = Math.ceil(time.now / 60_000) * 60_000 + 18_000
    const { headers } = await given.user()
    const ask = () => app.inject({ url: '/api/notification', headers })
    expect((await ask()).headers).toMatchObject({
      'ratelimit-policy': '"user";q=120;w=60',
      ratelimit: '"user";r=119;t=42',
    })
    time.now += 1_000
    expect((await ask()).headers).toMatchObject({ ratelimit: '"user";r=118;t=41' })
    time.now += 41_000
    expect((await ask()).headers).toMatchObject({ ratelimit: '"user";r=119;t=60' })
  })

  test('name every limit that counted the call, and the one that refused it', async ({ deps }) => {
    const { app, time } = await limited(deps)
    time.now = Math.ceil(time.now / 60_000) * 60_000 + 18_000
    const login = () => post(app, '/api/v1/login', { email: 'nobody@example.com', password: 'not the one' })
    const first = await login()
    expect(first.headers['ratelimit-policy']).toBe('"anonymous";q=600;w=60, "login";q=30;w=60')
    expect(first.headers['ratelimit']).toBe('"anonymous";r=599;t=42, "login";r=29;t=42')
    // The budget of failed logins refuses before the limit of logins: its number says nothing about the account.
    let refused = await login()
    while (refused.statusCode !== 429) refused = await login()
    expect(refused.headers['ratelimit']).toMatch(
      /^"anonymous";r=\d+;t=42, "login";r=\d+;t=42, "login-failures";r=0;t=\d+$/,
    )
    expect(refused.headers['retry-after']).toBe(/t=(\d+)$/.exec(String(refused.headers['ratelimit']))?.[1])
  })

  test('are absent where nothing is counted', async ({ app, deps }) => {
    const { app: counted } = await limited(deps)
    for (const answer of [await counted.inject('/api/health'), await app.inject('/api/v1/categories')]) {
      expect(answer.headers).not.toHaveProperty('ratelimit')
      expect(answer.headers).not.toHaveProperty('ratelimit-policy')
    }
  })
})
