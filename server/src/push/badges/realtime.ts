import type { PushDeps } from '../deps.ts'
import type { WakeSignal } from '../../platform/jobs/wake-signal.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { markUnwritten, takeUnwritten } from '../ledger/badge-counts.queries.ts'
import { eachHome } from '../records/home.queries.ts'
import type { Badge } from './badges.queries.ts'
import { claimRemovals, claimWrites, settleRemovals, insertDue, settleWrites, type DueWrite } from './nodes.queries.ts'
import { openRealtimeDatabase, type BadgeNode, type RealtimeDatabase, type Written } from './firebase.ts'

const WRITES_A_ROUND = 100
const BLOCKS_A_ROUND = 50
const AT_ONCE = 16
// A round takes less; after this another worker takes the badges of a killed one.
const LEASE_MS = 60_000
// A write that begins within this time ends before the lease: it makes up to two requests of ten seconds.
const BEGUN_WITHIN_MS = 30_000
// This many failures in a row end a round, because then the realtime database is the reason.
const GIVE_UP_AFTER = 5
const BACKOFF_MS = { least: 1_000, most: 300_000 }

const AFTER_ERROR_MS = 1_000
// The poller wakes the loop; this only bounds a missed wake-up.
const LONGEST_REST_MS = 60_000
const ROUND_WITHIN_MS = 60_000

/** Writes changed badges to the realtime database, if there is one. The signal ends it, after a round (ADR 6). */
export async function startBadges(deps: PushDeps, work: WakeSignal, signal: AbortSignal): Promise<void> {
  const database = openRealtimeDatabase(deps.config)
  if (database === undefined) return
  const failed = (error: unknown) =>
    deps.log.warn({ err: error }, 'badges could not be written; the worker tries again')
  await deps.loops.run({ name: 'badges', work, signal, withinMs: ROUND_WITHIN_MS, failed }, async () => {
    const { due, failed: failures } = await writeBadges(deps, database)
    if (failures > 0) await sleep(AFTER_ERROR_MS, signal)
    return due > 0 ? 0 : LONGEST_REST_MS
  })
}

/** Writes up to a hundred due badges under a lease, each at least once; failed ones are due again later (ADR 6). */
export async function writeBadges(deps: PushDeps, database: RealtimeDatabase) {
  const lease = { limit: WRITES_A_ROUND, now: fromNow(deps.clock), until: fromNow(deps.clock, LEASE_MS) }
  await takeChanged(deps.db, lease.now)
  const due = await claimWrites(deps.db, lease)
  const removals = await claimRemovals(deps.db, lease)
  if (due.length + removals.length === 0) return { due: 0, failed: 0 }
  const mayBegin = () => deps.clock.now() < lease.now.getTime() + BEGUN_WITHIN_MS
  const put = (one: DueWrite) => database.put(one.userId, toNode(one), one.etag)
  const written = await runSome(due, put, { isFailure: isFailed, mayBegin })
  const remove = ({ userId }: { userId: number }) => database.remove(userId)
  const removed = await runSome(removals, remove, { isFailure: (isDone) => !isDone, mayBegin })
  const now = fromNow(deps.clock)
  const writes = due.map((one, index) => {
    const outcome = written[index] ?? NOT_TRIED
    const isDone = !isFailed(outcome)
    const waitMs = isFailed(outcome) ? Math.max(backoffMs(one.attempts), outcome.retryAfterMs) : 0
    return {
      userId: one.userId,
      version: one.version,
      etag: isDone ? outcome.etag : null,
      isDone,
      dueAt: later(now, waitMs),
    }
  })
  await settleWrites(deps.db, writes, lease.until)
  const settled = removals.map((one, index) => ({
    userId: one.userId,
    isDone: removed[index] ?? false,
    dueAt: later(now, backoffMs(one.attempts)),
  }))
  await settleRemovals(deps.db, settled)
  const failed = [...writes, ...settled].filter(({ isDone }) => !isDone).length
  const codes = [...new Set(written.flatMap((outcome) => (outcome && isFailed(outcome) ? [outcome.code] : [])))]
  if (failed > 0) deps.log.warn({ failed, codes }, 'badges could not be written to the realtime database')
  return { due: due.length + removals.length, failed }
}

/** Makes changed badges due. Badges of people who are just being purged become due later, if these people stay. */
export async function takeChanged(db: PushDeps['db'], now: Date): Promise<void> {
  await eachHome(db, (home) =>
    inTransaction(db, async (tx) =>
      markUnwritten(tx, home, await insertDue(tx, await takeUnwritten(tx, home, BLOCKS_A_ROUND), now)),
    ),
  )
}

export function toNode({ version, total, notifications, chats }: Badge): BadgeNode {
  // Keys that are numbers would come back as a list.
  const named = Object.fromEntries(Object.entries(chats).map(([swapId, lines]) => [`s${swapId}`, lines]))
  return { version, total, notifications, chats: named, updated_at: version }
}

const NOT_TRIED: Written = { kind: 'failed', code: 'not tried', retryAfterMs: 0 }

function isFailed(outcome: Written): outcome is Extract<Written, { kind: 'failed' }> {
  return outcome.kind === 'failed'
}

/** Results in order; undefined for badges that were not tried. */
async function runSome<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { isFailure, mayBegin }: { isFailure: (result: Result) => boolean; mayBegin: () => boolean },
): Promise<(Result | undefined)[]> {
  const results: (Result | undefined)[] = items.map(() => undefined)
  let next = 0
  let failures = 0
  const run = async () => {
    while (next < items.length && failures < GIVE_UP_AFTER && mayBegin()) {
      const index = next++
      const result = await work(items[index] as Item)
      failures = isFailure(result) ? failures + 1 : 0
      results[index] = result
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
  return results
}

function backoffMs(attempts: number): number {
  const ms = Math.min(BACKOFF_MS.least * 2 ** Math.min(attempts - 1, 20), BACKOFF_MS.most)
  return ms * (0.8 + Math.random() * 0.4)
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms)
}
