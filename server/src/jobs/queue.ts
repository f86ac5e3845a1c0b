import { randomUUID } from 'node:crypto'
import { fromKysely, PgBoss, type Job as BossJob, type TestClock } from 'pg-boss'
import type { Db, Tx } from '../db/connect.ts'
import type { Log } from '../shared/log.ts'

/** The payload of each queue. A payload names rows and never carries what they say. */
export type Payloads = {
  coordinate: { messageId: number }
  'fetch-receipts': { limit: number; dueOnly: boolean }
  sweep: Record<string, never>
  'by-time': Record<string, never>
  'tend-accounts': Record<string, never>
  'run-export': { exportId: number }
  'refresh-insights': Record<string, never>
}
export type QueueName = keyof Payloads
export type Job<Name extends QueueName> = BossJob<Payloads[Name]>

/** A job to enqueue; `startAfter` absent: at once. With `singletonKey` one such job waits at most, where the queue is `short`. */
export type NewJob<Name extends QueueName> = {
  id: string
  data: Payloads[Name]
  startAfter?: Date
  singletonKey?: string
}

export type Queue = { boss: PgBoss }

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
  'by-time': { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  'refresh-insights': { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  sweep: { policy: 'short', retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  'tend-accounts': { policy: 'short', retryLimit: 0, expireInSeconds: 600, deleteAfterSeconds: 3_600 },
}

// As in db/connect.ts (ADR 014). pg-boss hands them to the pool, which drops a connection whose query ran out of time.
const WAITS = {
  options: '-c idle_in_transaction_session_timeout=5000',
  query_timeout: 35_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
}

/**
 * Starts pg-boss and declares the queues. A process that only enqueues (`works: false`) neither supervises nor
 * schedules. `clock` is for tests: it holds the queue's time too.
 */
export async function startQueue(options: {
  url: string
  works: boolean
  log: Log
  clock?: TestClock
}): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: options.url,
    max: options.works ? 6 : 2,
    supervise: options.works,
    schedule: options.works,
    ...WAITS,
    ...(options.clock && { clock: options.clock }),
  })
  boss.on('error', (error) => options.log.warn({ err: error.message }, 'the job queue met an error'))
  await boss.start()
  for (const [name, settings] of Object.entries(QUEUES)) await boss.createQueue(name, settings)
  return { boss }
}

/** Enqueues jobs as part of `tx`: they exist exactly when the transaction commits. */
export async function enqueue<Name extends QueueName>(
  queue: Queue,
  tx: Db | Tx,
  name: Name,
  jobs: NewJob<Name>[],
): Promise<void> {
  if (jobs.length > 0) await queue.boss.insert(name, jobs, { db: fromKysely(tx), returnId: false })
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

/** A new job id, so that a row can name its job before the job exists. */
export function newJobId(): string {
  return randomUUID()
}
