import { setTimeout as sleep } from 'node:timers/promises'
import type { DbPool } from '../../server/src/platform/db/connect.ts'
import { openStage, type EngineWish } from './engine.ts'
import { readNodes, sum, untilQuiet } from './nodes.ts'
import { readCpu } from './processes.ts'

const WARM_UP = 500
const PUSHES = 3_000
const AT_ONCE = 16

/** Seconds of CPU are for 1,000 pushes, until the database is quiet. */
export type SingleFigures = { perSecond: number; postgres: number; worker: number; web: number }

/** Pushes to single people, each a request of its own, from the first request to the last ticket. */
export async function measureSingles(wish: EngineWish): Promise<SingleFigures> {
  const stage = await openStage(wish)
  const { pool, worker, web } = stage
  const cpu = async () => ({
    postgres: sum(await readNodes(stage)),
    worker: await readCpu(worker.pid),
    web: await readCpu(web.pid),
  })
  try {
    const { rows } = await pool.query<{ user_id: string }>(
      `select user_id from users where role = 'user' order by md5(user_id::text) limit $1`,
      [WARM_UP + PUSHES],
    )
    const userIds = rows.map(({ user_id }) => Number(user_id))
    const send = (userId: number | undefined) =>
      stage.api.post('/api/admin/send-notification', {
        user_ids: [userId],
        title: 'A swap',
        text: 'Look at the offer.',
      })
    await sendAll(userIds.slice(0, WARM_UP), send)
    await untilSent(pool, WARM_UP)
    await untilQuiet(stage)
    const before = await cpu()
    const from = performance.now()
    await sendAll(userIds.slice(WARM_UP), send)
    await untilSent(pool, userIds.length)
    const perSecond = PUSHES / ((performance.now() - from) / 1_000)
    await untilQuiet(stage)
    const after = await cpu()
    const spent = (part: keyof typeof after) => ((after[part] - before[part]) * 1_000) / PUSHES
    return { perSecond, postgres: spent('postgres'), worker: spent('worker'), web: spent('web') }
  } finally {
    await stage.close()
  }
}

async function sendAll(userIds: number[], send: (userId: number | undefined) => Promise<unknown>): Promise<void> {
  const left = userIds.values()
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (const userId of left) await send(userId)
  })
  await Promise.all(callers)
}

async function untilSent(pool: DbPool, count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: string }>(
      'select count(*) as count from messages where completed_at is not null',
    )
    if (Number(rows[0]?.count) >= count) return
    await sleep(20)
  }
}
