import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { sleep } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { DbPool } from '../db/connect.ts'
import { LIMITS, openSession } from '../db/session.ts'

export type Channel = 'swapbell_work' | 'swapbell_badges'

const ABOUT: Record<Channel, string> = { swapbell_work: 'new work', swapbell_badges: 'badges' }

const TEST_EVERY_MS = 60_000
const TEST_FOR_MS = 2_000
const RETRY_MS = { least: 1_000, most: 15_000 }

/** It is called after the transaction that made the work: NOTIFY holds one lock of the whole database until a commit
 * is on disk. */
export async function notifyWorkers(pool: DbPool, queues: readonly string[]): Promise<void> {
  await pool.query('select pg_notify($1, $2)', ['swapbell_work', queues.join(',')])
}

export type WakeUpListener = {
  hears(): boolean
  stop(): Promise<void>
}

/** `wake` gets the queues that have work. It gets nothing when listening begins: any of them may have some. */
export function listenForWork(
  from: { url: string; pool: DbPool; log: Log },
  wake: (queues?: string[]) => void,
): WakeUpListener {
  return listenOn({ ...from, channel: 'swapbell_work' }, (payload) =>
    wake(payload?.split(',').filter((name) => name !== '')),
  )
}

/**
 * Tests every minute that notifications arrive: through a pooler in transaction mode they do not. `wake` gets no
 * payload when listening begins.
 */
export function listenOn(
  { url, pool, log, channel }: { url: string; pool: DbPool; log: Log; channel: Channel },
  wake: (payload?: string) => void,
): WakeUpListener {
  const ending = new AbortController()
  const state = { hears: false, reported: true }
  const setHears = (hears: boolean) => {
    state.hears = hears
    if (hears === state.reported) return
    state.reported = hears
    if (hears) log.info(`notifications of ${ABOUT[channel]} arrive again`)
    else log.warn(`notifications of ${ABOUT[channel]} do not arrive; this process polls more often`)
  }
  // The test has its own channel. Otherwise, through a pooler, a shared session would keep listening for work.
  const testChannel = `swapbell_test_${randomBytes(8).toString('hex')}`
  const listening = keepListening({ url, pool, channel, testChannel, signal: ending.signal, wake, setHears })
  const stop = async () => {
    ending.abort()
    await listening
  }
  return { hears: () => state.hears, stop }
}

type Listening = {
  url: string
  pool: DbPool
  channel: Channel
  testChannel: string
  signal: AbortSignal
  wake: (payload?: string) => void
  setHears: (hears: boolean) => void
}

async function keepListening(listening: Listening): Promise<void> {
  let waitMs = RETRY_MS.least
  while (!listening.signal.aborted) {
    const end = await listenOnce(listening).catch(() => 'unreachable' as const)
    if (listening.signal.aborted) return
    listening.setHears(false)
    waitMs = end === 'unreachable' ? Math.min(waitMs * 2, RETRY_MS.most) : RETRY_MS.least
    await sleep(end === 'unheard' ? TEST_EVERY_MS : waitMs, listening.signal)
  }
}

async function listenOnce(listening: Listening): Promise<'lost' | 'unheard'> {
  const { url, pool, channel: name, testChannel, signal, wake, setHears } = listening
  const lost = new AbortController()
  const either = AbortSignal.any([signal, lost.signal])
  const tested = { heard: false }
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    query_timeout: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  })
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel === testChannel) tested.heard = true
    else wake(payload)
  })
  const isHeard = async () => {
    tested.heard = false
    await pool.query('select pg_notify($1, $2)', [testChannel, ''])
    for (const giveUpAt = performance.now() + TEST_FOR_MS; !tested.heard && performance.now() < giveUpAt;)
      await sleep(20, either)
    return tested.heard
  }
  let hasHeard = false
  try {
    await client.connect()
    await openSession(client, LIMITS, pool.pooling)
    await client.query(`listen ${testChannel}`)
    while (!either.aborted && (await isHeard())) {
      if (!hasHeard) {
        await client.query(`listen ${name}`)
        setHears(true)
        wake()
      }
      hasHeard = true
      await sleep(TEST_EVERY_MS, either)
    }
  } finally {
    // `end` never settles on a dead connection.
    await Promise.race([client.end().catch(() => undefined), sleep(1_000)])
  }
  return hasHeard || lost.signal.aborted ? 'lost' : 'unheard'
}
