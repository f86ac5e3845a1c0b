import type { Deps } from '../../deps.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { countDeletableMessages } from '../records/messages.queries.ts'
import { messagesKeptFrom } from './old-messages.ts'
import { isDue } from './partitions.ts'
import {
  countRowsBefore,
  findUnfinished,
  listPartitions,
  measurePartitions,
  type Partition,
} from './partitions.queries.ts'
import { keptFrom } from './rows.ts'

type PlanDeps = Pick<Deps, 'db' | 'clock' | 'config'>
type Fate = 'open' | 'kept' | 'held' | 'to be deleted' | 'gone'

export type PlannedPartition = Partition & {
  fate: Fate
  rows: number
  bytes: number
}

/** `before` bounds the rows of the other tables; undefined: none of them goes. Messages go long after them. */
export type RetentionPlan = {
  partitions: PlannedPartition[]
  before: Date | undefined
  rows: { batches: number; submissions: number; skips: number }
  messages: { before: Date; count: number } | undefined
}

/** Reads four tables from end to end. */
export async function planRetention(deps: PlanDeps): Promise<RetentionPlan> {
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
  return { partitions, before, rows, messages: await planMessages(deps, all) }
}

async function planMessages(deps: PlanDeps, partitions: Partition[]): Promise<RetentionPlan['messages']> {
  const before = messagesKeptFrom(deps, partitions)
  if (!before) return undefined
  const count = await inPlannedTransaction(deps.db, 'by index', (tx) => countDeletableMessages(tx, before))
  return { before, count }
}

async function fateOf(
  { db, clock, config }: PlanDeps,
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
