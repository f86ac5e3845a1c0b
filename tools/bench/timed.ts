import { performance } from 'node:perf_hooks'
import { Pool as HttpPool } from 'undici'
import type { Bench } from './setup.ts'

const ROUNDS = 5
const MOST_MS = 60_000

/** The 95th percentile of a kind of request in milliseconds, the slowest of them, and plain SQL for the same answer. */
export type Timed = { what: string; wanted: string; p95: number; worst: string; plainP95: number }

/** Requests of one kind, and plain SQL for the same answers. */
export type Kind = { what: string; wanted: string; paths: string[]; plain: string[] }

/** Asks for all addresses of a kind, one after the other, in six rounds of which the first does not count. */
export async function time(bench: Bench, origin: string, { token }: { token: string }, kind: Kind): Promise<Timed> {
  const http = new HttpPool(origin, { connections: 1 })
  const ask = async (path: string) => {
    const answer = await http.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
    const body = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${body.slice(0, 300)}`)
  }
  const ours = await measureTimes(kind.paths, ask)
  await http.close()
  const plain = await measureTimes(kind.plain, async (statement) => void (await bench.pool.query(statement)))
  const worst = ours.at(-1)!
  return {
    what: kind.what,
    wanted: kind.wanted,
    p95: findP95(ours),
    worst: `${Math.round(worst.ms)} ms at ${worst.what}`,
    plainP95: findP95(plain),
  }
}

/**
 * How long each took, in every round but the first, which warms caches up; the fastest first. No round begins after a
 * minute.
 */
async function measureTimes(
  what: string[],
  run: (one: string) => Promise<void>,
): Promise<{ what: string; ms: number }[]> {
  const times: { what: string; ms: number }[] = []
  const until = performance.now() + MOST_MS
  for (let round = 0; round <= ROUNDS && (round < 2 || performance.now() < until); round++) {
    for (const one of what) {
      const startedAt = performance.now()
      await run(one)
      if (round > 0) times.push({ what: one, ms: performance.now() - startedAt })
    }
  }
  return times.toSorted((a, b) => a.ms - b.ms)
}

function findP95(times: { ms: number }[]): number {
  return Math.round((times[Math.floor(times.length * 0.95)]?.ms ?? Number.NaN) * 10) / 10
}
