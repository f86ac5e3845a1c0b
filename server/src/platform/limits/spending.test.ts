import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { Deps } from '../../deps.ts'
import { errors } from '../shared/errors.ts'
import { createRateLimits, type RateLimits } from './rate-limit.ts'

describe('Spending', () => {
  test('takes all of its limits or none, and of each any amount', async ({ deps }) => {
    const limits = processes(deps, 2)
    const [sender, pair] = [randomUUID(), randomUUID()]
    const spend = (limit: RateLimits, amount = 1) =>
      limit.spend(
        [
          { name: 'send-recipients', subject: sender, amount },
          { name: 'group-join-pair', subject: pair },
        ],
        async () => 'done',
      )
    // The pair allows five; those that it refuses take nothing of the recipients.
    for (let n = 0; n < 5; n++) expect(await spend(limits[n % 2]!, 3_000)).toBe('done')
    for (let n = 0; n < 9; n++) await expect(spend(limits[0]!, 3_000)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    const rest = (amount: number) =>
      limits[1]!.spend([{ name: 'send-recipients', subject: sender, amount }], async () => 'done')
    await expect(rest(5_001)).rejects.toThrow('the limit `send-recipients` allows 20000 in 3600 s')
    expect(await rest(4_999)).toBe('done')
    await expect(rest(2)).rejects.toMatchObject({ status: 429 })
    expect(await rest(1)).toBe('done')
    await expect(rest(20_001)).rejects.toThrow('This call takes 20001')
  })

  test('takes nothing when the work fails', async ({ deps }) => {
    const limits = processes(deps, 2)
    const subject = randomUUID()
    const charge = [{ name: 'bulk-send', subject } as const]
    for (let n = 0; n < 20; n++) {
      const refused = limits[0]!.spend(charge, () => Promise.reject(errors.invalidState('no')))
      await expect(refused).rejects.toThrow('no')
      expect(await limits[1]!.read('bulk-send', subject)).toBe(0)
    }
    for (let n = 0; n < 20; n++)
      await expect(limits[0]!.spend(charge, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    for (let n = 0; n < 6; n++) expect(await limits[0]!.spend(charge, async () => n)).toBe(n)
    await expect(limits[0]!.spend(charge, async () => 7)).rejects.toMatchObject({ status: 429 })
  })

  test('is one statement, however many limits it takes', async ({ deps }) => {
    const limits = processes(deps, 1)
    let statements = 0
    deps.pool.on('acquire', () => statements++)
    const names = ['group-join', 'group-join-new', 'group-join-pair', 'group-join-recipient', 'group-join-ip'] as const
    await limits[0]!.spend(
      names.map((name) => ({ name, subject: randomUUID() })),
      async () => undefined,
    )
    expect(statements).toBe(1)
  })
})

/** The limits of `count` processes, at a moment that no other test shares. */
function processes(deps: Deps, count: number): RateLimits[] {
  const moment = Math.floor(Math.random() * 1e12)
  const clock = { now: () => moment }
  const limits = Array.from({ length: count }, () =>
    createRateLimits({ ...deps, clock, config: { ...deps.config, RATE_LIMITS: 'on' } }),
  )
  onTestFinished(async () => {
    for (const limit of limits) await limit.close()
  })
  return limits
}
