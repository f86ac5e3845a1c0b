import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { atHome } from '../../platform/db/homes.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { apart, together, toCoordinator, waitLong } from '../../platform/db/transaction.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import { workIn, type Ground, type Work } from '../../platform/work/work.ts'
import { addCounts, type CountChange } from '../records/counts.queries.ts'
import { putToSleep } from '../records/messages.queries.ts'
import { countPushes } from '../records/push-counts.queries.ts'
import { insertSkips, type Skip } from '../records/skips.queries.ts'
import { countOpened } from '../records/way-counts.queries.ts'
import { countBatch, findCountChange, type BatchCounts } from './batch-counts.ts'
import { end, waits, type Ledger } from './ledger.ts'
import { insertEntries, voidEntries, type NewEntry } from './entries.queries.ts'
import { listOpened } from './reactions.queries.ts'
import { changeUnread } from './badge-counts.ts'
import { lockLedgers, storeLedgers } from './ledger.queries.ts'
import { deleteWork, insertWork, type NewWork, type WorkRow } from './work.queries.ts'

/** What a transaction decides about batches that it has locked; `carryOut` writes it in a few statements. */
export type Plan = {
  /** That of all the batches. */
  home: number
  now: Date
  /** Picks the slots of counters, so that writers of one message rarely meet (ADR 7). */
  seed: number
  ledger(batchId: number): Ledger
  /** Work that is over; what is still to do of it is in `later`. */
  done: WorkRow[]
  later: NewWork[]
  skips: Skip[]
  entries: NewEntry[]
  /** Entries that are not true any more. */
  voided: { userId: number; messageId: number }[]
  /** Copies of people whose entries were there before, and may be opened meanwhile. */
  followed: { userId: number; messageId: number; ways: string[] }[]
  counts: CountChange[]
  /** The counts of a batch when it was locked. */
  before(batchId: number): BatchCounts
  /** Batches whose copies changed. */
  changed: Set<number>
}

/** A change of batches by the service itself, whose statements find rows by index. */
export function inLedgers<T>(ground: Ground & { db: Db }, change: (work: Work) => Promise<T>): Promise<T> {
  return inPlannedTransaction(ground.db, 'by index', (tx) => change(workIn(ground, tx)))
}

type AtHome<T> = {
  home: number
  /** True for campaigns and receipts, which write rows of the home alone. Other work goes through the coordinator. */
  isApart: boolean
  /** `change` reads people, and holds what it read of them until it is committed. */
  readsPeople?: boolean
  /** What is written of people comes first: in the same transaction, or committed before where there are two. */
  first?: ((work: Work) => Promise<unknown>) | undefined
  change: (work: Work) => Promise<T>
}

/** The same with the server of the home (ADR 2). */
export function inLedgersAtHome<T>(ground: Ground & { db: Db }, wished: AtHome<T>): Promise<T> {
  const { home, isApart, readsPeople, first, change } = wished
  const run = async (db: Db) => {
    if (db === ground.db)
      return inLedgers(ground, async (work) => {
        await first?.(work)
        return change(work)
      })
    if (first) await inLedgers(ground, first)
    const changeBeside = (coordinator: Db) =>
      inPlannedTransaction(db, 'by index', (tx) => change(workIn(ground, apart(tx, coordinator))))
    return readsPeople ? holdingPeople(ground.db, changeBeside) : changeBeside(ground.db)
  }
  return isApart ? atHome(ground.db, home, run) : run(ground.db)
}

/** The transaction that reads people ends last, so that what it holds of them stays until the change is committed. */
async function holdingPeople<T>(db: Db, change: (people: Tx) => Promise<T>): Promise<T> {
  let changed: { result: T } | undefined
  try {
    await inPlannedTransaction(db, 'by index', async (people) => {
      // The other's locks and statements have limits of their own.
      await waitLong(people)
      changed ??= { result: await change(people) }
    })
  } catch (error) {
    // What is committed stays, and the other has only read.
    if (changed === undefined) throw error
  }
  return must(changed, 'change of a home').result
}

