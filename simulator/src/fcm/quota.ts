/** Requests in a window that begins with the first one, so that it is aligned to no clock. */
export type Quota = { perMinute: number; startedAt: number; taken: number; phones: Map<string, number> }

const WINDOW_MS = 60_000
/** Google: 240 messages a minute to one Android phone. */
const A_PHONE = 240

export function createQuota(perMinute: number): Quota {
  return { perMinute, startedAt: -Infinity, taken: 0, phones: new Map() }
}

/** What is exceeded, with the milliseconds until the window ends. 0 a minute: the project has no limit. */
export function takeQuota(
  quota: Quota,
  token: string,
  now: number,
): { exceeded: 'project' | 'device'; leftMs: number } | undefined {
  if (now - quota.startedAt >= WINDOW_MS) {
    quota.startedAt = now
    quota.taken = 0
    quota.phones.clear()
  }
  const leftMs = quota.startedAt + WINDOW_MS - now
  if (quota.perMinute > 0 && quota.taken >= quota.perMinute) return { exceeded: 'project', leftMs }
  quota.taken++
  const toPhone = (quota.phones.get(token) ?? 0) + 1
  quota.phones.set(token, toPhone)
  return toPhone > A_PHONE ? { exceeded: 'device', leftMs } : undefined
}
