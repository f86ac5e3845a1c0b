import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool as HttpPool } from 'undici'
import { CALLERS, openSessions, type Caller } from './callers.ts'
import { openLoop } from './open-loop.ts'
import type { Bench, Part } from './setup.ts'
import { readCpu } from './tracking.ts'

const WARM_UP_SECONDS = 4
const SECONDS = 10
const TURNS = 5
const TURN_SECONDS = 2
const IN_FLIGHT = 32
const TEXT = 'Shall we meet on Saturday at ten, at the fountain?'

type Turn = {
  /** Messages a second: the most that the API accepts, and plain inserts of the same rows. */
  most: number
  bare: number
  ratio: number
  /** Processor time of the API for one message. */
  microseconds: number
}

/** Medians; `ratio` is the median of the rounds' ratios, which other work on the machine affects least. */
export type ChatFigures = Turn & {
  /** At the set pace: latency of a message in milliseconds, pushes a second, and batches that wait. */
  paced: { p50: number; p99: number; pushes: number; waitingBefore: number; waitingAfter: number }
}

/** Pairs of people in accepted swaps who write to each other, with a worker that sends the pushes. */
export async function measureChat(bench: Bench, perSecond: number): Promise<ChatFigures> {
  await using simulator = await bench.simulator({ latencyMs: 50 })
  const settings = { EXPO_BASE_URL: simulator.url }
  await using web = await bench.service({ ...settings, PROCESS: 'web' })
  await using worker = await bench.service({ ...settings, PROCESS: 'worker' })
  await insertSwaps(bench)
  const callers = await openSessions(bench)
  // Requesters, then owners: neighbours in the list write in different chats.
  const calls = [1, 0].flatMap((rest) => callers.filter(({ userId }) => userId % 2 === rest)).map(toMessage)
  await openLoop(web.url, calls, { perSecond, seconds: WARM_UP_SECONDS })
  const before = await readState(bench)
  const startedAt = performance.now()
  const latencies = await openLoop(web.url, calls, { perSecond, seconds: SECONDS })
  const after = await readState(bench)
  const pushes = Math.round((after.sent - before.sent) / ((performance.now() - startedAt) / 1_000))
  await untilSent(bench)
  await worker.stop()
  const turns: Turn[] = []
  for (let turn = 0; turn < TURNS; turn++) turns.push(await takeTurn(bench, web, calls))
  return {
    ...medians(turns),
    paced: { ...latencies, pushes, waitingBefore: before.waiting, waitingAfter: after.waiting },
  }
}

/** The API, and right after it bare inserts, without a worker. */
async function takeTurn(bench: Bench, web: Part, calls: ReturnType<typeof toMessage>[]): Promise<Turn> {
  const before = await readCpu(web.pid)
  const most = await closedLoop(web.url, calls, TURN_SECONDS)
  const microseconds = ((await readCpu(web.pid)) - before) / (most * TURN_SECONDS)
  const bare = await insertBare(bench, TURN_SECONDS)
  return { most, bare, ratio: most / bare, microseconds }
}

function medians(turns: Turn[]): Turn {
  const of = (name: keyof Turn) =>
    turns.map((turn) => turn[name]).toSorted((a, b) => a - b)[Math.floor(turns.length / 2)]!
  return { most: of('most'), bare: of('bare'), ratio: of('ratio'), microseconds: Math.round(of('microseconds')) }
}

/** Users 1 and 2 swap, 3 and 4, and so on. */
async function insertSwaps({ pool }: Bench): Promise<void> {
  await pool.query(
    `insert into swaps (swap_id, requester_id, owner_id, status, expires_at, accepted_at, responded_at, created_at, updated_at)
     overriding system value
     select n, 2 * n - 1, 2 * n, 'accepted', now(), now(), now(), now(), now() from generate_series(1, $1::int) n`,
    [CALLERS / 2],
  )
  await pool.query('vacuum analyze swaps')
}

function toMessage({ userId, headers }: Caller) {
  return {
    method: 'POST' as const,
    path: `/api/v1/swaps/${Math.ceil(userId / 2)}/messages`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ text: TEXT }),
  }
}

/** Calls a second of connections that wait for each answer. Each begins elsewhere: no two write in one chat at once. */
async function closedLoop(url: string, calls: ReturnType<typeof toMessage>[], seconds: number): Promise<number> {
  const http = new HttpPool(url, { connections: IN_FLIGHT })
  const until = performance.now() + seconds * 1_000
  const answered = await Promise.all(
    Array.from({ length: IN_FLIGHT }, async (_, place) => {
      let count = 0
      for (let next = place * Math.floor(calls.length / IN_FLIGHT); performance.now() < until; next++, count++) {
        const { statusCode, body } = await http.request(calls[next % calls.length]!)
        await body.dump()
        if (statusCode !== 201) throw new Error(`The answer was ${statusCode}.`)
      }
      return count
    }),
  )
  await http.close()
  return Math.round(answered.reduce((sum, count) => sum + count, 0) / seconds)
}

async function readState({ pool }: Bench): Promise<{ sent: number; waiting: number }> {
  const { rows } = await pool.query<{ sent: string; waiting: string }>(
    `select (select coalesce(sum(sent), 0) from message_counts) as sent,
       (select count(*) from work) as waiting`,
  )
  return { sent: Number(rows[0]?.sent), waiting: Number(rows[0]?.waiting) }
}

async function untilSent(bench: Bench): Promise<void> {
  const until = performance.now() + 30_000
  while ((await readState(bench)).waiting > 0 && performance.now() < until) await sleep(200)
}

/** The rows of a message in one transaction, by a script that checks nothing: messages a second. */
async function insertBare({ pool }: Bench, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000
  const stored = { messages: 0 }
  const write = async () => {
    while (performance.now() < until) {
      const swapId = 1 + Math.floor(Math.random() * (CALLERS / 2))
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query({ name: 'line', text: LINE, values: [swapId, 2 * swapId - 1, TEXT] })
        await client.query({ name: 'side', text: SIDE, values: [swapId, 2 * swapId] })
        await client.query({ name: 'push', text: PUSH, values: [2 * swapId] })
        await client.query('commit')
      } finally {
        client.release()
      }
      stored.messages++
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, write))
  return Math.round(stored.messages / seconds)
}

const LINE = 'insert into swap_messages (swap_id, sender_id, body, created_at) values ($1, $2, $3, now())'
const SIDE = `
  insert into chat_sides as c (swap_id, user_id, received, unread) values ($1, $2, 1, 1)
  on conflict (swap_id, user_id) do update set received = c.received + 1, unread = c.unread + 1`
const PUSH = `
  with message as (
    insert into messages (origin, type, audience, lane, needs_opt_in, title, body, data, status, recipient_id, coordinated_at, started_at,
      created_at, expires_at, updated_at)
    values ('automatic', 'non_promotional', 'users', 'transactional', true, 'New message', 'You have a new message about a swap.',
      '{"event":"new_message"}', 'sending', $1, now(), now(), now(), now(), now()) returning message_id),
  batch as (
    insert into batches (message_id, user_ids, first_user, created_at)
    select message_id, array[$1::bigint], $1, now() from message returning batch_id, message_id),
  work as (insert into work (batch_id, message_id, places, due_at) select batch_id, message_id, '{0}', 'infinity' from batch)
  insert into message_counts (message_id, slot, selected) select message_id, 1, 1 from message`
