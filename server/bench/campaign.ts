import type { Pool } from 'pg'
import type { Bench } from './setup.ts'

export type CampaignFigures = { devices: number; perSecond: number; workerMegabytes: number }

const ADMIN = { ADMIN_EMAIL: 'admin@bench.example', ADMIN_PASSWORD: 'only this benchmark' }

/**
 * One campaign to everyone, over HTTP, from the request to the commit of the last ticket. `settings` go to the worker.
 */
export async function measureCampaign(
  bench: Bench,
  options: { latencyMs: number; settings: Record<string, string> },
): Promise<CampaignFigures> {
  const simulator = await bench.simulator(options.latencyMs)
  const provider = { EXPO_BASE_URL: simulator.url }
  const web = await bench.service({ ...provider, ...ADMIN, PROCESS: 'web' })
  const worker = await bench.service({ ...provider, ...options.settings, PROCESS: 'worker' })
  try {
    const token = await signIn(web.url)
    const startedAt = Date.now()
    const messageId = await startCampaign(web.url, token)
    const { completedAt, sent } = await untilCompleted(bench.pool, messageId)
    const peak = await peakMegabytes(worker.pid)
    return { devices: sent, perSecond: Math.round(sent / ((completedAt - startedAt) / 1_000)), workerMegabytes: peak }
  } finally {
    await worker.stop()
    await web.stop()
    await simulator.stop()
  }
}

async function signIn(url: string): Promise<string> {
  const body = JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD })
  const answer = await fetch(`${url}/api/admin/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  return data.token
}

async function startCampaign(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/api/admin/send-notification-all`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      title: 'Swap weekend',
      text: 'Two days, no fees, and a meeting point near you. Bring three things that you no longer need.',
      data: { link: 'swapbell://weekend' },
    }),
  })
  const { data } = (await answer.json()) as { data: { notification_id: number } }
  return data.notification_id
}

async function untilCompleted(pool: Pool, messageId: number): Promise<{ completedAt: number; sent: number }> {
  for (;;) {
    const { rows } = await pool.query<{ completed_at: Date | null; sent: string }>(
      `select completed_at, (select sum(sent) from message_counts c where c.message_id = m.message_id) as sent
       from messages m where message_id = $1`,
      [messageId],
    )
    const row = rows[0]
    if (row?.completed_at) return { completedAt: row.completed_at.getTime(), sent: Number(row.sent) }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function peakMegabytes(pid: number): Promise<number> {
  const { readFile } = await import('node:fs/promises')
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}
