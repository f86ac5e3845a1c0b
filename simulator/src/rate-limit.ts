/** A bucket for each project that holds one second of notifications and fills steadily. */
export type RateLimit = { perSecond: number; buckets: Map<string, { left: number; at: number }> }

export function createRateLimit(perSecond: number): RateLimit {
  return { perSecond, buckets: new Map() }
}

/**
 * Takes `count` notifications out of the project's bucket, all or none, at `now` (Unix ms).
 * False = over the limit (Expo: 600 notifications a second for each project).
 */
export function takeFromRate(limit: RateLimit, project: string, count: number, now: number): boolean {
  if (limit.perSecond === 0) return true
  const bucket = limit.buckets.get(project) ?? { left: limit.perSecond, at: now }
  limit.buckets.set(project, bucket)
  const refill = (Math.max(0, now - bucket.at) * limit.perSecond) / 1000
  bucket.left = Math.min(limit.perSecond, bucket.left + refill)
  bucket.at = now
  if (bucket.left < Math.min(count, limit.perSecond)) return false
  bucket.left -= count
  return true
}
