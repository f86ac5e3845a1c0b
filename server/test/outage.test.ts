// For CI: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimBatches } from '../src/push/pipeline/claim.ts'
import { enqueue } from '../src/platform/jobs/queue.ts'
import { openLink, type Link } from './support/link.ts'
import { startRealTime, type RealTime } from './support/real-time.ts'
import { sendToUsers } from './support/send.ts'

const LEASE_S = 6
// A quarter of a lease.
const STEADY_MS = LEASE_S * 250

let real: RealTime
let link: Link

// One worker, whose link to the database can be taken away.
beforeAll(async () => {
  real = await startRealTime({ PUSH_LEASE_SECONDS: LEASE_S, PUSH_TIMEOUT_SECONDS: 2, PUSH_RETRY_DELAY_SECONDS: 1 })
  const url = new URL(real.databaseUrl)
  link = await openLink(Number(url.port))
  url.port = String(link.port)
  await real.work({ DATABASE_URL: url.href })
  await sleep(STEADY_MS + 500)
})

afterAll(async () => {
  link.flow()
  await real.close()
  await link.close()
})

async function send(users: number): Promise<number> {
  const given = await Promise.all(Array.from({ length: users }, () => real.given.user({ devices: [{}] })))
  const userIds = given.map((user) => user.userId)
  const content = { title: 'a', text: 'b' }
  return sendToUsers(real.deps, {
    userIds,
    content,
    promotional: false,
    senderId: null,
    origin: 'test',
  })
}

async function askForSweep(): Promise<void> {
  await enqueue({ queue: real.deps.queue, tx: real.deps.db }, 'sweep', {})
}

async function readCounts(messageId: number) {
  const { rows } = await real.deps.pool.query<{ sent: number; possible: number }>(
    'select sum(sent)::int as sent, sum(possible_duplicates)::int as possible from message_counts where message_id = $1',
    [messageId],
  )
  return rows[0]
}

/** Leaves an attempt that nobody finishes, asks for a sweep, and waits until it is recovered. */
async function recover(): Promise<void> {
  await real.deps.db.updateTable('provider_state').set({ breaker: 'halted' }).execute()
  const messageId = await send(1)
  await claimBatches(real.deps, { home: 0, lane: 'transactional', limit: 10 })
  const past = new Date(real.deps.clock.now() - 1_000)
  await real.deps.db.updateTable('requests').set({ lease_until: past }).where('outcome', 'is', null).execute()
  await askForSweep()
  const work = real.deps.db.selectFrom('work').select('provider').where('message_id', '=', messageId)
  // An announcement may be lost in the outage; then the queue is polled 15 s later.
  await expect.poll(() => work.execute()).toEqual([{ provider: 'expo' }])
}

test('after an outage longer than a lease, workers store their tickets before anything is swept', async () => {
  real.simulator.script([{ match: 'send', delayMs: 500 }])
  const messageId = await send(3)
  await expect.poll(() => real.simulator.log()).toHaveLength(3)
  link.down()
  await sleep((LEASE_S + 1) * 1_000)
  link.flow()
  for (let times = 0; times < 10; times++) {
    await askForSweep()
    await sleep(100)
  }
  await expect.poll(() => readCounts(messageId)).toEqual({ sent: 3, possible: 0 })
  expect(real.simulator.log()).toHaveLength(3)
})

test('an attempt that nobody finished is swept once the database was there for a while', async () => {
  await recover()
  link.down()
  await sleep(1_000)
  const backAt = performance.now()
  link.flow()
  await recover()
  expect(performance.now() - backAt).toBeGreaterThan(STEADY_MS)
})
