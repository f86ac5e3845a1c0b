// Slow: connections to providers are opened one a second.
import { describe, expect, test } from 'vitest'
import { apnsPushes, apnsWorld, deviceToken } from '../../../../test/support/apns.ts'
import { until } from '../../../../test/support/until.ts'
import type { Push, PushOutcome } from '../provider.ts'

const HEALTHY = { kind: 'healthy' }
const CROWDED = { kind: 'refused', code: 'ProviderUnavailable', retry: true, retryAfterMs: 10_000 }

// At once: most of their time is that second.
describe.concurrent('the quarantine', () => {
  test('keeps 100 good tokens from 30 bad ones, whose connection closes and is opened anew', async ({
    onTestFinished,
  }) => {
    const { double, open } = await apnsWorld({}, onTestFinished)
    const provider = open()
    const bad = provider.submit(apnsPushes(30, toBad))
    const good = await provider.submit(apnsPushes(100))
    expect(countCodes(good.outcomes)).toEqual({ accepted: 100 })
    expect(countCodes((await bad).outcomes)).toEqual({ BadDeviceToken: 30 })
    expect(await bad).toMatchObject({ health: HEALTHY })
    expect(double.counts().goaways).toBeGreaterThanOrEqual(2)
    expect(new Set(double.log().map(({ connection }) => connection)).size).toBe(1)
  })

  test('makes no proven token of the same submission wait, and gives back what finds no place', async ({
    onTestFinished,
  }) => {
    const { double, open } = await apnsWorld({}, onTestFinished)
    const { outcomes, wasSent, health } = await open().submit(apnsPushes(200, (n) => (n < 100 ? toBad(n) : {})))
    expect(countCodes(outcomes.slice(100))).toEqual({ accepted: 100 })
    const bad = outcomes.slice(0, 100)
    const crowded = bad.filter((_, n) => wasSent[n] === false)
    expect(crowded).toEqual(crowded.map(() => CROWDED))
    expect(crowded.length).toBeGreaterThan(50)
    expect(bad.length - crowded.length).toBe(double.counts().answers['BadDeviceToken'])
    expect(health).toEqual(HEALTHY)
  })

  test('holds a submission of unproven tokens for two seconds, and says nothing bad of Apple then', async ({
    onTestFinished,
  }) => {
    const { double, clocks, open } = await apnsWorld({}, onTestFinished)
    const provider = open()
    const answer = provider.submit(apnsPushes(100, toBad))
    await until('some are refused', 0, () => double.counts().goaways > 0)
    clocks.own += 2_000
    const { outcomes, health } = await answer
    const { BadDeviceToken: refused = 0, ProviderUnavailable: crowded = 0 } = countCodes(outcomes)
    expect(refused).toBeGreaterThanOrEqual(10)
    expect(crowded).toBeGreaterThan(0)
    expect(crowded).toBe(100 - refused)
    expect(health).toEqual(HEALTHY)
    double.script([{ reason: 'InternalServerError', times: 0 }])
    expect(await provider.probe()).toEqual({ kind: 'failing', code: 'OutcomeUnknown' })
  })

  test('takes a first campaign to new phones whole, and each of its twentieth is refused once', async ({
    onTestFinished,
  }) => {
    const { double, open } = await apnsWorld({}, onTestFinished)
    const provider = open()
    let left: Push[] = apnsPushes(600, (n) => (n % 20 === 7 ? toBad(n) : { isProven: false }))
    for (let turn = 0; turn < 20 && left.length > 0; turn++) {
      const { outcomes, health } = await provider.submit(left)
      expect(health).toEqual(HEALTHY)
      left = left.filter((_, n) => mayComeBack(outcomes[n]))
    }
    expect(left).toEqual([])
    expect(double.counts()).toMatchObject({ accepted: 570, duplicates: 0, answers: { BadDeviceToken: 30 } })
  })

  test('has a third of the connections, with all their streams, for phones that are all new and good', async ({
    onTestFinished,
  }) => {
    const { double, open } = await apnsWorld({ latencyMs: 20 }, onTestFinished)
    const provider = open({ connections: 3 })
    await Promise.all([false, true].map((isProven) => provider.submit(apnsPushes(1, () => ({ isProven })))))
    const { outcomes } = await provider.submit(apnsPushes(500, () => ({ isProven: false })))
    expect(countCodes(outcomes)).toEqual({ accepted: 500 })
    expect(double.production.counts()).toMatchObject({ connections: 2, mostOpen: 500 })
  })
})

function toBad(n: number): Partial<Push> {
  return { to: deviceToken(n, 'badbadba'), isProven: false }
}

function countCodes(outcomes: PushOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) {
    const name = outcome.kind === 'accepted' ? outcome.kind : outcome.code
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

function mayComeBack(outcome: PushOutcome | undefined): boolean {
  return outcome?.kind === 'refused' && outcome.retry
}
