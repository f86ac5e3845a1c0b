import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { openSessions, type Caller } from './callers.ts'
import { startCampaign, untilCompleted } from './campaign.ts'
import { ADMIN, signIn, type Api } from './client.ts'
import { BENCH_JWT_SECRET, type Bench } from './setup.ts'

const RATE = 600
const LATENCY_MS = 50
const EVENTS = 150
const EVERY_MS = 100
const WARM_UP_MS = 5_000

export type EventFigures = { events: number; p50: number; p95: number; slowest: number }

/**
 * How long an event takes from its request to the provider's acceptance of its push: first lines of chats, ten a
 * second. Once while nothing else happens, once while a campaign uses the whole pace of 600 a second, and once while
 * campaigns without a pace follow one another, `pushes` a second.
 */
export async function measureEvents(
  bench: Bench,
): Promise<{ idle: EventFigures; during: EventFigures; unpaced: EventFigures & { pushes: number } }> {
  const simulator = await bench.simulator({ latencyMs: LATENCY_MS })
  const settings = {
    EXPO_BASE_URL: simulator.url,
    PUSH_RATE_PER_SECOND: String(RATE),
    RATE_LIMITS: 'off',
    JWT_SECRET: BENCH_JWT_SECRET,
  }
  const web = await bench.service({ ...settings, ...ADMIN, PROCESS: 'web' })
  let worker = await bench.service({ ...settings, PROCESS: 'worker' })
  try {
    const callers = await openSessions(bench)
    const swaps = await insertSwaps(bench.pool, callers)
    await sleep(WARM_UP_MS)
    const idle = await timeLines(bench.pool, web.url, swaps.slice(0, EVENTS))
    const api = await signIn(web.url)
    const campaign = await startCampaign(api)
    await sleep(WARM_UP_MS)
    const during = await timeLines(bench.pool, web.url, swaps.slice(EVENTS, 2 * EVENTS))
    await api.post(`/api/admin/promotional-notifications/${campaign}/stop`, {})
    await worker.stop()
    worker = await bench.service({ ...settings, PUSH_RATE_PER_SECOND: '0', PROCESS: 'worker' })
    const timing = { isOver: false }
    const [unpaced, pushes] = await Promise.all([
      timeLines(bench.pool, web.url, swaps.slice(2 * EVENTS, 3 * EVENTS)).finally(() => (timing.isOver = true)),
      sendCampaigns(bench.pool, api, timing),
    ])
    return { idle, during, unpaced: { ...unpaced, pushes } }
  } finally {
    await worker.stop()
    await web.stop()
    await simulator.stop()
  }
}

/** One campaign after another; gives their pushes a second. */
async function sendCampaigns(pool: Pool, api: Api, timing: { isOver: boolean }): Promise<number> {
  const from = performance.now()
  let pushes = 0
  while (!timing.isOver) pushes += (await untilCompleted(pool, await startCampaign(api))).sent
  return Math.round(pushes / ((performance.now() - from) / 1_000))
}

type Line = { swapId: number; sender: Caller }

/** An accepted swap of each two neighbours among the callers. */
async function insertSwaps(pool: Pool, callers: Caller[]): Promise<Line[]> {
  const pairs = callers.slice(0, 6 * EVENTS)
  const { rows } = await pool.query<{ swap_id: string; requester_id: string }>(
    `insert into swaps (requester_id, owner_id, status, accepted_at, responded_at, expires_at, created_at, updated_at)
     select requester, owner, 'accepted', now(), now(), now() + interval '7 days', now(), now()
     from unnest($1::bigint[], $2::bigint[]) as pairs(requester, owner) returning swap_id, requester_id`,
    [
      pairs.filter((_, i) => i % 2 === 0).map((c) => c.userId),
      pairs.filter((_, i) => i % 2 === 1).map((c) => c.userId),
    ],
  )
  const byId = new Map(callers.map((caller) => [caller.userId, caller]))
  return rows.flatMap((row) => {
    const sender = byId.get(Number(row.requester_id))
    return sender === undefined ? [] : [{ swapId: Number(row.swap_id), sender }]
  })
}

async function timeLines(pool: Pool, url: string, lines: Line[]): Promise<EventFigures> {
  const startedAt = new Map<string, number>()
  for (const { swapId, sender } of lines) {
    startedAt.set(`chat-${swapId}`, Date.now())
    const answer = await fetch(`${url}/api/v1/swaps/${swapId}/messages`, {
      method: 'POST',
      headers: { ...sender.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Is it still there?' }),
    })
    if (!answer.ok) throw new Error(`A line was answered with ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
    await sleep(EVERY_MS)
  }
  await sleep(3_000)
  const { rows } = await pool.query<{ merge_key: string; sent_at: Date | null }>(
    `select m.merge_key, n.sent_at from messages m join notifications n using (message_id) where m.merge_key = any($1)`,
    [[...startedAt.keys()]],
  )
  const times = rows
    .map(({ merge_key, sent_at }) => (sent_at?.getTime() ?? Number.POSITIVE_INFINITY) - (startedAt.get(merge_key) ?? 0))
    .toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  return { events: times.length, p50: at(0.5), p95: at(0.95), slowest: at(1) }
}
