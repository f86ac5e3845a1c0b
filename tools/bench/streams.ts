import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, get, type ClientRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSessions, type Caller } from './callers.ts'
import { ADMIN } from './client.ts'
import type { Bench } from './setup.ts'

const CHANGES = 600
const PER_SECOND = 60

export type StreamFigures = {
  streams: number
  openedPerSecond: number
  /** Memory of the API process: with all streams open, and the maximum. */
  megabytes: number
  peakMegabytes: number
  /** The time from the call that changes the unread count to the event, in milliseconds. */
  p50: number
  p95: number
  slowest: number
  missed: number
}

/**
 * Opens a stream for each of `count` users on one API process, and has some of them open a notification, 60 a second:
 * how long it takes until their stream tells. `fillInboxes` comes first.
 */
export async function measureStreams(bench: Bench, count: number): Promise<StreamFigures> {
  const simulator = await bench.simulator({ latencyMs: 0 })
  const settings = { ...ADMIN, EXPO_BASE_URL: simulator.url }
  const web = await bench.service({ ...settings, PROCESS: 'web', CONNECTIONS_MAX: String(count * 2) })
  const worker = await bench.service({ ...settings, PROCESS: 'worker' })
  const waiting = new Map<number, () => void>()
  const open: ClientRequest[] = []
  try {
    const callers = await openSessions(bench, count)
    const startedAt = performance.now()
    const agent = new Agent({ maxSockets: count + 10 })
    for (let from = 0; from < callers.length; from += 100) {
      const group = callers.slice(from, from + 100)
      open.push(...(await Promise.all(group.map((caller) => openStream(web.url, agent, caller, waiting)))))
    }
    const openedPerSecond = Math.round(open.length / ((performance.now() - startedAt) / 1_000))
    await sleep(3_000)
    const megabytes = await readMegabytes(web.pid, 'VmRSS')
    const took = await change(bench, web.url, callers, waiting)
    const sorted = took.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN)
    return {
      streams: open.length,
      openedPerSecond,
      megabytes,
      peakMegabytes: await readMegabytes(web.pid, 'VmHWM'),
      p50: at(0.5),
      p95: at(0.95),
      slowest: Math.round(sorted.at(-1) ?? Number.NaN),
      missed: CHANGES - sorted.length,
    }
  } finally {
    for (const request of open) request.destroy()
    await worker.stop()
    await web.stop()
    await simulator.stop()
  }
}

/** Opens a stream and waits for its first badge; what comes later calls whoever waits for this user. */
async function openStream(
  url: string,
  agent: Agent,
  { userId, headers }: Caller,
  waiting: Map<number, () => void>,
): Promise<ClientRequest> {
  const request = get(`${url}/api/v1/stream`, { headers, agent })
  const first = new Promise<void>((resolve) => waiting.set(userId, resolve))
  request.on('response', (response) => {
    response.on('data', (chunk: Buffer) => {
      if (chunk.includes('event: badge')) waiting.get(userId)?.()
    })
    response.on('error', () => undefined)
  })
  await Promise.race([first, once(request, 'error').then(([error]) => Promise.reject(error as Error))])
  waiting.delete(userId)
  return request
}

/** Has users open a notification, each once; returns how long their streams took to send the change. */
async function change(
  bench: Bench,
  url: string,
  callers: Caller[],
  waiting: Map<number, () => void>,
): Promise<number[]> {
  const { rows } = await bench.pool.query<{ user_id: number; id: number }>(
    `select user_id, min(notification_id) as id from notifications where user_id = any($1::bigint[]) group by user_id`,
    [callers.map(({ userId }) => userId)],
  )
  const notifications = new Map(rows.map((row) => [row.user_id, row.id]))
  const took: number[] = []
  const running: Promise<unknown>[] = []
  const every = Math.floor(callers.length / CHANGES)
  for (let n = 0; n < CHANGES; n++) {
    const caller = callers[n * every]!
    const from = performance.now()
    const received = new Promise<void>((resolve) => waiting.set(caller.userId, resolve)).then(() =>
      took.push(performance.now() - from),
    )
    const answer = fetch(`${url}/api/notification/${notifications.get(caller.userId)}/read`, {
      headers: caller.headers,
    })
    running.push(
      answer.then((done) => done.text()),
      Promise.race([received, sleep(10_000)]),
    )
    await sleep(1_000 / PER_SECOND)
  }
  await Promise.all(running)
  return took
}

async function readMegabytes(pid: number, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024)
}
