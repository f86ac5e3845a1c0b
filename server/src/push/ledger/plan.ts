import type { Runner, Tx } from '../../platform/db/connect.ts'
import { together } from '../../platform/db/transaction.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import { addCounts, type CountChange } from '../records/counts.queries.ts'
import { countPushes } from '../records/push-counts.ts'
import { insertSkips, type Skip } from '../records/skips.queries.ts'
import { countsIn, type Counts, type Ledger } from './ledger.ts'
import { insertEntries, voidEntries, type NewEntry } from './entries.queries.ts'
import { listOpened } from './reactions.queries.ts'
import { changeUnread, type Unread } from './unread.ts'
import type { Work } from '../../platform/work/work.ts'
import { lockLedgers, storeLedgers } from './ledger.queries.ts'
import { deleteWork, insertWork, type NewWork, type WorkRow } from './work.queries.ts'

/** What a transaction decides about batches that it has locked; `carryOut` writes it in a few statements. */
export type Plan = {
  now: Date
  ledger(batchId: number): Ledger
  /** Nothing waits of it any more, or what `later` says. */
  done: WorkRow[]
  later: NewWork[]
  skips: Skip[]
  entries: NewEntry[]
  /** Entries that are not true any more. */
  voided: { userId: number; messageId: number }[]
  /** Copies of people whose entries were there before, and may be opened meanwhile. */
  followed: { userId: number; messageId: number; copies: number }[]
  counts: CountChange[]
  /** Batches whose copies changed. */
  changed: number[]
}

export async function planFor(tx: Runner, batchIds: readonly number[], now: Date): Promise<Plan> {
  const ledgers = await lockLedgers(tx, [...new Set(batchIds)])
  return {
    now,
    ledger: (batchId) => must(ledgers.get(batchId), 'batch of work'),
    done: [],
    later: [],
    skips: [],
    entries: [],
    voided: [],
    followed: [],
    counts: [],
    changed: [],
  }
}

export function skip(plan: Plan, { messageId, batchId }: WorkRow, owners: readonly number[], reason: SkipReason): void {
  if (owners.length === 0) return
  const { userIds } = plan.ledger(batchId)
  for (const owner of owners) {
    const userId = must(userIds[owner], 'user of a batch')
    // User 0 is a person who was purged. Only the counters keep them (decision C7).
    if (userId !== 0) plan.skips.push({ messageId, userId, reason })
  }
  plan.counts.push({ messageId, [`skipped_${reason}`]: owners.length })
}

/** What changes copies that exist. Gives how the counters of messages changed. */
export async function carryOut(tx: Tx, plan: Plan, seed: number): Promise<CountChange[]> {
  const counts = countsOf(plan)
  await together(tx, (runner) => Promise.all([...storeCopies(runner, plan), addCounts(runner, counts, seed)]))
  return counts
}

/** What decides about people: also their entries. `totals`: their unread entries and lines then. */
export async function carryOutDecisions(
  work: Work,
  plan: Plan,
  seed: number,
): Promise<{ counts: CountChange[]; totals: Map<number, number> }> {
  await together(work.tx, (runner) => Promise.all(storeCopies(runner, plan)))
  const totals = await storeEntries(work, plan)
  const counts = countsOf(plan)
  // Last, so that no other worker waits long for a counter.
  await together(work.tx, (runner) =>
    Promise.all([addCounts(runner, counts, seed), countPushes(runner, counts, { at: plan.now, seed })]),
  )
  return { counts, totals }
}

function storeCopies(runner: Runner, plan: Plan): Promise<void>[] {
  const done = plan.done.map(({ workId }) => workId)
  return [
    storeLedgers(runner, changedLedgers(plan)),
    deleteWork(runner, done),
    insertWork(runner, plan.later),
    insertSkips(runner, plan.skips, plan.now),
  ]
}

function countsOf(plan: Plan): CountChange[] {
  return [...changedLedgers(plan).map(changeOf), ...plan.counts]
}

function changedLedgers({ changed, ledger }: Plan): Ledger[] {
  return [...new Set(changed)].toSorted((a, b) => a - b).map((batchId) => ledger(batchId))
}

/** After all other locks but those of counters. */
async function storeEntries(work: Work, { entries, voided, followed, counts }: Plan): Promise<Map<number, number>> {
  const listed = entries.filter(({ isListed }) => isListed)
  await insertEntries(
    work.tx,
    entries.filter(({ isListed }) => !isListed),
    work.now(),
  )
  const people = [...listed, ...voided, ...followed].map(({ userId }) => userId)
  if (people.length === 0) return new Map()
  return changeUnread(work, people, async (unread) => {
    await insertEntries(work.tx, listed, unread.at)
    for (const { userId } of listed) unread.addEntries(userId, 1)
    for (const [messageId, own] of Map.groupBy(voided, (one) => one.messageId))
      for (const userId of await voidEntries(
        work.tx,
        messageId,
        own.map((one) => one.userId),
      ))
        unread.addEntries(userId, -1)
    for (const { messageId, copies } of await listOpened(work.tx, followed)) counts.push({ messageId, opened: copies })
    return new Map(people.map((userId) => [userId, totalOf(unread, userId)]))
  })
}

function totalOf(unread: Unread, userId: number): number {
  const { entries, lines } = unread.countsOf(userId)
  return entries + lines
}

/** By how much the counters of its message change. */
function changeOf(ledger: Ledger): CountChange {
  const after = countsIn(ledger)
  const names = Object.keys(after) as (keyof Counts)[]
  return {
    messageId: ledger.messageId,
    ...Object.fromEntries(names.map((name) => [name, after[name] - ledger.before[name]])),
  }
}
