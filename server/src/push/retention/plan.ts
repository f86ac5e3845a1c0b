import type { Deps } from '../../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { isDue } from './partitions.ts'
import {
  countRowsBefore,
  findUnfinished,
  listPartitions,
  measurePartitions,
  type Partition,
} from './partitions.queries.ts'
import { keptFrom } from './rows.ts'

type Fate = 'open' | 'kept' | 'held' | 'to be deleted' | 'gone'

export type PlannedPartition = Partition & {
  fate: Fate
  rows: number
  bytes: number
}

/** `before` bounds the rows of the other tables; undefined: none of them goes. */
export type RetentionPlan = {
  partitions: PlannedPartition[]
  before: Date | undefined
  rows: { batches: number; submissions: number; skips: number }
}

/** Reads three tables from end to end. */
export async function planRetention(deps: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<RetentionPlan> {
  const all = await listPartitions(deps.db)
  const sizes = await measurePartitions(
    deps.db,
    all.map((partition) => partition.name),
  )
  const partitions: PlannedPartition[] = []
  // There is one for each month.
  for (const partition of all) {
    const { rows, bytes } = sizes.get(partition.name) ?? { rows: 0, bytes: 0 }
    partitions.push({ ...partition, ...(await fateOf(deps, partition)), rows, bytes })
  }
  const before = keptFrom(
    partitions.map((partition) =>
      partition.fate === 'to be deleted' ? { ...partition, let_go_at: fromNow(deps.clock) } : partition,
    ),
  )
  const rows = before === undefined ? { batches: 0, submissions: 0, skips: 0 } : await countRowsBefore(deps.db, before)
  return { partitions, before, rows }
}

async function fateOf(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  partition: Partition,
): Promise<{ fate: Fate; held_by: number | null }> {
  const fate = (is: Fate, held_by: number | null = null) => ({ fate: is, held_by })
  if (partition.dropped_at !== null) return fate('gone')
  if (partition.made_to === null) return fate('open')
  if (partition.let_go_at !== null) return fate('to be deleted')
  if (!isDue(partition, config.RETENTION_DAYS, fromNow(clock))) return fate('kept')
  const unfinished = await findUnfinished(db, partition)
  return unfinished === undefined ? fate('to be deleted') : fate('held', unfinished)
}