/** Locks the batches. */
export async function planFor(
  tx: Runner,
  home: number,
  rows: readonly { batchId: number }[],
  now: Date,
): Promise<Plan> {
  const ledgers = await lockLedgers(tx, home, [...new Set(rows.map(({ batchId }) => batchId))])
  const before = new Map(Array.from(ledgers, ([batchId, ledger]) => [batchId, countBatch(ledger)]))
  return {
    home,
    now,
    seed: rows[0]?.batchId ?? 0,
    ledger: (batchId) => must(ledgers.get(batchId), 'batch of work'),
    done: [],
    later: [],
    skips: [],
    entries: [],
    voided: [],
    followed: [],
    counts: [],
    before: (batchId) => must(before.get(batchId), 'counts of a batch'),
    changed: new Set(),
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

/** Copies that wait end with `code`; users who are not decided yet are skipped for `reason`. */
export function endWork(plan: Plan, work: WorkRow, { code, reason }: { code: string; reason: SkipReason }): void {
  if (work.provider === null) return skip(plan, work, work.places, reason)
  const ledger = plan.ledger(work.batchId)
  plan.changed.add(work.batchId)
  for (const place of work.places) if (waits(ledger, place)) end(ledger, place, code, plan.now)
}

/** Writes the batches that changed, and the differences of their counts. */
export async function carryOut(tx: Tx, plan: Plan): Promise<void> {
  await together(tx, (runner) =>
    Promise.all([...storeCopies(runner, plan), ...storeCounts(runner, plan, listCountChanges(plan))]),
  )
  await sleepUntilDue(tx, plan)
}

/** Writes what decides about people, with their entries. `totals`: their unread entries and lines then. */
export async function carryOutDecisions(
  work: Work,
  plan: Plan,
): Promise<{ counts: CountChange[]; totals: Map<number, number> }> {
  await together(work.tx, (runner) => Promise.all(storeCopies(runner, plan)))
  const totals = await storeEntries(work, plan)
  const counts = listCountChanges(plan)
  // Counters come last, so that no other worker waits long for one.
  await together(work.tx, (runner) => Promise.all(storeCounts(runner, plan, counts)))
  await sleepUntilDue(work.tx, plan)
  return { counts, totals }
}

/** What the server of a home changes is of campaigns, which never sleep. */
async function sleepUntilDue(tx: Tx, { home, later, now }: Plan): Promise<void> {
  if (toCoordinator(tx) !== tx) return
  const early = later.filter(({ dueAt }) => dueAt > now)
  const messageIds = [...new Set(early.map(({ messageId }) => messageId))]
  if (messageIds.length > 0) await putToSleep(tx, home, messageIds, now)
}

function storeCopies(runner: Runner, plan: Plan): Promise<void>[] {
  const done = plan.done.map(({ workId }) => workId)
  return [
    storeLedgers(runner, plan.home, changedLedgers(plan)),
    deleteWork(runner, plan.home, done),
    insertWork(runner, plan.home, plan.later),
    insertSkips(runner, plan.home, plan.skips, plan.now),
  ]
}

function storeCounts(runner: Runner, { home, now: at, seed }: Plan, counts: CountChange[]): Promise<void>[] {
  return [addCounts(runner, home, counts, seed), countPushes(runner, home, counts, { at, seed })]
}

function listCountChanges(plan: Plan): CountChange[] {
  const changes = changedLedgers(plan).map((ledger) => findCountChange(ledger, plan.before(ledger.batchId)))
  return [...changes, ...plan.counts]
}

function changedLedgers({ changed, ledger }: Plan): Ledger[] {
  return [...changed].toSorted((a, b) => a - b).map((batchId) => ledger(batchId))
}

/** This comes after all other locks but those of counters. */
async function storeEntries(work: Work, plan: Plan): Promise<Map<number, number>> {
  const { home, entries, voided, followed, counts } = plan
  const listed = entries.filter(({ isListed }) => isListed)
  await insertEntries(
    work.tx,
    home,
    entries.filter(({ isListed }) => !isListed),
    work.now(),
  )
  const people = [...listed, ...voided, ...followed].map(({ userId }) => userId)
  if (people.length === 0) return new Map()
  return changeUnread(work, people, async (unread) => {
    await insertEntries(work.tx, home, listed, unread.at)
    for (const { userId } of listed) unread.addEntries(userId, 1)
    for (const [messageId, own] of Map.groupBy(voided, (one) => one.messageId))
      for (const userId of await voidEntries(
        work.tx,
        home,
        messageId,
        own.map((one) => one.userId),
      ))
        unread.addEntries(userId, -1)
    for (const { messageId, ways } of await listOpened(work.tx, home, followed))
      counts.push({ messageId, ...countOpened(ways) })
    return new Map(
      people.map((userId) => {
        const held = unread.readCounts(userId)
        return [userId, held.entries + held.lines]
      }),
    )
  })
}
