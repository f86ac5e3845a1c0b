import { setTimeout as sleep } from 'node:timers/promises'
import { untilCompleted } from './campaign.ts'
import { openStage, start, type EngineWish, type Stage } from './engine.ts'

const AFTER_MS = 60_000
const SINGLES = 20

/** Campaigns: pushes a second. Single pushes: milliseconds from the request until the provider has answered. */
export type HeldFigures = { perSecond: number; single: number }

/**
 * One campaign after another, and single pushes between them: before, while, and a minute after a transaction holds its
 * snapshot, as a long export or a backup does.
 */
export async function measureHeld(
  wish: EngineWish,
  minutes: number,
): Promise<{ before: HeldFigures; held: HeldFigures[]; after: HeldFigures }> {
  const stage = await openStage(wish)
  const holder = await stage.pool.connect()
  try {
    await measureOnce(stage)
    await stage.pool.query('checkpoint')
    const before = await measureOnce(stage)
    await holder.query('begin isolation level repeatable read; select count(*) from messages')
    const held: HeldFigures[] = []
    for (const until = performance.now() + minutes * 60_000; performance.now() < until;)
      held.push(await measureOnce(stage))
    await holder.query('commit')
    await sleep(AFTER_MS)
    return { before, held, after: await measureOnce(stage) }
  } finally {
    holder.release(true)
    await stage.close()
  }
}

async function measureOnce({ api, pool }: Stage): Promise<HeldFigures> {
  const from = Date.now()
  const { completedAt, sent } = await untilCompleted(pool, await start(api))
  const singles: number[] = []
  const { rows } = await pool.query<{ user_id: string }>('select user_id from users where is_test_user limit 1')
  for (let n = 0; n < SINGLES; n++) {
    const startedAt = Date.now()
    const payload = { user_ids: [Number(rows[0]?.user_id)], title: `Hello ${startedAt} ${n}`, text: 'There' }
    const { notification_id } = await api.post<{ notification_id: number }>('/api/admin/send-notification', payload)
    singles.push((await untilCompleted(pool, notification_id)).completedAt - startedAt)
  }
  const single = singles.toSorted((a, b) => a - b)[Math.floor(SINGLES * 0.95)] ?? Number.NaN
  return { perSecond: Math.round(sent / ((completedAt - from) / 1_000)), single }
}
