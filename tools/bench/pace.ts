import { setTimeout as sleep } from 'node:timers/promises'
import { startCampaign } from './campaign.ts'
import { ADMIN, signIn } from './client.ts'
import type { Bench } from './setup.ts'

const RATE = 600
const WARM_UP_MS = 5_000
const MEASURED_MS = 20_000
const TRANSACTIONAL_EVERY_MS = 250

export type PaceFigures = { share: number; refusals: number; transactionalP95Ms: number; transactional: number }

/**
 * Three workers at 600 a second against a provider that refuses above it: how much of the pace they use, how often they
 * are refused, and how long a transactional push takes meanwhile, from its request to its acceptance.
 */
export async function measurePace(bench: Bench): Promise<PaceFigures> {
  const simulator = await bench.simulator({ latencyMs: 50, ratePerSecond: RATE })
  const settings = { EXPO_BASE_URL: simulator.url, PUSH_RATE_PER_SECOND: String(RATE) }
  const web = await bench.service({ ...settings, ...ADMIN, PROCESS: 'web' })
  const workers = await Promise.all([1, 2, 3].map(() => bench.service({ ...settings, PROCESS: 'worker' })))
  try {
    const api = await signIn(web.url)
    const campaign = await startCampaign(api)
    await sleep(WARM_UP_MS)
    const before = await readState(simulator.url)
    const sends = await sendTransactional(api)
    const after = await readState(simulator.url)
    const seconds = (after.time - before.time) / 1_000
    await sleep(2_000)
    const { rows } = await bench.pool.query<{ ms: string }>(
      `select extract(epoch from n.sent_at - m.created_at) * 1000 as ms from messages m join notifications n using (message_id)
       where m.message_id = any($1) order by 1`,
      [sends],
    )
    await api.post(`/api/admin/promotional-notifications/${campaign}/stop`, {})
    return {
      share: (after.acceptedMessages - before.acceptedMessages) / seconds / RATE,
      refusals: after.refusedRequests['TOO_MANY_REQUESTS'] ?? 0,
      transactionalP95Ms: Math.round(Number(rows[Math.floor(rows.length * 0.95)]?.ms ?? Number.NaN)),
      transactional: rows.length,
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await web.stop()
    await simulator.stop()
  }
}

async function sendTransactional(api: Awaited<ReturnType<typeof signIn>>): Promise<number[]> {
  const sends: number[] = []
  for (let sent = 0; sent * TRANSACTIONAL_EVERY_MS < MEASURED_MS; sent++) {
    const body = { user_ids: [sent + 1], title: 'A match', text: `Somebody likes your item ${sent}` }
    const { notification_id } = await api.post<{ notification_id: number }>('/api/admin/send-notification', body)
    sends.push(notification_id)
    await sleep(TRANSACTIONAL_EVERY_MS)
  }
  return sends
}

async function readState(url: string) {
  const answer = await fetch(`${url}/simulator/state`)
  return (await answer.json()) as { time: number; acceptedMessages: number; refusedRequests: Record<string, number> }
}
