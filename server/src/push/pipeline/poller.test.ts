// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startRealTime, type RealTime } from '../../../test/support/real-time.ts'
import type { Deps } from '../../deps.ts'
import { createWakeSignal } from '../../platform/jobs/wake-signal.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { createContact } from '../../platform/jobs/contact.ts'
import { startPoller } from './poller.ts'
import { sendToUsers } from '../../../test/support/send.ts'

let real: RealTime
const never = new Date('2100-01-01')

beforeEach(async () => {
  real = await startRealTime()
})

afterEach(() => real.close())

/** A poller of the process itself, with the moments at which it woke someone. */
function watch(deps: Deps, hears = true) {
  const woken: { who: string; at: number }[] = []
  const wakes = (who: string) => () => void woken.push({ who, at: performance.now() })
  const lane = (who: string) => ({ ...createWakeSignal(), wake: wakes(who) })
  const lanes = new Map([['expo', { transactional: lane('transactional'), campaign: lane('campaign') }]])
  for (const name of ['fetch-receipts', 'coordinate']) deps.queue.waiting.set(name, wakes(name))
  const ending = new AbortController()
  const parts = { lanes, badges: wakes('badges'), ahead: wakes('ahead'), contact: createContact(), hears: () => hears }
  const polling = startPoller(deps, parts, ending.signal)
  const stop = async () => {
    ending.abort()
    await polling
  }
  const nextAfter = async (from: number, who: string) => {
    await expect.poll(() => woken.some((entry) => entry.who === who && entry.at >= from)).toBe(true)
  }
  return { woken, nextAfter, stop }
}

async function send({ deps, given }: RealTime): Promise<number> {
  const { userId } = await given.user({ devices: [{}] })
  const content = { title: 'a', text: 'b' }
  return sendToUsers(deps, {
    userIds: [userId],
    content,
    promotional: false,
    senderId: null,
    origin: 'test',
  })
}

describe('a poller', () => {
  test('wakes a lane and a queue once work for them is committed, and not before', async () => {
    const poller = watch(real.deps)
    for (let time = 0; time < 4; time++) {
      await sleep(200)
      poller.woken.length = 0
      const from = performance.now()
      await send(real)
      await poller.nextAfter(from, 'transactional')
      expect(poller.woken.every(({ who }) => who === 'transactional')).toBe(true)
      await real.deps.db.updateTable('work').set({ due_at: never }).execute()
    }
    await sleep(100)
    poller.woken.length = 0
    const from = performance.now()
    await enqueue({ queue: real.deps.queue, tx: real.deps.db }, 'fetch-receipts', { limit: 1, dueOnly: true })
    await poller.nextAfter(from, 'fetch-receipts')
    await poller.stop()
  })

  test('wakes a lane when a retry is due, and not before', async () => {
    const messageId = await send(real)
    await real.deps.db.updateTable('work').set({ due_at: never }).execute()
    const poller = watch(real.deps)
    for (const waitMs of [300, 700, 1_300]) {
      const dueAt = new Date(real.deps.clock.now() + waitMs)
      await real.deps.db.updateTable('work').set({ due_at: dueAt }).execute()
      // A lane that has settled does the same.
      real.deps.queue.announced.wake()
      const from = performance.now()
      poller.woken.length = 0
      await poller.nextAfter(from, 'transactional')
      expect(real.deps.clock.now()).toBeGreaterThanOrEqual(dueAt.getTime())
      await real.deps.db.updateTable('work').set({ due_at: never }).where('message_id', '=', messageId).execute()
    }
    await poller.stop()
  })

  test('leaves the lanes alone while sending is halted, wakes what decides ahead, and the lanes for the probe of an open breaker', async () => {
    await send(real)
    const halted = real.deps.db.updateTable('provider_state').set({ breaker: 'halted' })
    await halted.execute()
    const poller = watch(real.deps)
    await poller.nextAfter(performance.now(), 'ahead')
    expect(poller.woken.filter(({ who }) => who !== 'ahead')).toEqual([])
    const retryAt = new Date(real.deps.clock.now() + 1_000)
    await real.deps.db.updateTable('provider_state').set({ breaker: 'open', retry_at: retryAt }).execute()
    const from = performance.now()
    real.deps.queue.announced.wake()
    await poller.nextAfter(from, 'campaign')
    expect(real.deps.clock.now()).toBeGreaterThanOrEqual(retryAt.getTime())
    await poller.stop()
  })

  test('of a worker brings what is sent during a halt to inboxes, without the sweep', async () => {
    await real.deps.db.updateTable('provider_state').set({ breaker: 'halted' }).execute()
    const { queue } = await real.work()
    await queue.boss.unschedule('sweep')
    const messageId = await send(real)
    const entries = real.deps.db.selectFrom('entries').select('message_id')
    await expect.poll(() => entries.execute()).toEqual([{ message_id: messageId }])
  })

  test('wakes the coordination of a message that nobody announced, until its batches are made', async () => {
    const poller = watch(real.deps)
    await sleep(100)
    expect(poller.woken).toEqual([])
    const messageId = await send(real)
    const message = real.deps.db.updateTable('messages').where('message_id', '=', messageId)
    await message.set({ audience: 'all', coordinated_at: null }).execute()
    const from = performance.now()
    await poller.nextAfter(from, 'coordinate')
    await message.set({ coordinated_at: new Date() }).execute()
    const wokenInTurn = async () => {
      poller.woken.length = 0
      await sleep(1_200)
      return poller.woken.filter(({ who }) => who === 'coordinate')
    }
    // A look that began before may still wake it.
    await expect.poll(wokenInTurn).toEqual([])
    await poller.stop()
  })

  test('that receives no announcements looks again and again', async () => {
    const poller = watch(real.deps, false)
    await send(real)
    await expect.poll(() => poller.woken.filter(({ who }) => who === 'transactional').length).toBeGreaterThan(5)
    await poller.stop()
  })
})
