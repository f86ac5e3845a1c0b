import type { Pool } from 'pg'
import { residentMegabytes } from '../bench/processes.ts'
import type { Process } from '../torture/processes.ts'
import { median } from '../bench/median.ts'

/** A table or an index; `rows` are those of the table. */
type Relation = { name: string; bytes: number; rows: number; dead: number }
export type Sample = { megabytes: Record<string, number>; relations: Relation[]; deadlocks: number }

/** Memory goes up and down over eight rounds or so, and a quarter must hold that. */
export const SAMPLES_LEAST = 32
const MEMORY = { factor: 1.1, slack: 16 }
const SIZE = { factor: 1.25, slack: 2 ** 20 }
// A row that stays while those around it go, as a campaign among pushes to one person, keeps its page from being used
// again.
const PAGE_BYTES = 8_192
const KEPT_MOST_BYTES = 4 * 2 ** 20
/** Vacuum lets so many stand. */
const DEAD = { factor: 1.25, slack: 10_000 }

/** Looks at the tables whose rows were changed or deleted. */
export async function takeSample(pool: Pool, processes: Process[]): Promise<Sample> {
  const { rows: relations } = await pool.query<Relation>(
    `select r.name, pg_relation_size(r.id)::float8 as bytes, t.n_live_tup::int as rows, r.dead::int
     from pg_stat_user_tables t cross join lateral (
       select relname as name, relid as id, n_dead_tup as dead
       union all select indexrelid::regclass::text, indexrelid, 0 from pg_index where indrelid = relid) r
     where schemaname = 'public' and n_tup_upd + n_tup_del > 0`,
  )
  const { rows } = await pool.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  const megabytes = await Promise.all(
    processes.map(async ({ name, pid }) => [name, await residentMegabytes(pid)] as const),
  )
  return { megabytes: Object.fromEntries(megabytes), relations, deadlocks: rows[0]?.deadlocks ?? 0 }
}

export function describeSample({ megabytes, relations, deadlocks }: Sample): string {
  const memory = Object.entries(megabytes).map(([name, size]) => `${name} ${size} MB`)
  const sum = (of: 'bytes' | 'dead') => relations.reduce((total, one) => total + one[of], 0)
  const size = (sum('bytes') / 1e6).toFixed(1)
  return `${memory.join(', ')}, hot tables ${size} MB, ${sum('dead')} dead rows, ${deadlocks} deadlocks`
}

/**
 * Deadlocks, and what grew: medians of the last quarter against the second. A table may grow with its rows, and by a
 * page for each.
 */
export function judge(samples: Sample[]): string[] {
  const [first, latest] = [samples[0], samples.at(-1)]
  if (first === undefined || latest === undefined) return ['there was no round']
  const faults = latest.deadlocks === 0 ? [] : [`${latest.deadlocks} deadlocks`]
  if (samples.length < SAMPLES_LEAST) return faults
  const quarter = Math.floor(samples.length / 4)
  const quarters = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)]
  const medians = (of: (sample: Sample) => number) => quarters.map((part) => median(part.map(of))) as [number, number]
  const expectSteady = (what: string, [before, after]: [number, number], { factor, slack }: typeof SIZE) => {
    if (after > before * factor + slack) faults.push(`${what} grew from ${Math.round(before)} to ${Math.round(after)}`)
  }
  for (const name of Object.keys(first.megabytes))
    expectSteady(
      `the memory of ${name} (MB)`,
      medians(({ megabytes }) => megabytes[name] ?? 0),
      MEMORY,
    )
  for (const { name } of latest.relations) {
    const [bytes, rows, dead] = (['bytes', 'rows', 'dead'] as const).map((field) =>
      medians(({ relations }) => relations.find((one) => one.name === name)?.[field] ?? 0),
    ) as [[number, number], [number, number], [number, number]]
    const growth = Math.max(1, rows[1] / Math.max(1, rows[0]))
    const kept = Math.min(KEPT_MOST_BYTES, PAGE_BYTES * Math.max(0, rows[1] - rows[0]))
    expectSteady(`${name} (bytes)`, [bytes[0] * growth, bytes[1]], { ...SIZE, slack: SIZE.slack + kept })
    expectSteady(`the dead rows of ${name}`, dead, DEAD)
  }
  return faults
}
