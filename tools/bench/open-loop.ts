import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

export type Call = { path: string; headers: Record<string, string>; method?: 'GET' | 'POST'; body?: string }

/**
 * Sends `perSecond` requests a second for `seconds`, evenly, whether the ones before were answered or not, so that a
 * slow moment shows in the latency of all that fall into it. Gives percentiles in milliseconds.
 */
export async function openLoop(
  url: string,
  calls: Call[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<{ p50: number; p95: number; p99: number }> {
  const http = new Pool(url, { connections: 64 })
  const latencies: number[] = []
  const running: Promise<void>[] = []
  const startedAt = performance.now()
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    const due = startedAt + (sent * 1_000) / perSecond
    const early = due - performance.now()
    if (early > 1) await sleep(early)
    running.push(ask(http, calls[sent % calls.length], due, latencies))
  }
  await Promise.all(running)
  await http.close()
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * 10) / 10
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

async function ask(http: Pool, call: Call | undefined, due: number, latencies: number[]): Promise<void> {
  const { statusCode, body } = await http.request({
    method: call?.method ?? 'GET',
    path: call?.path ?? '/',
    headers: call?.headers ?? {},
    ...(call?.body !== undefined && { body: call.body }),
  })
  await body.dump()
  if (statusCode !== 200 && statusCode !== 201) throw new Error(`The answer was ${statusCode}.`)
  latencies.push(performance.now() - due)
}
