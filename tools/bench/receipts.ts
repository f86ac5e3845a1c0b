import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { startCampaign, untilCompleted } from './campaign.ts'
import { ADMIN, signIn } from './client.ts'
import type { Bench } from './setup.ts'

/** Seconds from the first request to the last stored receipt of a campaign to everyone, and the number of receipts. */
export async function measureReceipts(bench: Bench): Promise<{ receipts: number; seconds: number }> {
  const simulator = await bench.simulator({ latencyMs: 0 })
  const settings = { EXPO_BASE_URL: simulator.url, RECEIPT_DELAY_SECONDS: '43200' }
  const web = await bench.service({ ...settings, ...ADMIN, PROCESS: 'web' })
  const worker = await bench.service({ ...settings, PROCESS: 'worker' })
  try {
    const api = await signIn(web.url)
    const { sent } = await untilCompleted(bench.pool, await startCampaign(api))
    const startedAt = performance.now()
    while ((await openReceipts(bench.pool)) > 0) {
      await api.get('/api/admin/process-receipts?limit=10000')
      await sleep(50)
    }
    return { receipts: sent, seconds: (performance.now() - startedAt) / 1_000 }
  } finally {
    await worker.stop()
    await web.stop()
    await simulator.stop()
  }
}

async function openReceipts(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(
    'select count(*) as n from requests where next_receipt_at is not null',
  )
  return Number(rows[0]?.n)
}
