import { randomUUID } from 'node:crypto'
import { fromKysely, PgBoss, type Db as BossDb, type Job as BossJob, type TestClock } from 'pg-boss'
import { connect, type ConnectOptions, type Db, type DbPool, type Tx } from '../db/connect.ts'
import { timed } from '../statements/statements.ts'
import { afterCommit } from '../db/transaction.ts'
import { notifyBadges, notifyWorkers } from './wake-up.ts'
import { createAnnouncer } from './announcer.ts'
import { createWakeSignal, type WakeSignal } from './wake-signal.ts'

/** The payload of each queue. A payload names rows and never carries what they say. */
export type Payloads = {
  coordinate: { messageId: number }
  'fetch-receipts': { limit: number; dueOnly: boolean }
  sweep: Record<string, never>
  'marketplace-chores': Record<string, never>
  'account-chores': Record<string, never>
  'run-export': { exportId: number }
  'run-bulk-change': { bulkId: number }
  'refresh-insights': Record<string, never>
  'check-badges': Record<string, never>
  retention: Record<string, never>
}
export type QueueName = keyof Payloads
/** What can be announced: the jobs of a queue, or mails, which are rows alone. */
type WorkName = QueueName | 'mails'
export type Job<Name extends QueueName> = BossJob<Payloads[Name]>

/**
 * A job to enqueue; `startAfter` absent: at once. With `singletonKey` one such job waits at most, where the queue is
 * `short`.
 */
export type NewJob<Name extends QueueName> = {
  id: string
  data: Payloads[Name]
  startAfter?: Date
  singletonKey?: string
}

export type Queue = {
  boss: PgBoss
  /** Its connections, apart from those of `deps`: a busy API does not keep jobs waiting. */
  pool: DbPool
  close(): Promise<void>
  /** Tells the workers of all processes that there is work: jobs of a queue, mails, or without a name batches. */
  announce(name?: WorkName): void
  /** What work was announced in this process: wakes its poller, and those who wait for these queues. */
  wake(names: readonly string[]): void
  /** Wakes the poller of this process. */
  announced: WakeSignal
  /** Those of this process who wait for a queue. */
  waiting: Map<string, () => void>
}

