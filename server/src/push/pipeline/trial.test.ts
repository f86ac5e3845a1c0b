import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown } from '../../../test/support/campaign.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { reportHealth } from '../provider/breaker.ts'
import type { Health } from '../provider/provider.ts'
import { claimTrial, findProviderState } from '../provider/provider-state.queries.ts'

const FAILURES: Health[] = Array.from({ length: 3 }, () => ({ kind: 'failing', code: 'ProviderUnavailable' }))

describe('a trial', () => {
  test.for<[kind: 'healthy' | 'failing', breaker: string]>([
    ['healthy', 'closed'],
    ['failing', 'open'],
  ])(
    'is decided by its own requests (%s), not by those from before the outage',
    async ([kind, breaker], { service, deps, clock }) => {
      const { name } = deps.provider
      const before = fromNow(clock)
      const answer: Health = kind === 'healthy' ? { kind } : { kind, code: 'ProviderUnavailable' }
      await clock.tick(1_000)
      await reportHealth(deps, FAILURES)
      await clock.tick(61_000)
      expect(await claimTrial(deps.db, name, fromNow(clock), fromNow(clock, 30_000))).toBe(true)
      await reportHealth(deps, [answer], before)
      expect(await findProviderState(deps.db, name)).toMatchObject({ breaker: 'half_open' })
      await reportHealth(deps, [answer])
      expect(await findProviderState(deps.db, name)).toMatchObject({ breaker })
      await calmDown(service)
    },
  )

  test('is ended by refused credentials, of whatever request', async ({ service, deps, clock }) => {
    const before = fromNow(clock)
    await clock.tick(1_000)
    await reportHealth(deps, FAILURES)
    await clock.tick(61_000)
    await claimTrial(deps.db, deps.provider.name, fromNow(clock), fromNow(clock, 30_000))
    await reportHealth(deps, [{ kind: 'misconfigured', code: 'Unauthorized' }], before)
    expect(await findProviderState(deps.db, deps.provider.name)).toMatchObject({ breaker: 'halted' })
    await calmDown(service)
  })
})
