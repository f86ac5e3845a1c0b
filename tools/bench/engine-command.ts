import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../local-postgres/src/free-port.ts'
import { measureHeld } from './engine-held.ts'
import { measureSingles } from './engine-singles.ts'
import { measureEngine, measureScript } from './engine.ts'
import { median } from './median.ts'

const OURS = fileURLToPath(new URL('../..', import.meta.url))

/**
 * `npm run bench -- engine`: campaigns on a PostgreSQL with its default settings (`TEST_POSTGRES`), fresh, aged, 5 ms
 * away, to inboxes alone, pushes to single people, and campaigns beside a held snapshot (`--minutes`); all but the last
 * alternating with a checkout of another version (`--before <folder>`) and with a script of the official client.
 * `--pairs` rounds, whose median is told; `--devices` people addressed; `--only aged-0,fresh-50` some of the kinds.
 */
export async function benchEngine(words: string[], say: (line: string) => void): Promise<void> {
  const option = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
  const audience = Number(option('--devices') ?? 100_000)
  const pairs = Number(option('--pairs') ?? 5)
  const before = option('--before')
  // The official client reads its address once.
  const port = String(await freePort())
  const roots = { ...(before && { before: resolve(before) }), now: OURS }
  const only = option('--only')?.split(',')
  for (const { name, ...kind } of KINDS.filter((one) => only?.includes(one.name) ?? true)) {
    const wish = { audience, history: HISTORY, port, ...kind }
    if (name === 'held') {
      const found = await measureHeld({ ...wish, root: OURS }, Number(option('--minutes') ?? 10))
      say(`held: ${JSON.stringify(found)}`)
      continue
    }
    const figures = new Map<string, Figures[]>()
    const scripts: number[] = []
    const measure = name === 'single' ? measureSingles : measureEngine
    for (let pair = 0; pair < pairs; pair++) {
      for (const [version, root] of Object.entries(roots)) {
        const found: Figures = await measure({ ...wish, root })
        figures.set(version, [...(figures.get(version) ?? []), found])
        say(`  ${name} ${version} ${JSON.stringify(rounded(found))}`)
      }
      if (name !== 'single') scripts.push(await measureScript({ ...wish, isAged: false, root: OURS }))
    }
    for (const [version, found] of figures)
      say(`${name} ${version}, median of ${pairs}: ${JSON.stringify(rounded(findMedian(found)))}`)
    if (scripts.length > 0) say(`${name} script of the official client, median of ${pairs}: ${median(scripts)}/s`)
  }
}

// A user has so many rows, one a campaign.
const HISTORY = 10
const PLAIN = { isAged: false, latencyMs: 0, databaseMs: 0, isInboxOnly: false }
const KINDS: ({ name: string } & typeof PLAIN)[] = [
  { ...PLAIN, name: 'fresh-0' },
  { ...PLAIN, name: 'fresh-50', latencyMs: 50 },
  { ...PLAIN, name: 'aged-0', isAged: true },
  { ...PLAIN, name: 'aged-50', isAged: true, latencyMs: 50 },
  { ...PLAIN, name: 'far-50', latencyMs: 50, databaseMs: 5 },
  { ...PLAIN, name: 'inbox', isInboxOnly: true },
  { ...PLAIN, name: 'single' },
  { ...PLAIN, name: 'held' },
]

type Figures = Record<string, number>

function findMedian(found: Figures[]): Figures {
  const names = Object.keys(found[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(found.map((one) => one[name] ?? Number.NaN))]))
}

function rounded(figures: Figures): Figures {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value * 100) / 100]))
}
