import type { PushDeps } from '../deps.ts'
import { atHome, listIdStarts } from '../../platform/db/homes.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { type Chores, runChores } from '../../platform/shared/chores.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import { changeUnread } from '../ledger/badge-counts.ts'
import { deleteRequests } from '../ledger/requests.queries.ts'
import { deleteBatches } from '../ledger/ledger.queries.ts'
import { BULK_BLOCKS, eachHome } from '../records/home.queries.ts'
import { deleteCounts } from '../records/counts.queries.ts'
import { deleteMessages } from '../records/messages.queries.ts'
import { countDeletableMessages, type DeletedUpTo, type DeleteStep } from '../records/old-messages.queries.ts'
import { deleteSkips } from '../records/skips.queries.ts'
import {
  deleteBulkEntries,
  deleteEntries,
  listOldBulkEntries,
  listOldEntries,
  type OldBlocks,
  type UnreadGone,
} from '../ledger/entries.queries.ts'
import { deleteReactions } from '../ledger/reactions.queries.ts'
import {
  endLettingsGo,
  findUnfinished,
  insertLettingGo,
  listLettingsGo,
  countRowsBefore,
} from './deleted-months.queries.ts'
import type { Pool } from 'pg'
import type { Command, Options } from '../../platform/process/command.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'

const DAY_MS = 86_400_000
const ROWS_A_STEP = 5_000
// A row has up to 512 people.
const BULK_ROWS_A_STEP = 50
const MESSAGES_A_STEP = 1_000
const STEPS_A_RUN = 100

/** Copies go a month at a time (ADR 17), what belongs to them in steps, and messages to named users long after. */
export function retentionChores(deps: PushDeps, signal: AbortSignal): Chores {
  type Remove = (db: PushDeps['db'], home: number, step: DeleteStep) => Promise<DeletedUpTo>
  const ofOld =
    (remove: Remove, starts = [0]) =>
    async () => {
      const before = await keptFrom(deps.db)
      if (before === undefined) return
      await eachHome(deps.db, async (home) => {
        const step = (rows: DeleteStep) => atHome(deps.db, home, (db) => remove(db, home, rows))
        for (const after of starts) await deleteInSteps(step, { after, before, limit: ROWS_A_STEP }, signal)
      })
    }
  let areEntriesGone = false
  return {
    'let go of old copies': () => letGo(deps),
    'delete old entries': async () => void (areEntriesGone = await deleteOldEntries(deps, signal)),
    'delete old batches': ofOld(deleteBatches),
    'delete old requests': ofOld(deleteRequests, listIdStarts(deps.db)),
    'delete old skips': ofOld(deleteSkips),
    'note what is deleted': async () => areEntriesGone && noteDeleted(deps, signal),
    'delete old messages': () => deleteOldMessages(deps, signal),
  }
}

/** Copies of messages that are older than this moment were deleted; undefined: none were. */
export async function keptFrom(db: PushDeps['db']): Promise<Date | undefined> {
  return (await listLettingsGo(db)).at(-1)?.madeBefore
}

/** The beginning of the first month that is kept; messages that are not finished keep theirs. */
function monthKept(now: Date, keepDays: number): Date {
  return toMonth(new Date(now.getTime() - keepDays * DAY_MS))
}

/** Messages made before may go: their copies were deleted so long ago. Undefined: none. */
async function messagesKeptFrom({ db, clock, config }: PushDeps): Promise<Date | undefined> {
  const goneBy = fromNow(clock, -config.RETENTION_MESSAGE_DAYS * DAY_MS)
  const gone = (await listLettingsGo(db)).filter(({ deletedAt }) => deletedAt !== null && deletedAt <= goneBy)
  return gone.at(-1)?.madeBefore
}

async function letGo({ db, clock, config, log }: PushDeps): Promise<void> {
  const now = fromNow(clock)
  const due = monthKept(now, config.RETENTION_DAYS)
  const unfinished = await findUnfinished(db, due)
  if (unfinished)
    log.warn({ message: unfinished.messageId }, 'old notifications are kept for a message that is not finished')
  const before = unfinished ? toMonth(unfinished.madeAt) : due
  const last = await keptFrom(db)
  if (last !== undefined && last >= before) return
  await inTransaction(db, (tx) => insertLettingGo(tx, before, now))
  log.info({ before }, 'the notifications of old messages were let go')
}

