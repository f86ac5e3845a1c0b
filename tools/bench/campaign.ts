import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { ADMIN, signIn, type Api } from './client.ts'
import { peakMegabytes } from './processes.ts'
import type { Bench } from './setup.ts'

export type CampaignFigures = { devices: number; answeredMs: number; perSecond: number; workerMegabytes: number }

const MESSAGE = {
  title: 'Swap weekend',
  text: 'Two days, no fees, and a meeting point near you. Bring three things that you no longer need.',
  data: { link: 'swapbell://weekend' },
}

/**
 * One campaign to everyone, over HTTP, from the request to the commit of the last ticket. `settings` go to the worker.
 */
export async function measureCampaign(
  bench: Bench,
  options: { latencyMs: number; settings: Record<string, string> },
): Promise<CampaignFigures> {
  await using simulator = await bench.simulator({ latencyMs: options.latencyMs })
  const provider = { EXPO_BASE_URL: simulator.url }
  await using web = await bench.service({ ...provider, ...ADMIN, PROCESS: 'web' })
  await using worker = await bench.service({ ...provider, ...options.settings, PROCESS: 'worker' })
  const api = await signIn(web.url)
  const startedAt = Date.now()
  const messageId = await startCampaign(api)
  const answeredMs = Date.now() - startedAt
  const { completedAt, sent } = await untilCompleted(bench.pool, messageId)
  const perSecond = Math.round(sent / ((completedAt - startedAt) / 1_000))
  return { devices: sent, answeredMs, perSecond, workerMegabytes: await peakMegabytes(worker.pid) }
}

/** Starts a campaign to everyone; gives its id. */
export async function startCampaign(api: Api): Promise<number> {
  const { notification_id } = await api.post<{ notification_id: number }>('/api/admin/send-notification-all', MESSAGE)
  return notification_id
}

/** Waits until a campaign is completed. `reached`: by a push, or in their inboxes alone. */
export async function untilCompleted(
  pool: Pool,
  messageId: number,
): Promise<{ completedAt: number; sent: number; reached: number }> {
  for (;;) {
    // Counts are read at the end alone, because in a divided database they are on several servers.
    const { rows } = await pool.query<{ completed_at: Date | null }>(
      'select completed_at from messages where message_id = $1',
      [messageId],
    )
    const completedAt = rows[0]?.completed_at?.getTime()
    if (completedAt !== undefined) return { completedAt, ...(await countReached(pool, messageId)) }
    await sleep(100)
  }
}

async function countReached(pool: Pool, messageId: number): Promise<{ sent: number; reached: number }> {
  const { rows } = await pool.query<{ sent: string; alone: string | null }>(
    `select sum(sent) as sent, sum((to_jsonb(c) ->> 'skipped_inbox_only')::int) as alone
     from message_counts c where message_id = $1`,
    [messageId],
  )
  const sent = Number(rows[0]?.sent)
  return { sent, reached: sent + Number(rows[0]?.alone) }
}
