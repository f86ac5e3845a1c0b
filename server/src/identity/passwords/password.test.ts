// Slow: many costly requests, or long data.
import { argon2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPasswords } from './password.ts'

describe('Passwords', () => {
  test('are stored as Argon2id with at least 19456 KiB, 2 passes and a salt of their own', async () => {
    const passwords = createPasswords()
    const [first, second] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(second).not.toBe(first)
  })

  test('are compared whole: nothing is cut off, folded or trimmed', async () => {
    const passwords = createPasswords()
    const long = 'x'.repeat(127)
    const stored = await passwords.hash(`${long}a`)
    expect(await passwords.verify(`${long}a`, stored)).toBe(true)
    expect(await passwords.verify(`${long}b`, stored)).toBe(false)
    const spaced = await passwords.hash('Ünï code ')
    expect(await passwords.verify('Ünï code ', spaced)).toBe(true)
    expect(await passwords.verify('Ünï code', spaced)).toBe(false)
    expect(await passwords.verify('ünï code ', spaced)).toBe(false)
  })

  test('match however the keyboard composes their characters', async () => {
    const passwords = createPasswords()
    expect(await passwords.verify('cafe\u0301 noir', await passwords.hash('caf\u00e9 noir'))).toBe(true)
  })

  test('of another cost still match, and are known to be outdated', async () => {
    const passwords = createPasswords()
    const nonce = Buffer.alloc(16, 7)
    const parameters = { message: 'correct horse', nonce, memory: 1024, passes: 3, parallelism: 1, tagLength: 32 }
    const encoded = [nonce, argon2Sync('argon2id', parameters)].map((bytes) =>
      bytes.toString('base64').replaceAll('=', ''),
    )
    const stored = ['$argon2id$v=19$m=1024,t=3,p=1', ...encoded].join('$')
    expect(await passwords.verify('correct horse', stored)).toBe(true)
    expect(await passwords.verify('battery staple', stored)).toBe(false)
    expect(passwords.isOutdated(stored)).toBe(true)
    expect(passwords.isOutdated(await passwords.hash('correct horse'))).toBe(false)
  })

  test('of no account match nothing', async () => {
    expect(await createPasswords().verify('correct horse', undefined)).toBe(false)
  })

  test('are refused with 503 and Retry-After beyond a short queue', async () => {
    const passwords = createPasswords()
    const results = await Promise.allSettled(Array.from({ length: 80 }, () => passwords.hash('correct horse')))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(80 - 66)
    expect(refused[0]?.reason).toMatchObject({ status: 503, extras: { retryAfterSeconds: 1 } })
    expect(await passwords.hash('correct horse')).toContain('$argon2id$')
  })
})
