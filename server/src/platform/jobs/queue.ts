import { randomUUID } from 'node:crypto'
import { fromKysely, PgBoss, type Db as BossDb, type Job as BossJob, type TestClock } from 'pg-boss'
import { connect, type ConnectOptions, type Db, type DbPool, type Tx } from '../db/connect.ts'
import { afterCommit } from '../db/transaction.ts'
import { notifyWorkers } from './wake-up.ts'
import { createAnnouncer } from './announcer.ts'
import { createBell, type Bell } from './bell.ts'

/** The payload of each queue. A payload names rows and never carries what they say. */
export type Payloads = {
  coordinate: { messageId: number }
  'fetch-receipts': { limit: number; dueOnly: boolean }
  sweep: Record<string, never>
  'by-time': Record<string, never>
  'tend-accounts': Record<string, never>
  'run-export': { exportId: number }
  'run-bulk-change': { bulkId: number }
  'refresh-insights': Record<string, never>
}
export type QueueName = keyof Payloads
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
  /** Ends its work at once, and its connections. */
  close(): Promise<void>
  /** Tells the workers of all processes that there is work. */
  announce(): void
  /** Rings in this process when it announces work. */
  announced: Bell
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
  'by-time': { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  'refresh-insights': { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  sweep: { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  'tend-accounts': { policy: 'short', retryLimit: 0, expireInSeconds: 600, deleteAfterSeconds: 3_600 },
}

// pg-boss looks for work of its own as rarely as it admits: what waits for a worker is looked for by the lookout.
const RARELY = { cronWorkerIntervalSeconds: 15, flowIntervalSeconds: 60 }

/**
 * Starts pg-boss and declares the queues, on connections with the limits of all others (ADR 014). A process that only
 * enqueues (`works: false`) neither supervises nor schedules. `clock` is for tests: it holds the queue's time too.
 */
export async function startQueue(
  options: Omit<ConnectOptions, 'max' | 'limits'> & { url: string; works: boolean; clock?: TestClock },
): Promise<Queue> {
  const { url, works, log, clock, pooling, onServer } = options
  const pool = connect(url, { max: works ? 6 : 2, log, onServer, ...(pooling && { pooling }) })
  const boss = new PgBoss({
    db: databaseOf(pool),
    supervise: works,
    schedule: works,
    ...RARELY,
    ...(clock && { clock }),
  })
  const announced = createBell()
  // Over the queue's connections: requests do not wait for those who announce.
  const announcer = createAnnouncer(() => notifyWorkers((statement) => pool.query(statement)), announced)
  boss.on('error', (error) => log.warn({ err: error.message }, 'the job queue reported an error'))
  const close = async () => {
    await announcer.close()
    await boss.stop({ graceful: false, close: false })
    await pool.end()
  }
  try {
    await boss.start()
    for (const [name, settings] of Object.entries(QUEUES)) await boss.createQueue(name, settings)
  } catch (error) {
    await close()
    throw error
  }
  return { boss, pool, close, announce: announcer.announce, announced }
}

/** What pg-boss asks of a database. It sets its sessions up only under a test's clock. */
function databaseOf(pool: DbPool): BossDb {
  let setUp: string[] = []
  pool.on('connect', (client) => {
    for (const statement of setUp) client.query(statement).catch(() => undefined)
  })
  return {
    executeSql: (text, values) => pool.query(text, values),
    setSessionStatements: async (statements) => void (setUp = statements),
  }
}

/** Has the workers told of work that `tx` makes, once it has committed; at most once for each transaction matters. */
export function announceAfter(queue: Pick<Queue, 'announce'>, tx: Db | Tx): void {
  afterCommit(tx, queue.announce)
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
  announceAfter(queue, tx)
}

/** Takes up to `size` due jobs; they are this process's until done or expired. */
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

/** True when a job still waits or runs. */
export async function isOpenJob({ boss }: Queue, name: QueueName, id: string): Promise<boolean> {
  const [job] = await boss.findJobs(name, { id })
  return job !== undefined && (job.state === 'created' || job.state === 'retry' || job.state === 'active')
}

/** A new job id, so that a row can name its job before the job exists. */
export function newJobId(): string {
  return randomUUID()
}
