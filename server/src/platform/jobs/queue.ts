import type { ClientBase } from 'pg'
import { fromKysely, PgBoss, type TestClock } from 'pg-boss'
import { connect, type ConnectOptions, type Db, type DbPool, type Tx } from '../db/connect.ts'
import { timed } from '../statements/statements.ts'
import { afterCommit } from '../db/transaction.ts'
import { notifyWorkers } from './wake-up.ts'
import { createAnnouncer } from './announcer.ts'
import { createWakeSignal, type WakeSignal } from './wake-signal.ts'

/** A payload has ids of rows and never their content. */
export type Payloads = {
  coordinate: { messageId: number }
  /** `limit`: receipts asked for at most. `dueOnly` false does not wait for the schedule (decision B16). */
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
export type WorkName = QueueName | 'mails' | 'desk-decisions'

export type Queue = {
  boss: PgBoss
  /** Separate from the connections of `deps`, so that a busy API does not delay jobs. */
  pool: DbPool
  close(): Promise<void>
  /** Tells the workers of all processes; without a name there are batches. */
  announce(name?: WorkName): void
  /** Tells the processes that have streams of badges, by blocks of people. */
  announceBadges(blocks: readonly number[]): void
  wake(names?: readonly string[]): void
  announced: WakeSignal
  waiting: Map<string, () => void>
}

type QueueSettings = NonNullable<Parameters<PgBoss['createQueue']>[1]>

// Its worker reports every few seconds that it runs; a killed one is replaced within about a minute.
const LONG_WORK: QueueSettings = {
  retryLimit: 3,
  retryDelay: 5,
  expireInSeconds: 7_200,
  heartbeatSeconds: 30,
  deleteAfterSeconds: 3_600,
}

const QUEUES: Record<QueueName, QueueSettings> = {
  coordinate: { retryLimit: 1_000, retryDelay: 5, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  'fetch-receipts': choresWithin(300),
  'run-export': LONG_WORK,
  'run-bulk-change': LONG_WORK,
  'marketplace-chores': choresWithin(300),
  'refresh-insights': choresWithin(300),
  'check-badges': choresWithin(14_400),
  retention: choresWithin(14_400),
  sweep: choresWithin(300),
  'account-chores': choresWithin(600),
}

function choresWithin(expireInSeconds: number): QueueSettings {
  return { policy: 'short', retryLimit: 0, expireInSeconds, deleteAfterSeconds: 3_600 }
}

export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[]

// pg-boss allows no longer intervals. Announcements and the poller bring most work.
const RARELY = { cronWorkerIntervalSeconds: 15, flowIntervalSeconds: 60 }

/**
 * `works: false`: it only enqueues. Limits: ADR 9. Tests give `clock`, which holds the queue's time too, and
 * `isPrepared`: the database has the queues.
 */
export async function startQueue(
  options: Omit<ConnectOptions, 'max' | 'limits'> & {
    url: string
    works: boolean
    clock?: TestClock
    isPrepared?: boolean
  },
): Promise<Queue> {
  const { url, works, clock, isPrepared = false, ...connecting } = options
  const { log } = options
  const { setUp, setSessionStatements } = createSessions()
  const pool = connect(url, { max: works ? 6 : 2, setUp, ...connecting })
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => timed(pool, 'job queue', () => pool.query(text, values)),
      setSessionStatements,
    },
    supervise: works,
    schedule: works,
    migrate: !isPrepared,
    ...RARELY,
    ...(clock && { clock }),
  })
  const announced = createWakeSignal()
  const waiting = new Map<string, () => void>()
  const wake = (names: readonly string[] = [...waiting.keys()]) => {
    for (const name of names) waiting.get(name)?.()
    announced.wake()
  }
  const announcer = createAnnouncer({ wake, notify: (names) => notifyWorkers(pool, names) })
  const badges = createAnnouncer({ wake: () => undefined, notify: (blocks) => notifyStreams(pool, blocks) })
  boss.on('error', (error) => log.warn({ err: error.message }, 'the job queue reported an error'))
  const close = async () => {
    await Promise.all([announcer.close(), badges.close()])
    await boss.stop({ graceful: false, close: false })
    await pool.end()
  }
  try {
    await boss.start()
    if (!isPrepared) for (const [name, settings] of Object.entries(QUEUES)) await boss.createQueue(name, settings)
  } catch (error) {
    await close()
    throw error
  }
  const announceBadges = (blocks: readonly number[]) => badges.announce(...blocks.map(String))
  return { boss, pool, close, announce: announcer.announce, announceBadges, wake, announced, waiting }
}

/** pg-boss sets its sessions up only under a test's clock. */
function createSessions() {
  let statements: string[] = []
  return {
    setUp: async (client: ClientBase) => {
      for (const statement of statements) await client.query(statement)
    },
    setSessionStatements: async (given: string[]) => void (statements = given),
  }
}

export function announceAfter(queue: Pick<Queue, 'announce'>, tx: Db | Tx, name?: WorkName): void {
  afterCommit(tx, () => queue.announce(name))
}

// PostgreSQL takes 8,000 bytes; the number of a block has up to 15 digits.
const BLOCKS_A_NOTIFICATION = 400

/** Nothing depends on it, because processes with streams also poll. */
async function notifyStreams(pool: DbPool, blocks: readonly string[]): Promise<void> {
  const payloads = Array.from({ length: Math.ceil(blocks.length / BLOCKS_A_NOTIFICATION) }, (_, part) =>
    blocks.slice(part * BLOCKS_A_NOTIFICATION, (part + 1) * BLOCKS_A_NOTIFICATION).join(','),
  )
  if (payloads.length > 0)
    await pool.query(`select pg_notify('swapbell_badges', p) from unnest($1::text[]) p`, [payloads])
}

/** The job exists exactly when `tx` commits. Of a `short` queue one job waits at most for each `key`. */
export async function enqueue<Name extends QueueName>(
  { queue, tx }: { queue: Queue; tx: Db | Tx },
  name: Name,
  data: Payloads[Name],
  key?: string,
): Promise<void> {
  const job = { data, ...(key !== undefined && { singletonKey: key }) }
  await queue.boss.insert(name, [job], { db: fromKysely(tx), returnId: false })
  announceAfter(queue, tx, name)
}

const OPEN: readonly string[] = ['created', 'retry', 'active']

export async function hasOpenJob<Name extends QueueName>(
  { boss }: Queue,
  name: Name,
  data: Payloads[Name],
): Promise<boolean> {
  return (await boss.findJobs(name, { data })).some(({ state }) => OPEN.includes(state))
}
