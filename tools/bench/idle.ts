import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { ADMIN, signIn, type Api } from './client.ts'
import type { Bench, Part } from './setup.ts'

const SETTLE_MS = 10_000
const IDLE_MS = 60_000
const PUSHES = 10

export type IdleFigures = { workers: number; perSecond: number; firstPushMs: number; slowestMs: number }

/**
 * What workers without work ask of the database, in transactions a second over a minute, and how long a push then takes
 * from its request to the commit of its ticket: the first one after that minute, and ten more, three seconds apart.
 */
export async function measureIdle(bench: Bench, counts: number[]): Promise<IdleFigures[]> {
  const simulator = await bench.simulator({ latencyMs: 0 })
  const settings = { EXPO_BASE_URL: simulator.url, PUSH_RATE_PER_SECOND: '500' }
  const web = await bench.service({ ...settings, ...ADMIN, PROCESS: 'web' })
  const api = await signIn(web.url)
  const workers: Part[] = []
  const figures: IdleFigures[] = []
  try {
    for (const count of counts) {
      while (workers.length < count) workers.push(await bench.service({ ...settings, PROCESS: 'worker' }))
      await sleep(SETTLE_MS)
      const before = await readTransactions(bench.pool)
      await sleep(IDLE_MS)
      const after = await readTransactions(bench.pool)
      const firstPushMs = await pushMs(bench.pool, api)
      const more: number[] = []
      for (let n = 0; n < PUSHES; n++) {
        await sleep(3_000)
        more.push(await pushMs(bench.pool, api))
      }
      const perSecond = (after - before) / (IDLE_MS / 1_000)
      figures.push({ workers: count, perSecond, firstPushMs, slowestMs: Math.max(...more) })
    }
    return figures
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await web.stop()
    await simulator.stop()
  }
}

/** Transactions of this database so far; a session reports its own a second after it became idle. */
async function readTransactions(pool: Pool): Promise<number> {
  await sleep(2_000)
  const { rows } = await pool.query<{ n: string }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.n)
}

async function pushMs(pool: Pool, api: Api): Promise<number> {
  const startedAt = performance.now()
  const body = { user_ids: [1], title: 'A match', text: 'Somebody likes your item' }
  const { notification_id } = await api.post<{ notification_id: number }>('/api/admin/send-notification', body)
  for (;;) {
    const { rowCount } = await pool.query('select from notifications where message_id = $1 and is_send', [
      notification_id,
    ])
    if (rowCount === 1) return Math.round(performance.now() - startedAt)
    await sleep(2)
  }
}
