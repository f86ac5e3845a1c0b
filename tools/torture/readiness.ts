import { repeat } from './repeat.ts'

/** What a load balancer sees of a process: `at` is from performance.now(), `status` 0 is no answer. */
export type Look = { at: number; status: number }

const EVERY_MS = 100
const LATE_MS = 2_000

/** Requests /api/ready ten times a second, as a load balancer does, until stopped. */
export function watchReadiness(url: string): { stop(): Promise<Look[]> } {
  const ending = new AbortController()
  const looks: Look[] = []
  const looping = repeat(EVERY_MS, ending.signal, async () => {
    const at = performance.now()
    const answer = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(LATE_MS) }).catch(() => undefined)
    await answer?.text().catch(() => undefined)
    looks.push({ at, status: answer?.status ?? 0 })
  })
  return {
    stop: async () => {
      ending.abort()
      await looping
      return looks
    },
  }
}
