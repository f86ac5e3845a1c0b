// Slow: a second or more for each test, or five for the file.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContact } from '../src/platform/jobs/contact.ts'
import { startPoller } from '../src/push/pipeline/poller.ts'
import { sweepChores } from '../src/push/pipeline/sweep.ts'
import { claimEach } from './support/attempt.ts'
import { send, untilRetry } from './support/campaign.ts'
import { openDividedWorld, type DividedWorld } from './support/divided-world.ts'

const NOTHING_WAITS = { lanes: new Map(), badges: () => undefined, ahead: () => undefined, hears: () => true }
// A process that stands still for five is not steady.
const STEADY_MS = 6_000

const CITUS_URL = process.env['CITUS_URL'] ?? ''

describe.skipIf(CITUS_URL === '')('while a worker of a Citus is silent (skipped unless CITUS_URL names one)', () => {
  let world: DividedWorld

  beforeAll(async () => {
    world = await openDividedWorld(CITUS_URL)
  })

  afterAll(() => world.close())

  test('a process sweeps for other homes, and not for its own', async () => {
    const { service, link, lost, other, readOutcome } = world
    const messageId = await send(service, [lost, other])
    await claimEach(service, messageId)
    await untilRetry(service)
    const contact = createContact()
    link.stall()
    const poller = startPoller(service.deps, { ...NOTHING_WAITS, contact })
    expect(await contact.steadyFor(STEADY_MS, AbortSignal.timeout(40_000))).toBe(true)
    const chores = sweepChores(service.deps, (home) => contact.hasHomeFor(STEADY_MS, home))
    await chores['recover abandoned attempts']!()
    await poller.stop()
    link.flow()
    expect(await readOutcome(messageId, other)).toEqual([{ outcome: 'unknown' }])
    expect(await readOutcome(messageId, lost)).toEqual([{ outcome: null }])
  })
})
