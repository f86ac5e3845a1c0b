import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { createShareToken } from './share-token.ts'

const HOUR_MS = 3_600_000
const KEYED = { kind: 'apns', key: 'the key of a team' }

describe('a signed token', () => {
  test('is signed once for all processes, and anew when it is old', async ({ deps, clock }) => {
    const processes = Array.from({ length: 4 }, () => createShareToken(deps, KEYED))
    let signatures = 0
    const sign = () => `token ${++signatures}`
    const ask = () => Promise.all(processes.flatMap((share) => [share(sign, HOUR_MS), share(sign, HOUR_MS)]))
    const first = await ask()
    expect(new Set(first.map(({ token }) => token))).toEqual(new Set(['token 1']))
    await clock.tick(HOUR_MS - 1)
    expect((await ask())[0]).toEqual(first[0])
    await clock.tick(1)
    expect(new Set((await ask()).map(({ token }) => token))).toEqual(new Set(['token 2']))
    expect(signatures).toBe(2)
  })

  test('is sealed in the database, and another key or purpose has another', async ({ deps }) => {
    const share = createShareToken(deps, { ...KEYED, key: 'another key' })
    const { token } = await share(() => 'a token that nobody may read', HOUR_MS)
    expect(token).toBe('a token that nobody may read')
    expect((await share(() => 'of an origin', HOUR_MS, 'https://push.example')).token).toBe('of an origin')
    const rows = await deps.db.selectFrom('provider_tokens').selectAll().execute()
    expect(rows.length).toBeGreaterThanOrEqual(2)
    for (const { name, sealed } of rows) {
      expect(sealed.toString('latin1')).not.toContain('token')
      expect(name).not.toContain('another key')
    }
  })

  test('of a secret before a rotation is signed anew', async ({ deps }) => {
    const keyed = { ...KEYED, key: 'a third key' }
    await createShareToken(deps, keyed)(() => 'old', HOUR_MS)
    const rotated = { ...deps, config: { ...deps.config, JWT_SECRET: 'another secret of at least 32 bytes' } }
    expect((await createShareToken(rotated, keyed)(() => 'new', HOUR_MS)).token).toBe('new')
  })

  test('that could not be signed is asked for again', async ({ deps }) => {
    const share = createShareToken(deps, { ...KEYED, key: 'a fourth key' })
    await expect(share(() => Promise.reject(new Error('Google is away')), HOUR_MS)).rejects.toThrow('Google is away')
    expect((await share(() => 'here', HOUR_MS)).token).toBe('here')
  })
})
