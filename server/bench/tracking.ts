import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { callsOf, load, openSessions } from './callers.ts'
import { BENCH_JWT_SECRET, type Bench } from './setup.ts'

const ROUNDS = 8
const SECONDS = 2
const SETTINGS = { PROCESS: 'web', EXPO_BASE_URL: 'http://127.0.0.1:9' }

type Figures = { perSecond: number; microseconds: number }
export type TrackingFigures = { tracked: Figures; untracked: Figures }

/**
 * What noting who is active costs: requests a second, and microseconds of the API process for each, with and without
 * it, by turns in one run; medians. The first turns, in which everybody's first call falls, count too.
 */
export async function measureTracking(bench: Bench): Promise<TrackingFigures> {
  const tracked = await bench.service(SETTINGS)
  const untracked = await bench.script(fileURLToPath(new URL('untracked-server.ts', import.meta.url)), {
    ...SETTINGS,
    JWT_SECRET: BENCH_JWT_SECRET,
    RATE_LIMITS: 'off',
  })
  try {
    const calls = callsOf(await openSessions(bench), '/api/user/settings')
    for (const { url } of [untracked, tracked]) await load(url, calls, 1)
    await bench.pool.query('update users set last_active_day = null, last_active_at = null')
    await bench.pool.query('truncate user_activity_day, activity_gap_day')
    const turns: { tracked: Figures[]; untracked: Figures[] } = { tracked: [], untracked: [] }
    for (let round = 0; round < ROUNDS; round++) {
      // Whoever goes second has it a little warmer.
      const parts = [['tracked', tracked] as const, ['untracked', untracked] as const]
      for (const [name, part] of round % 2 === 0 ? parts : parts.toReversed()) {
        const before = await cpuOf(part.pid)
        const { perSecond, answered } = await load(part.url, calls, SECONDS)
        turns[name].push({ perSecond, microseconds: ((await cpuOf(part.pid)) - before) / answered })
      }
    }
    return { tracked: medians(turns.tracked), untracked: medians(turns.untracked) }
  } finally {
    await tracked.stop()
    await untracked.stop()
  }
}

/** Microseconds of processor time that a process has used; Linux counts them in hundredths of a second. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function medians(figures: Figures[]): Figures {
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
  return {
    perSecond: median(figures.map(({ perSecond }) => perSecond)),
    microseconds: Math.round(median(figures.map(({ microseconds }) => microseconds))),
  }
}