/** True: none is left. They have no index by time, so they are looked for until it is noted that they are gone. */
async function deleteOldEntries(deps: PushDeps, signal: AbortSignal): Promise<boolean> {
  const { db } = deps
  const last = (await listLettingsGo(db)).at(-1)
  if (last === undefined || last.deletedAt !== null) return true
  const before = last.madeBefore
  await eachHome(db, async (home) => {
    await inAQuarterOfTheTime(() => deleteSomeEntries(deps, home, before), signal)
    let from = 0
    await inAQuarterOfTheTime(async () => {
      const reached = await deleteSomeBulkEntries(deps, home, { from, before, limit: BULK_ROWS_A_STEP })
      // The walk begins again until it finds nothing, because a purge may have held entries of earlier blocks.
      const isOver = reached === undefined && from === 0
      from = reached ?? 0
      return !isOver
    }, signal)
    await inAQuarterOfTheTime(async () => (await deleteReactions(db, home, before, ROWS_A_STEP)) > 0, signal)
  })
  return !signal.aborted
}

/** Deletes a step of them; false: there were none. */
async function deleteSomeEntries(deps: PushDeps, home: number, before: Date): Promise<boolean> {
  return inWork(deps, THE_SERVICE, async (work) => {
    const old = await listOldEntries(work.tx, home, before, ROWS_A_STEP)
    const userIds = old.map(({ userId }) => userId)
    const places = old.map(({ at }) => at)
    if (old.length > 0) await takeAway(work, userIds, () => deleteEntries(work.tx, home, places, before))
    return old.length > 0
  })
}

/** Deletes a step of them, and gives the last block of the step; undefined: from `blocks.from` on there were none. */
async function deleteSomeBulkEntries(deps: PushDeps, home: number, blocks: OldBlocks): Promise<number | undefined> {
  return inWork(deps, THE_SERVICE, async (work) => {
    const old = await listOldBulkEntries(work.tx, home, blocks)
    const userIds = [...new Set(old.map(({ block }) => block))].flatMap((block) =>
      Array.from({ length: BULK_BLOCKS.size }, (_, place) => block * BULK_BLOCKS.size + place),
    )
    if (old.length > 0) await takeAway(work, userIds, () => deleteBulkEntries(work.tx, home, old, blocks.before))
    return old.at(-1)?.block
  })
}

async function takeAway(work: Work, userIds: number[], remove: () => Promise<UnreadGone[]>): Promise<void> {
  await changeUnread(work, userIds, async (unread) => {
    for (const gone of await remove()) unread.addEntries(gone.userId, -gone.unread)
  })
}

async function noteDeleted({ db, clock }: PushDeps, signal: AbortSignal): Promise<void> {
  const before = await keptFrom(db)
  if (before !== undefined && !signal.aborted) await endLettingsGo(db, before, fromNow(clock))
}

async function deleteOldMessages(deps: PushDeps, signal: AbortSignal): Promise<void> {
  const before = await messagesKeptFrom(deps)
  const remove = (step: DeleteStep) =>
    inTransaction(deps.db, async (tx) => {
      const { last, messageIds } = await deleteMessages(tx, step)
      await deleteCounts(tx, messageIds)
      return last
    })
  if (before) await deleteInSteps(remove, { after: 0, before, limit: MESSAGES_A_STEP }, signal)
}

/** Repeats work in a quarter of the time, so that pushes go first, while there is more of it. */
async function inAQuarterOfTheTime(work: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const from = performance.now()
    if (!(await work())) return
    await sleep(3 * (performance.now() - from), signal)
  }
}

/** The next run goes on. */
async function deleteInSteps(
  step: (rows: DeleteStep) => Promise<DeletedUpTo>,
  rows: DeleteStep,
  signal: AbortSignal,
): Promise<void> {
  let { after } = rows
  let steps = 0
  await inAQuarterOfTheTime(async () => {
    const last = await step({ ...rows, after })
    if (last === null) return false
    after = last
    return ++steps < STEPS_A_RUN
  }, signal)
}

function toMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), 1))
}

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
