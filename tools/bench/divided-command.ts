import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCitus } from './citus.ts'
import { measureDivided, openWarmStage, type DividedFigures, type WarmStage } from './divided.ts'
import type { EngineWish } from './engine.ts'
import { median } from './median.ts'

const PAIRS = 3
const WISH = {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  isAged: false,
  history: 0,
  latencyMs: 0,
  databaseMs: 0,
  isInboxOnly: false,
  port: '0',
}

/**
 * `npm run bench -- divided`: a Citus of a coordinator and two workers beside a plain server, by turns, with their
 * default settings (`TEST_POSTGRES`, in which Citus is installed), and beside a Citus with another version of the
 * service (`--before <a checkout>`). `--pairs` rounds, whose median is told; `--devices` people addressed.
 */
export async function benchDivided(words: string[], say: (line: string) => void): Promise<void> {
  const option = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
  const pairs = Number(option('--pairs') ?? PAIRS)
  const wish = { ...WISH, audience: Number(option('--devices') ?? 100_000) }
  const before = option('--before')
  const wishes: Record<string, EngineWish> = {
    plain: wish,
    divided: { ...wish, startNodes: startCitus },
    ...(before !== undefined && { before: { ...wish, root: resolve(before), startNodes: startCitus } }),
  }
  const stages = new Map<string, WarmStage>()
  const found = new Map<string, DividedFigures[]>()
  try {
    for (const [kind, one] of Object.entries(wishes)) stages.set(kind, await openWarmStage(one, pairs))
    for (let pair = 0; pair < pairs; pair++) {
      for (const [kind, stage] of stages) {
        const figures = await measureDivided(stage)
        found.set(kind, [...(found.get(kind) ?? []), figures])
        say(`  ${kind} ${JSON.stringify(figures)}`)
      }
    }
  } finally {
    for (const { stage } of stages.values()) await stage.close()
  }
  const [plain = [], ...others] = found.values()
  for (const [n, divided] of others.entries()) {
    say(`${['divided', 'before'][n]}, median of ${pairs}`)
    for (const line of describe({ plain, divided })) say(line)
  }
}

type Found = Record<'plain' | 'divided', DividedFigures[]>

/**
 * Homes divide what workers do, and nothing divides what the coordinator does. So `workers` servers of its size carry
 * the rate of a plain one times the smaller of plain ÷ coordinator and workers × plain ÷ all workers, in CPU for the
 * same copies, where homes are even.
 */
function describe({ plain, divided }: Found): string[] {
  const ratio = (read: (figures: DividedFigures) => number) => medianOf(divided, read) / medianOf(plain, read)
  const alone = medianOf(plain, ({ campaign }) => campaign.all)
  const first = medianOf(divided, ({ campaign }) => campaign.coordinator)
  const others = medianOf(divided, ({ campaign }) => campaign.all - campaign.coordinator)
  const whileIdle = medianOf(divided, ({ idle, seconds }) => idle.coordinator * seconds)
  const rates = [1, 2, 4, 8].map((workers) => Math.min(alone / first, (workers * alone) / others).toFixed(2))
  const both = (read: (figures: DividedFigures) => number) =>
    `plain ${medianOf(plain, read).toFixed(2)}, divided ${medianOf(divided, read).toFixed(2)} ms`
  const rows = [
    ['CPU of the coordinator, 100,000 copies', `${first.toFixed(0)} ms`, `wanted 300; idle ${whileIdle.toFixed(0)}`],
    [
      'CPU of all servers',
      `${ratio(({ campaign }) => campaign.all).toFixed(2)} ×`,
      `wanted 1.5; plain ${alone.toFixed(0)}, divided ${(first + others).toFixed(0)} ms`,
    ],
    ['rate at 1, 2, 4, 8 workers, computed', rates.join(', '), 'wanted 0.85, 1.7, 3.4, 3.6'],
    [
      'CPU of an event that pushes',
      `${ratio(({ swap }) => swap.all).toFixed(2)} ×`,
      `wanted 5; ${both(({ swap }) => swap.all)}`,
    ],
    [
      'its answer, p95',
      `${medianOf(divided, ({ p95 }) => p95)} ms`,
      `wanted 25; plain ${medianOf(plain, ({ p95 }) => p95)} ms`,
    ],
    [
      'CPU of a page of an inbox',
      `${ratio(({ inbox }) => inbox.all).toFixed(2)} ×`,
      `wanted 2; ${both(({ inbox }) => inbox.all)}`,
    ],
    [
      'CPU of a badge',
      `${ratio(({ badge }) => badge.all).toFixed(2)} ×`,
      `wanted 2; ${both(({ badge }) => badge.all)}`,
    ],
    [
      'the busiest of two workers',
      `${(100 * medianOf(divided, ({ campaign }) => campaign.busiest)).toFixed(0)} %`,
      'wanted 55',
    ],
    ['CPU of an idle second', `${ratio(({ idle }) => idle.all).toFixed(2)} ×`, both(({ idle }) => idle.all)],
    ['the same of the coordinator', `${medianOf(divided, ({ idle }) => idle.coordinator).toFixed(0)} ms`, ''],
    [
      'pushes a second, all on one machine',
      `${medianOf(divided, ({ perSecond }) => perSecond)}/s`,
      `plain ${medianOf(plain, ({ perSecond }) => perSecond)}/s`,
    ],
  ]
  return rows.map(
    ([what = '', figure = '', remark = '']) => `    ${what.padEnd(42)} ${figure.padStart(22)}   ${remark}`,
  )
}

function medianOf(found: DividedFigures[], read: (figures: DividedFigures) => number): number {
  return median(found.map(read))
}