const QUEUES: Record<QueueName, Parameters<PgBoss['createQueue']>[1]> = {
  coordinate: { retryLimit: 1_000, retryDelay: 5, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  'fetch-receipts': { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  // Its worker says every few seconds that it still runs; a killed one is followed by another within about a minute.
  'run-export': {
    retryLimit: 3,
    retryDelay: 5,
    expireInSeconds: 7_200,
    heartbeatSeconds: 30,
    deleteAfterSeconds: 3_600,
  },
  'run-bulk-change': {
    retryLimit: 3,
    retryDelay: 5,
    expireInSeconds: 7_200,
    heartbeatSeconds: 30,
    deleteAfterSeconds: 3_600,
  },
  'marketplace-chores': { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  'refresh-insights': { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  'check-badges': { policy: 'short', retryLimit: 0, expireInSeconds: 14_400, deleteAfterSeconds: 3_600 },
  retention: { policy: 'short', retryLimit: 0, expireInSeconds: 14_400, deleteAfterSeconds: 3_600 },
  sweep: { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  'account-chores': { policy: 'short', retryLimit: 0, expireInSeconds: 600, deleteAfterSeconds: 3_600 },
}

/** The names of all queues. */
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[]

// Queues of earlier versions. Their jobs were chores of each minute, which the queues of today do. The queues stay,
// because processes of the version before may still work on them.
const RETIRED = ['by-time', 'tend-accounts']

// As rarely as pg-boss admits: announcements and the poller bring most work.
const RARELY = { cronWorkerIntervalSeconds: 15, flowIntervalSeconds: 60 }

/**
 * Starts pg-boss and declares the queues, on connections with the limits of all others (ADR 014). A process that only
 * enqueues (`works: false`) neither supervises nor schedules. `clock` is for tests: it holds the queue's time too.
 */
export async function startQueue(
  options: Omit<ConnectOptions, 'max' | 'limits'> & { url: string; works: boolean; clock?: TestClock },
): Promise<Queue> {
  const { url, works, clock, ...connecting } = options
  const { log } = options
  const pool = connect(url, { max: works ? 6 : 2, ...connecting })
  const boss = new PgBoss({
    db: databaseOf(pool),
    supervise: works,
    schedule: works,
    ...RARELY,
    ...(clock && { clock }),
  })
  const announced = createWakeSignal()
  const waiting = new Map<string, () => void>()
  const wake = (names: readonly string[]) => {
    for (const name of names) waiting.get(name)?.()
    announced.wake()
  }
  // Over the queue's connections: requests do not wait for those who announce.
  const announcer = createAnnouncer({ wake, notify: (names) => notifyWorkers(pool, names) })
  boss.on('error', (error) => log.warn({ err: error.message }, 'the job queue reported an error'))
  const close = async () => {
    await announcer.close()
    await boss.stop({ graceful: false, close: false })
    await pool.end()
  }
  try {
    await boss.start()
    for (const [name, settings] of Object.entries(QUEUES)) await boss.createQueue(name, settings)
    for (const name of RETIRED) await boss.unschedule(name)
  } catch (error) {
    await close()
    throw error
  }
  return { boss, pool, close, announce: announcer.announce, wake, announced, waiting }
}

/** What pg-boss asks of a database. It sets its sessions up only under a test's clock. */
function databaseOf(pool: DbPool): BossDb {
  let setUp: string[] = []
  pool.on('connect', (client) => {
    for (const statement of setUp) client.query(statement).catch(() => undefined)
  })
  return {
    executeSql: (text, values) => timed(pool, 'job queue', () => pool.query(text, values)),
    setSessionStatements: async (statements) => void (setUp = statements),
  }
}

/** Announces work that `tx` makes, once it has committed: jobs of a queue, or without a name batches. */
export function announceAfter(queue: Pick<Queue, 'announce'>, tx: Db | Tx, name?: WorkName): void {
  afterCommit(tx, () => queue.announce(name))
}

/** Tells all processes whose badges have changed. Nothing depends on it: those with streams look by themselves. */
export async function announceBadges({ pool }: Pick<Queue, 'pool'>, userIds: readonly number[]): Promise<void> {
  await notifyBadges(pool, userIds)
}

/** Enqueues jobs as part of `tx`: they exist exactly when the transaction commits. */
export async function enqueue<Name extends QueueName>(
  queue: Queue,
  tx: Db | Tx,
  name: Name,
  jobs: NewJob<Name>[],
): Promise<void> {
  if (jobs.length === 0) return
  await queue.boss.insert(name, jobs, { db: fromKysely(tx), returnId: false })
  announceAfter(queue, tx, name)
}

export async function fetchJobs<Name extends QueueName>(queue: Queue, name: Name, size: number): Promise<Job<Name>[]> {
  return queue.boss.fetch<Payloads[Name]>(name, { batchSize: size })
}

/** Marks jobs done as part of `tx`. A job that expired meanwhile, and is another's now, is left alone. */
export async function completeJobs(queue: Queue, tx: Db | Tx, name: QueueName, jobs: BossJob[]): Promise<void> {
  const attempts = jobs.map(({ id, retryCount }) => ({ id, retryCount }))
  if (attempts.length > 0) await queue.boss.complete(name, attempts, null, { db: fromKysely(tx) })
}

/** Fails jobs: each comes back after its queue's delay. */
export async function failJobs(queue: Queue, name: QueueName, jobs: BossJob[], reason: string): Promise<void> {
  const attempts = jobs.map(({ id, retryCount }) => ({ id, retryCount }))
  if (attempts.length > 0) await queue.boss.fail(name, attempts, { reason })
}

const OPEN: readonly string[] = ['created', 'retry', 'active']

export async function isOpenJob({ boss }: Queue, name: QueueName, id: string): Promise<boolean> {
  return (await boss.findJobs(name, { id })).some(({ state }) => OPEN.includes(state))
}

export async function hasOpenJob<Name extends QueueName>(
  { boss }: Queue,
  name: Name,
  data: Payloads[Name],
): Promise<boolean> {
  return (await boss.findJobs(name, { data })).some(({ state }) => OPEN.includes(state))
}

/** A new job id, so that a row can name its job before the job exists. */
export function newJobId(): string {
  return randomUUID()
}
