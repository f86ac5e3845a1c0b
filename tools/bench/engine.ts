import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { DbPool } from '../../server/src/platform/db/connect.ts'
import { connect } from '../../server/src/platform/db/connect.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'
import { openLink } from '../../server/test/support/link.ts'
import { officialBulk } from './baselines.ts'
import { untilCompleted } from './campaign.ts'
import { ADMIN, signIn, type Api } from './client.ts'
import { readNodes, startPlain, sum, untilQuiet, type Nodes } from './nodes.ts'
import { insertPeople } from './people.ts'
import { peakMegabytes, readCpu } from './processes.ts'
import { startPart, BENCH_SETTINGS, startSimulator, type Part } from './setup.ts'

// A checkout of before 1.0 has the second one.
const MANAGE = ['server/src/commands/manage.ts', 'server/src/manage.ts']

/**
 * `audience` people are addressed. Aged: they are every third of all, to whom `history` campaigns with their receipts
 * went before.
 */
export type EngineWish = {
  root: string
  audience: number
  isAged: boolean
  history: number
  latencyMs: number
  /** The time between the worker and its database, for a question and its answer together. */
  databaseMs: number
  /** The campaign goes to inboxes alone: nobody is rung. */
  isInboxOnly: boolean
  port: string
  /** What the database is; a plain server unless said otherwise. */
  startNodes?: () => Promise<Nodes>
}

/** Seconds of CPU and megabytes of WAL are per 100,000 copies, until everything is quiet; receipts are part of it. */
export type EngineFigures = {
  copies: number
  perSecond: number
  receiptsPerSecond: number
  postgresSending: number
  postgres: number
  worker: number
  simulator: number
  walMegabytes: number
  bytesKept: number
  workerMegabytes: number
}

const MESSAGE = {
  title: 'Swap weekend',
  text: 'Two days, no fees, and a meeting point near you. Bring three things that you no longer need.',
  data: { link: 'swapbell://weekend' },
}
const SHARE_ADDRESSED = 3

/**
 * One campaign of a checkout in `root` on a PostgreSQL with its default settings, from the request to the last ticket,
 * then its receipts, then until the database is quiet.
 */
export async function measureEngine(wish: EngineWish): Promise<EngineFigures> {
  const stage = await openStage(wish)
  try {
    return await measureCampaignOn(stage, wish)
  } finally {
    await stage.close()
  }
}

/** The official client with bulk statements on the same database, as prepared for `measureEngine`: pushes a second. */
export async function measureScript(wish: EngineWish): Promise<number> {
  const stage = await openStage(wish)
  try {
    await stage.worker.stop()
    await stage.pool.query('checkpoint')
    return await officialBulk(stage.pool, stage.simulator.url, 32)
  } finally {
    await stage.close()
  }
}

export type Stage = Pick<Nodes, 'postmasters'> & {
  pool: DbPool
  api: Api
  web: Part
  worker: Part
  simulator: Part
  close(): Promise<void>
}

/** PostgreSQL with people, an API, a worker and a provider; what `history` campaigns leave when aged. */
export async function openStage({
  root,
  audience,
  isAged,
  history,
  latencyMs,
  databaseMs,
  port,
  startNodes = startPlain,
}: EngineWish): Promise<Stage> {
  const postgres = await startNodes()
  const limits = { statementMs: 0, lockMs: 0, idleMs: 0, silenceMs: 0 }
  const pool = connect(postgres.url, { max: 4, log: createLog('silent'), limits })
  const env = { DATABASE_URL: postgres.url, ...BENCH_SETTINGS, RECEIPT_DELAY_SECONDS: '43200' }
  const manage = MANAGE.map((path) => join(root, path)).find((path) => existsSync(path))!
  const { DATABASE_URL, JWT_SECRET } = env
  await promisify(execFile)(process.execPath, [manage, 'migrate'], {
    env: { ...process.env, DATABASE_URL, JWT_SECRET },
  })
  await postgres.evenOut()
  await insertPeople(pool, isAged ? audience * SHARE_ADDRESSED : audience)
  await address(pool, 1)
  const server = join(root, 'server/src/main.ts')
  const simulator = await startSimulator({ latencyMs, port })
  const service = (settings: Record<string, string>) =>
    startPart(server, { ...env, ...ADMIN, EXPO_BASE_URL: simulator.url, ...settings })
  const web = await service({ PROCESS: 'web' })
  const link = await openLink(Number(new URL(postgres.url).port))
  link.slow(databaseMs / 2)
  const far = new URL(postgres.url)
  if (databaseMs > 0) far.port = String(link.port)
  const worker = await service({
    PROCESS: 'worker',
    DATABASE_URL: far.href,
    PUSH_CONCURRENCY: latencyMs === 0 ? '6' : '64',
  })
  const api = await signIn(web.url)
  const stage = {
    pool,
    api,
    web,
    worker,
    simulator,
    postmasters: postgres.postmasters,
  }
  if (isAged) {
    for (let n = 0; n < history; n++) {
      await untilCompleted(pool, await start(api))
      await fetchReceipts(stage)
    }
    await address(pool, SHARE_ADDRESSED)
  }
  return {
    ...stage,
    close: async () => {
      for (const part of [worker, web, simulator]) await part.stop()
      await link.close()
      await pool.end()
      await postgres.remove()
    },
  }
}

