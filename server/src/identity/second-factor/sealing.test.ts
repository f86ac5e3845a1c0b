import { randomBytes } from 'node:crypto'
import { assert, integer, pre, property, uint8Array } from 'fast-check'
import { describe, expect, test as plain } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenFactor, pendingToken, secondStep } from '../../../test/support/factors.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { configWith } from '../../platform/config/config.ts'
import { seal, unseal } from './sealing.ts'
import { findStep, describeSecret } from './totp.ts'
import { TOTP } from 'otpauth'

const [OLD, NEW] = ['old secret of thirty-two bytes or more', 'new secret of thirty-two bytes or more']

describe('The secret of a second factor', () => {
  plain('is opened by the keys of the settings, for its own account alone, and unchanged', () => {
    const secret = new Uint8Array(randomBytes(20))
    const before = configWith({ JWT_SECRET: OLD })
    const sealed = seal(before, 7, secret)
    const opens = (change: object, userId = 7) =>
      unseal(configWith({ JWT_SECRET: NEW, ...change }), userId, sealed)?.join() === secret.join()
    expect(opens({ JWT_SECRET: OLD })).toBe(true)
    expect(opens({ SECOND_FACTOR_SECRET: NEW, JWT_SECRET: OLD })).toBe(true)
    expect(opens({ JWT_PREVIOUS_SECRET: OLD })).toBe(true)
    expect(opens({ SECOND_FACTOR_PREVIOUS_SECRET: OLD })).toBe(true)
    expect(opens({})).toBe(false)
    expect(opens({ JWT_SECRET: OLD }, 8)).toBe(false)
    sealed.sealed[14]! ^= 1
    expect(opens({ JWT_SECRET: OLD })).toBe(false)
  })

  test('is encrypted again with a new key, so that the previous key is not needed any more', async ({ service }) => {
    const owner = await givenFactor(service)
    const { deps } = service
    const rotated = { ...deps.config, SECOND_FACTOR_SECRET: NEW }
    await sweep({ ...deps, config: rotated })
    const row = await deps.db
      .selectFrom('second_factors')
      .selectAll()
      .where('user_id', '=', owner.userId)
      .executeTakeFirstOrThrow()
    expect(unseal({ ...rotated, JWT_SECRET: OLD }, owner.userId, row)).toHaveLength(20)
    // A process without the new key says that it cannot, and does not call the code wrong; recovery codes still count.
    const token = await pendingToken(service, owner)
    expect((await secondStep(service, token, owner.code())).statusCode).toBe(503)
    expect((await secondStep(service, token, owner.recoveryCodes[0]!)).statusCode).toBe(200)
    await sweep(deps)
    expect(service.logged()).toContain('no key of the settings opens')
  })
})

describe('A code of an app', () => {
  plain('is right in its step and in the one before and after it, at any time', () => {
    assert(
      property(
        uint8Array({ minLength: 20, maxLength: 20 }),
        integer({ min: 0, max: 4_000_000_000_000 }),
        integer({ min: -3, max: 3 }),
        (bytes, now, steps) => {
          const secret = new Uint8Array(bytes)
          const step = Math.floor(now / 30_000) + steps
          pre(step >= 0)
          const code = new TOTP({ secret: describeSecret(secret, 'x').secret }).generate({ timestamp: step * 30_000 })
          const found = findStep(secret, code, now)
          // Another of the three steps may have the same six digits.
          if (Math.abs(steps) <= 1) expect(found).not.toBeNull()
          else if (found !== null) expect(Math.abs(found - Math.floor(now / 30_000))).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  plain('is that of RFC 6238', () => {
    const secret = new Uint8Array(Buffer.from('12345678901234567890'))
    // Its last six digits of eight: 94287082 at 59 s, 07081804 at 1111111109 s.
    expect(findStep(secret, '287082', 59_000)).toBe(1)
    expect(findStep(secret, '081804', 1_111_111_109_000)).toBe(37_037_036)
  })
})
