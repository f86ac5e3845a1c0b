import type { Pool } from 'pg'
import type { Command, Options } from '../../command-line.ts'
import type { Deps } from '../../deps.ts'
import { runChores } from '../../platform/shared/chores.ts'
import { planRetention, type PlannedPartition, type RetentionPlan } from './plan.ts'
import { retentionChores } from './retention.ts'

/** The advisory lock of the command. */
const RETENTION = 7_261_990_002
const DAY_MS = 86_400_000

export const retentionCommand = {
  doc: 'Delete what is older than RETENTION_DAYS and RETENTION_MESSAGE_DAYS allow: notifications and their records, and messages.',
  options: { 'dry-run': { doc: 'Say what would be deleted, and change nothing.' } },
  run: async (deps: Deps, options: Options) => {
    const plan = await planRetention(deps)
    if (options['dry-run'] !== undefined) return { text: toText(plan, deps.config), isGood: true }
    const hasRun = await withAdvisoryLock(deps.pool, RETENTION, () =>
      runChores(deps.log, retentionChores(deps, new AbortController().signal)),
    )
    if (!hasRun)
      return {
        text: 'Another retention command runs on this database: nothing was deleted by this one.',
        isGood: false,
      }
    return { text: toText(plan, deps.config), isGood: true }
  },
} satisfies Command

/** Does `work` while nobody else holds this lock; false, and nothing is done, when somebody does. */
async function withAdvisoryLock(pool: Pool, lock: number, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock])
    if (rows[0]?.taken !== true) return false
    await work()
    return true
  } finally {
    // Closed, not returned to the pool: the lock ends with it.
    client.release(true)
  }
}

function toText({ partitions, before, rows, messages }: RetentionPlan, config: Deps['config']): string {
  const keepDays = config.RETENTION_DAYS
  const shown = partitions.filter(({ fate }) => fate !== 'gone')
  const lines = shown.map(
    (partition) => `  ${partition.name.padEnd(26)} ${sizeOf(partition)}  ${toSentence(partition, keepDays)}`,
  )
  const others = Object.entries(rows).map(([table, count]) => `${count} ${table}`)
  const rest =
    before === undefined
      ? 'No batches, submissions or skips are deleted.'
      : `Deleted from before ${dayOf(before)}: ${others.join(', ')}.`
  const ofMessages =
    messages === undefined
      ? 'No messages are deleted.'
      : `Deleted from before ${dayOf(messages.before)}: ${messages.count} messages to named users, whose notifications were deleted ${config.RETENTION_MESSAGE_DAYS} days ago.`
  return [`Notifications, kept ${keepDays} days:`, ...lines, rest, ofMessages].join('\n')
}

function sizeOf({ rows, bytes }: PlannedPartition): string {
  return `${`~${rows}`.padStart(11)} rows ${String(Math.ceil(bytes / 1_048_576)).padStart(7)} MB`
}

function toSentence({ fate, made_to, held_by }: PlannedPartition, keepDays: number): string {
  if (fate === 'held') return `kept for message ${held_by}, which is not finished`
  if (fate === 'kept' && made_to) return `kept until ${dayOf(new Date(made_to.getTime() + keepDays * DAY_MS))}`
  return fate === 'open' ? 'takes all later messages' : fate
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
