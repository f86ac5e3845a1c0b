import type { Pool } from 'pg'
import type { Command, Options } from '../../platform/process/command.ts'
import type { PushDeps } from '../deps.ts'
import { runChores } from '../../platform/shared/chores.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { countDeletableMessages } from '../records/old-messages.queries.ts'
import { countRowsBefore, findUnfinished } from './deleted-months.queries.ts'
import { messagesKeptFrom, monthKept, retentionChores } from './retention.ts'

/** The advisory lock of the command. */
const RETENTION = 7_261_990_002

export const retentionCommand = {
  doc: 'Delete what is older than RETENTION_DAYS and RETENTION_MESSAGE_DAYS allow: notifications and their records, and messages.',
  options: { 'dry-run': { doc: 'Say what would be deleted, and change nothing.' } },
  run: async (deps: PushDeps, options: Options) => {
    const text = await describe(deps)
    if (options['dry-run'] !== undefined) return { text, isGood: true }
    const hasRun = await withAdvisoryLock(deps.pool, RETENTION, () =>
      runChores(deps.log, retentionChores(deps, new AbortController().signal)),
    )
    if (!hasRun)
      return {
        text: 'Another retention command runs on this database: nothing was deleted by this one.',
        isGood: false,
      }
    return { text, isGood: true }
  },
} satisfies Command<PushDeps>

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

async function describe(deps: PushDeps): Promise<string> {
  const { RETENTION_DAYS: keepDays, RETENTION_MESSAGE_DAYS: messageDays } = deps.config
  const due = monthKept(fromNow(deps.clock), keepDays)
  const unfinished = await findUnfinished(deps.db, due)
  const rows = await countRowsBefore(deps.db, due)
  const ofMessages = await messagesKeptFrom(deps)
  const messages =
    ofMessages && (await inPlannedTransaction(deps.db, 'by index', (tx) => countDeletableMessages(tx, ofMessages)))
  return [
    unfinished
      ? `Notifications from ${toDay(unfinished.madeAt)} on are kept for message ${unfinished.messageId}, which is not finished.`
      : `Notifications are kept ${keepDays} days, those of messages from before ${toDay(due)} go.`,
    `Deleted with them: ${rows.batches} batches, ${rows.requests} requests, ${rows.skips} skips.`,
    ofMessages === undefined || messages === 0
      ? 'No messages are deleted.'
      : `Deleted from before ${toDay(ofMessages)}: ${messages} messages to named users, whose notifications were deleted ${messageDays} days ago.`,
  ].join('\n')
}

function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
