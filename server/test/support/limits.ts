import { onTestFinished } from 'vitest'
import { buildAnother } from './build-app.ts'
import type { Deps } from '../../src/deps.ts'
import { createRateLimits, type RateLimits } from '../../src/platform/limits/rate-limit.ts'

/** The limits of `count` processes, at a moment that no other test shares and that the test may move. */
export function processes(deps: Deps, count: number) {
  const time = { now: Math.floor(Math.random() * 1e12) }
  const clock = { now: () => time.now }
  const limits = Array.from({ length: count }, () =>
    createRateLimits({ ...deps, clock, config: { ...deps.config, RATE_LIMITS: 'on' } }),
  )
  onTestFinished(async () => {
    for (const limit of limits) await limit.close()
  })
  return { time, limits }
}

/** The application with limits on. */
export async function limited(deps: Deps) {
  const { limits, time } = processes(deps, 1)
  const { app } = await buildAnother({ ...deps, rateLimits: limits[0]! })
  onTestFinished(() => app.close())
  return { app, time }
}

/** How many of so many calls pass. */
export async function passing(
  limits: RateLimits,
  name: Parameters<RateLimits['hit']>[0],
  subject: string,
  calls: number,
) {
  const results = await Promise.allSettled(Array.from({ length: calls }, () => limits.hit(name, subject)))
  return results.filter(({ status }) => status === 'fulfilled').length
}

/** How many answers have each status. */
export async function statuses(answers: PromiseLike<{ statusCode: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of await Promise.all(answers)) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}
