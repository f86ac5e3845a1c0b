// For CI: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRealTime, type RealTime } from './support/real-time.ts'
import { sendToUsers } from './support/send.ts'

const IDLE_MS = 4_000
// A look a second and a little more; before it was 65 for each worker.
const A_SECOND = 5
// The chores of a minute fall into some such times.
const TRIES = 6

let real: RealTime

beforeAll(async () => {
  real = await startRealTime()
})

afterAll(() => real.close())

test('idle workers ask the database about once a second each, and still send', async () => {
  const user = await real.given.user({ devices: [{}] })
  for (const workers of [1, 2]) {
    await real.work()
    await sleep(2_000)
    const most = (IDLE_MS / 1_000) * A_SECOND * workers
    expect(await leastTransactions(most)).toBeLessThan(most)
    await push(user.userId)
  }
})

/** The transactions of an idle time; of several, until one has fewer than `most`. */
async function leastTransactions(most: number): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < TRIES && least >= most; tries++) {
    const before = await transactions()
    await sleep(IDLE_MS)
    least = Math.min(least, (await transactions()) - before)
  }
  return least
}

/** Transactions on this database so far; a session tells of its own a second after it fell idle. */
async function transactions(): Promise<number> {
  await sleep(1_200)
  const { rows } = await real.deps.pool.query<{ n: number }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.n ?? 0
}

/** Sends a push and waits until its ticket is stored. How long that takes, `npm run bench -- idle` measures. */
async function push(userId: number): Promise<void> {
  const content = { title: 'A match', text: 'Somebody likes your item' }
  const messageId = await sendToUsers(real.deps, {
    userIds: [userId],
    content,
    promotional: false,
    senderId: null,
    origin: 'test',
  })
  const sent = real.deps.db.selectFrom('notifications').select('is_send').where('message_id', '=', messageId)
  await expect.poll(() => sent.execute(), { interval: 5 }).toEqual([{ is_send: true }])
}
