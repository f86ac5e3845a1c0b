import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { toCalls, load, openSessions } from './callers.ts'
import { BENCH_JWT_SECRET, type Bench } from './setup.ts'
import { median } from './median.ts'

const ROUNDS = 20
const SECONDS = 1
const SETTINGS = {
  PROCESS: 'web',
  EXPO_BASE_URL: 'http://127.0.0.1:9',
  JWT_SECRET: BENCH_JWT_SECRET,
  RATE_LIMITS: 'off',
}

type Figures = { perSecond: number; microseconds: number }
/**
 * Medians; `costs` is that of the rounds' ratios, which the machine's other work shifts least: 0.02 is 2 % more time.
 */
export type TrackingFigures = { noted: Figures; unnoted: Figures; costs: Figures }

/**
 * What noting who is active costs: requests a second, and microseconds of the API process for each, with and without
 * it, by turns in one process. Everybody's first call of the day falls into the first turn.
 */
export async function measureTracking(bench: Bench): Promise<TrackingFigures> {
  await using api = await bench.script(fileURLToPath(new URL('switched-server.ts', import.meta.url)), SETTINGS)
  const calls = toCalls(await openSessions(bench), '/api/user/settings')
  process.kill(api.pid, 'SIGUSR2')
  await load(api.url, calls, 3)
  const turns: { noted: Figures[]; unnoted: Figures[] } = { noted: [], unnoted: [] }
  for (let turn = 1; turn <= 2 * ROUNDS; turn++) {
    // Off, on, on, off: what grows or fades over the run falls on both.
    if (turn % 2 === 0) process.kill(api.pid, 'SIGUSR2')
    const before = await readCpu(api.pid)
    const { perSecond, answered } = await load(api.url, calls, SECONDS)
    const figures = { perSecond, microseconds: ((await readCpu(api.pid)) - before) / answered }
    turns[turn % 4 === 2 || turn % 4 === 3 ? 'noted' : 'unnoted'].push(figures)
  }
  const costs = turns.noted.map((figures, round) => toRatio(figures, turns.unnoted[round]!))
  return { noted: medians(turns.noted), unnoted: medians(turns.unnoted), costs: medians(costs) }
}

/** Microseconds of processor time that a process has used; Linux counts them in hundredths of a second. */
export async function readCpu(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function toRatio(noted: Figures, unnoted: Figures): Figures {
  return {
    perSecond: 1 - noted.perSecond / unnoted.perSecond,
    microseconds: noted.microseconds / unnoted.microseconds - 1,
  }
}

function medians(figures: Figures[]): Figures {
  return {
    perSecond: median(figures.map(({ perSecond }) => perSecond)),
    microseconds: median(figures.map(({ microseconds }) => microseconds)),
  }
}