async function measureCampaignOn(stage: Stage, { audience, isInboxOnly }: EngineWish): Promise<EngineFigures> {
  const { pool, worker, simulator, api } = stage
  await untilQuiet(stage)
  await pool.query('checkpoint')
  const cpu = async () => ({
    postgres: sum(await readNodes(stage)),
    worker: await readCpu(worker.pid),
    simulator: await readCpu(simulator.pid),
  })
  const before = { cpu: await cpu(), wal: await readWal(pool), bytes: await readBytes(pool) }
  const startedAt = Date.now()
  const { completedAt, reached } = await untilCompleted(pool, await start(api, isInboxOnly))
  const sending = await cpu()
  const receiptsFrom = performance.now()
  await fetchReceipts(stage)
  const receiptSeconds = (performance.now() - receiptsFrom) / 1_000
  await untilQuiet(stage)
  const after = { cpu: await cpu(), wal: await readWal(pool), bytes: await readBytes(pool) }
  if (reached !== audience) throw new Error(`${reached} of ${audience} people were reached.`)
  const scaled = (value: number) => (value * 100_000) / reached
  return {
    copies: reached,
    perSecond: Math.round(reached / ((completedAt - startedAt) / 1_000)),
    receiptsPerSecond: isInboxOnly ? 0 : Math.round(reached / receiptSeconds),
    postgresSending: scaled(sending.postgres - before.cpu.postgres),
    postgres: scaled(after.cpu.postgres - before.cpu.postgres),
    worker: scaled(after.cpu.worker - before.cpu.worker),
    simulator: scaled(after.cpu.simulator - before.cpu.simulator),
    walMegabytes: scaled((after.wal - before.wal) / 1e6),
    bytesKept: (after.bytes - before.bytes) / reached,
    workerMegabytes: await peakMegabytes(worker.pid),
  }
}

/** Every `share`th person is reached by the campaigns that follow. */
async function address(pool: DbPool, share: number): Promise<void> {
  await pool.query('update users set is_test_user = user_id % $1 = 0', [share])
  await pool.query('vacuum analyze users')
}

/** Starts a campaign to those who are addressed; gives its id. */
export async function start(api: Api, isInboxOnly = false): Promise<number> {
  const { notification_id } = await api.post<{ notification_id: number }>(
    '/api/admin/send-notification-sandbox',
    isInboxOnly ? { ...MESSAGE, inbox_only: true } : MESSAGE,
  )
  return notification_id
}

async function fetchReceipts({ pool, api }: Pick<Stage, 'pool' | 'api'>): Promise<void> {
  const table = await tableOfRequests(pool)
  for (;;) {
    const { rowCount } = await pool.query(`select from ${table} where next_receipt_at is not null limit 1`)
    if (rowCount === 0) return
    await api.get('/api/admin/process-receipts?limit=10000')
    await sleep(20)
  }
}

/** A version before the ledger calls them submissions. */
async function tableOfRequests(pool: DbPool): Promise<string> {
  const { rows } = await pool.query<{ name: string | null }>(`select to_regclass('submissions') as name`)
  return rows[0]?.name ?? 'requests'
}

async function readWal(pool: DbPool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`)
  return Number(rows[0]?.bytes)
}

async function readBytes(pool: DbPool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  return Number(rows[0]?.bytes)
}
