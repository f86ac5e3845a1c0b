import { setTimeout as sleep } from 'node:timers/promises'
import type { DbPool } from '../../server/src/platform/db/connect.ts'
import { openSessionsOf, toCalls } from './callers.ts'
import { untilCompleted } from './campaign.ts'
import { openStage, start, type EngineWish, type Stage } from './engine.ts'
import { readNodes, sum, untilQuiet } from './nodes.ts'
import { openLoop, type Call } from './open-loop.ts'

const IDLE_SECONDS = 5
// The most that one request fetches.
const RECEIPTS = 10_000
const SWAPS = { perSecond: 20, seconds: 10 }
const PAGES = { perSecond: 200, seconds: 5 }
const SWAPS_A_ROUND = SWAPS.perSecond * SWAPS.seconds
const PAGES_A_ROUND = PAGES.perSecond * PAGES.seconds

/** Milliseconds of CPU. The busiest: the share of that worker in what all workers take. A plain server has none. */
type Spent = { all: number; coordinator: number; busiest: number }

/**
 * `idle`: of a second in which the service waits for work. `campaign`: of 100,000 copies until all is quiet, idle
 * `seconds` included. The others, less what is idle: of one event that pushes until its push is settled, of one page.
 * `p95`: milliseconds until such an event is answered.
 */
export type DividedFigures = Record<'campaign' | 'idle' | 'swap' | 'inbox' | 'badge', Spent> & {
  seconds: number
  perSecond: number
  p95: number
}

type Requests = { inbox: Call[]; badge: Call[]; swaps: Call[] }
/** `idle`: of all its servers together, when nothing was sent yet. */
export type WarmStage = { stage: Stage; audience: number; requests: Requests; idle: number }

/** A campaign and swaps come first, so that every process has been in use. */
export async function openWarmStage(wish: EngineWish, rounds: number): Promise<WarmStage> {
  const stage = await openStage(wish)
  const requests = await prepareRequests(stage.pool, (rounds + 1) * SWAPS_A_ROUND)
  const warm = { stage, audience: wish.audience, requests, idle: sum(await spendIdle(stage)) }
  await sendCampaign(warm)
  await openLoop(stage.web.url, requests.swaps.splice(0, SWAPS_A_ROUND), SWAPS)
  await untilQuiet(stage, warm.idle)
  return warm
}

export async function measureDivided(warm: WarmStage): Promise<DividedFigures> {
  const { stage, audience, requests } = warm
  const idle = await spendIdle(stage)
  const beyondIdle = ({ cpu, seconds }: Measured, count: number) =>
    toSpent(cpu.map((ms, node) => (ms - seconds * (idle[node] ?? 0)) / count))
  let perSecond = Number.NaN
  const campaign = await spend(stage, async () => (perSecond = await sendCampaign(warm)))
  let p95 = Number.NaN
  const swap = await spend(stage, async () => {
    ;({ p95 } = await openLoop(stage.web.url, requests.swaps.splice(0, SWAPS_A_ROUND), SWAPS))
    await untilQuiet(stage, warm.idle)
  })
  const inbox = await spend(stage, () => openLoop(stage.web.url, requests.inbox, PAGES))
  const badge = await spend(stage, () => openLoop(stage.web.url, requests.badge, PAGES))
  return {
    campaign: toSpent(campaign.cpu.map((ms) => (ms * 100_000) / audience)),
    idle: toSpent(idle),
    swap: beyondIdle(swap, SWAPS_A_ROUND),
    inbox: beyondIdle(inbox, PAGES_A_ROUND),
    badge: beyondIdle(badge, PAGES_A_ROUND),
    seconds: campaign.seconds,
    perSecond,
    p95,
  }
}

/** Measures the CPU that each server takes in an idle second, in milliseconds. */
async function spendIdle(stage: Stage): Promise<number[]> {
  const { cpu, seconds } = await spend(stage, () => sleep(IDLE_SECONDS * 1_000))
  return cpu.map((ms) => ms / seconds)
}

/** Milliseconds of CPU of each server. */
type Measured = { cpu: number[]; seconds: number }

async function spend(stage: Stage, work: () => Promise<unknown>): Promise<Measured> {
  const [before, from] = [await readNodes(stage), performance.now()]
  await work()
  const after = await readNodes(stage)
  const cpu = after.map((seconds, node) => (seconds - (before[node] ?? 0)) * 1_000)
  return { cpu, seconds: (performance.now() - from) / 1_000 }
}

function toSpent([coordinator = 0, ...workers]: number[]): Spent {
  const others = sum(workers)
  return { all: coordinator + others, coordinator, busiest: Math.max(...workers, 0) / others }
}

/** Until its receipts are stored and all is quiet; gives its pushes a second until the last ticket. */
async function sendCampaign({ stage, audience, idle }: WarmStage): Promise<number> {
  const { pool, api } = stage
  const from = Date.now()
  const { completedAt, reached } = await untilCompleted(pool, await start(api))
  if (reached !== audience) throw new Error(`${reached} of ${audience} people were reached.`)
  do {
    for (let asked = 0; asked < audience; asked += RECEIPTS)
      await api.get(`/api/admin/process-receipts?limit=${RECEIPTS}`)
    await untilQuiet(stage, idle)
  } while (await awaitsReceipts(pool))
  return Math.round(reached / ((completedAt - from) / 1_000))
}

async function awaitsReceipts(pool: DbPool): Promise<boolean> {
  const { rowCount } = await pool.query('select request_id from requests where next_receipt_at is not null limit 1')
  return rowCount !== 0
}

/** `count` people each propose a swap to another one; people are taken from all homes. */
async function prepareRequests(pool: DbPool, count: number): Promise<Requests> {
  const { rows } = await pool.query<{ user_id: string; product_id: string }>(
    `with category as (insert into categories (slug, name) values ('things', 'Things') returning category_id),
     people as (select user_id from users where role = 'user' order by md5(user_id::text) limit $1)
     insert into products (user_id, category_id, title, description, condition, images, status, verification,
       submitted_at, created_at, updated_at)
     select user_id, category_id, 'A thing', 'It is a thing', 'good', '[]', 'active', 'verified', now(), now(), now()
     from people, category returning user_id, product_id`,
    [2 * count],
  )
  const callers = await openSessionsOf(
    { pool },
    rows.slice(0, count).map(({ user_id }) => Number(user_id)),
  )
  const swaps = callers.map(({ headers }, n) => ({
    method: 'POST' as const,
    path: '/api/v1/swaps',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      offered: [Number(rows[n]?.product_id)],
      requested: [Number(rows[count + n]?.product_id)],
    }),
  }))
  return { inbox: toCalls(callers, '/api/v1/inbox'), badge: toCalls(callers, '/api/v1/badge'), swaps }
}
