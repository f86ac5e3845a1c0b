import type { Deps } from '../../deps.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inTransaction, isLockTimeout, isStatementTimeout } from '../../platform/db/transaction.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import { markBadges } from '../badges/badges.ts'
import { monthAfter, partitionOf } from './months.ts'
import {
  analyzePartitions,
  boundPartition,
  detachPartition,
  dropPartition,
  findUnfinished,
  holdPartition,
  listPartitions,
  lockPartition,
  proveBound,
  splitOpenPartition,
  takeUnreadUsers,
  unboundPartition,
  type Partition,
} from './partitions.queries.ts'
import { inAQuarterOfTheTime } from './rows.ts'

type PartitionDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'log'>

const DAY_MS = 86_400_000
// A partition is made this long before its month begins.
const AHEAD_MS = 14 * DAY_MS
// Between the decision where an open partition ends and that end.
const NOTICE_MS = 2 * DAY_MS
const USERS_A_STEP = 5_000
const LOCK_ATTEMPTS = 20
const LOCK_WAIT_MS = 500

/** The last one is open, so no insert fails. Its end is set, proved without a lock, and then made (ADR 051). */
export async function makePartitions(deps: PartitionDeps): Promise<void> {
  const now = fromNow(deps.clock)
  for (;;) {
    const open = (await listPartitions(deps.db)).find((partition) => partition.made_to === null)
    if (open === undefined) throw new Error('No partition of the notifications is open.')
    if (open.made_from !== null && open.made_from.getTime() >= now.getTime() + AHEAD_MS) return
    const earliest = now.getTime() + NOTICE_MS
    const to = monthAfter(new Date(Math.max(open.made_from?.getTime() ?? earliest, earliest)))
    await endOpenPartition(deps, open.name, to)
    deps.log.info(
      { partition: open.name, next: partitionOf(to) },
      'the notifications have a partition for another month',
    )
    await analyzePartitions(deps.db)
  }
}

async function endOpenPartition(deps: PartitionDeps, name: string, to: Date): Promise<void> {
  await retryLocks(deps, async (tx) => {
    const partition = await lockPartition(tx, name)
    if (isOpen(partition)) await boundPartition(tx, partition, to)
  })
  try {
    await prove(deps, name)
    await retryLocks(deps, async (tx) => {
      const partition = await lockPartition(tx, name)
      if (isOpen(partition)) await splitOpenPartition(tx, partition, { to, next: partitionOf(to) })
    })
  } catch (error) {
    // A bound without a next partition would one day refuse messages.
    await unboundPartition(deps.db, name)
    throw error
  }
}

async function prove({ db }: PartitionDeps, name: string): Promise<void> {
  try {
    await proveBound(db, name)
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    const todo = 'Run "npm run manage -- retention" once, which has no time limit.'
    throw new Error(`The rows of ${name} could not be read within the time limit of a statement. ${todo}`, {
      cause: error,
    })
  }
}

function isOpen(partition: Partition | undefined): partition is Partition {
  return partition?.made_to === null
}

/** Past RETENTION_DAYS and all finished (ADR 051). A crash in between is made up for by the next run. */
export async function letPartitionsGo(deps: PartitionDeps, signal: AbortSignal): Promise<void> {
  for (const partition of await listPartitions(deps.db)) {
    if (signal.aborted) return
    if (partition.let_go_at === null && !(await letGo(deps, partition))) continue
    if (partition.dropped_at === null) await dropAfterCounting(deps, partition.name, signal)
  }
}

export function isDue({ made_to }: Partition, keepDays: number, now: Date): boolean {
  return made_to !== null && made_to.getTime() <= now.getTime() - keepDays * DAY_MS
}

async function letGo(deps: PartitionDeps, { name }: Partition): Promise<boolean> {
  const now = fromNow(deps.clock)
  return retryLocks(deps, async (tx) => {
    const partition = await lockPartition(tx, name)
    if (partition === undefined || !isDue(partition, deps.config.RETENTION_DAYS, now)) return false
    if (partition.let_go_at !== null) return true
    const unfinished = await findUnfinished(tx, partition)
    if (unfinished !== undefined) {
      if (partition.held_by !== unfinished) {
        await holdPartition(tx, name, unfinished)
        deps.log.warn(
          { partition: name, message: unfinished },
          'old notifications are kept for a message that is not finished',
        )
      }
      return false
    }
    await detachPartition(tx, partition, now)
    deps.log.info({ partition: name }, 'the notifications of a partition were let go')
    return true
  })
}

async function dropAfterCounting(deps: PartitionDeps, name: string, signal: AbortSignal): Promise<void> {
  const countSome = async (tx: Tx) => {
    const partition = await lockPartition(tx, name)
    if (partition === undefined || partition.dropped_at !== null) return false
    const userIds = await takeUnreadUsers(tx, partition, USERS_A_STEP)
    await markBadges({ tx, announce: () => announceAfter(deps.queue, tx) }, userIds, { isUrgent: false })
    return userIds.length > 0
  }
  await inAQuarterOfTheTime(() => inTransaction(deps.db, countSome), signal)
  if (signal.aborted) return
  await retryLocks(deps, async (tx) => {
    if ((await lockPartition(tx, name))?.dropped_at === null) await dropPartition(tx, name, fromNow(deps.clock))
  })
  deps.log.info({ partition: name }, 'the table of a partition of the notifications was deleted')
}

/** Waits for a table a tenth of a second, so that nobody waits behind it for longer; twenty times in ten seconds. */
async function retryLocks<T>({ db }: PartitionDeps, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(db, work)
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS || !isLockTimeout(error)) throw error
      await sleep(Math.random() * LOCK_WAIT_MS)
    }
  }
}
