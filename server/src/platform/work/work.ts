import { recordAudit, THE_SERVICE, type Actor, type Signing, type AuditEntry } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import type { Db, Tx } from '../db/connect.ts'
import { listHomesAway } from '../db/homes.ts'
import { afterCommit, inTransaction, isDatabaseUnavailable } from '../db/transaction.ts'
import { announceAfter, enqueue, type Payloads, type Queue, type QueueName, type WorkName } from '../jobs/queue.ts'
import { fromNow } from '../shared/clock.ts'
import { must } from '../shared/must.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** What lives as long as the process and every change may use. */
export type Ground = Signing & { config: Config; queue: Queue; tracing: Tracing }

/**
 * One change: its transaction, who asks for it, and what follows from it. A transaction that is repeated gets a new
 * one, and none lives across a call of a provider.
 */
export type Work = {
  tx: Tx
  by: Actor
  /** Whether an earlier attempt found the server of a home away. A change that asks stores what can wait for it. */
  isAway(home: number): boolean
  /** The same change, in the name of somebody who is known, or whose right was checked, only in it. */
  as(other: Partial<Actor>): Work
  config: Config
  /** The time of the clock, later by `ms`. What a lock decides is judged by the time after the lock. */
  now(ms?: number): Date
  /** In the log with the commit, or on a divided database after it (ADR 12), in the name of `by` (decision C14). */
  audit(entry: AuditEntry): Promise<void>
  /** The job exists exactly when the transaction commits. Of a `short` queue one job waits at most for each `key`. */
  enqueue<Name extends QueueName>(name: Name, data: Payloads[Name], key?: string): Promise<void>
  /** Tells the workers after the commit; without a name there are batches. */
  announce(name?: WorkName): void
  /** Tells the streams of badges after the commit, by blocks of people. */
  announceBadges(blocks: readonly number[]): void
  /** The trace that caused the change; null without one. */
  trace(): string | null
}

/** The change that `tx` makes for `by`, where a transaction is open already. */
export function workIn(ground: Ground, tx: Tx, by: Actor = THE_SERVICE, isAway: Work['isAway'] = () => false): Work {
  const { config, clock, queue, tracing } = ground
  return {
    tx,
    by,
    isAway,
    as: (other) => workIn(ground, tx, { ...by, ...other }, isAway),
    config,
    now: (ms = 0) => fromNow(clock, ms),
    audit: (entry) => recordAudit(tx, ground, by, entry),
    enqueue: (name, data, key) => enqueue({ queue, tx }, name, data, key),
    announce: (name) => announceAfter(queue, tx, name),
    announceBadges: (blocks) => afterCommit(tx, () => queue.announceBadges(blocks)),
    trace: () => tracing.current(),
  }
}

/**
 * Makes a change in a transaction of its own, which may run again after a deadlock, and once more for each server of
 * homes that refuses, where the change asks whether homes are away.
 */
export async function inWork<T>(
  ground: Ground & { db: Db },
  by: Actor,
  change: (work: Work) => Promise<T>,
): Promise<T> {
  const away = new Set<number>()
  let canWait = false
  const isAway = (home: number) => {
    canWait = true
    return away.has(home)
  }
  for (;;) {
    try {
      return await inTransaction(ground.db, (tx) => change(workIn(ground, tx, by, isAway)))
    } catch (error) {
      const found = canWait && isDatabaseUnavailable(error) ? await findHomesAway(ground.db, error) : []
      if (found.every((home) => away.has(home))) throw error
      for (const home of found) away.add(home)
    }
  }
}

/** None where the catalog may not be read. */
function findHomesAway(db: Db, error: unknown): Promise<number[]> {
  return listHomesAway(db, error).catch(() => [])
}

export function callerId({ by }: Pick<Work, 'by'>): number {
  return must(by.userId, 'account of who acts')
}
