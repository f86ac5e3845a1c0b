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

  test('is asked of the database once by each process, however many calls want it', async ({ deps }) => {
    let transactions = 0
    const begin = () => {
      transactions++
      return deps.db.transaction()
    }
    const db = new Proxy(deps.db, { get: (of, name) => (name === 'transaction' ? begin : Reflect.get(of, name, of)) })
    const share = createShareToken({ ...deps, db }, { ...KEYED, key: 'a sixth key' })
    const all = await Promise.all(Array.from({ length: 100 }, (_, n) => share(() => `token ${n}`, HOUR_MS)))
    expect(new Set(all.map(({ token }) => token)).size).toBe(1)
    expect(transactions).toBe(1)
    await share(() => 'another', 0)
    expect(transactions).toBe(2)
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

  test('that a clock ahead of the time signed is signed anew once the clock is right, by one process', async ({
    deps,
    clock,
  }) => {
    let aheadMs = HOUR_MS
    const own = { ...deps, clock: { now: () => clock.now() + aheadMs } }
    const processes = [1, 2].map(() => createShareToken(own, { ...KEYED, key: 'a fifth key' }))
    let signatures = 0
    const ask = async () => Promise.all(processes.map(async (share) => share(() => `token ${++signatures}`, HOUR_MS)))
    await ask()
    aheadMs = 0
    expect((await ask()).map(({ token }) => token)).toEqual(['token 2', 'token 2'])
  })
})
