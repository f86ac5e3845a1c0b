// Slow: a service on real time.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Deps } from '../../deps.ts'
import { processesOn } from '../../../test/support/processes.ts'
import { startRealTime, type RealTime } from '../../../test/support/real-time.ts'
import { sendToAll, sendToUsers } from '../../../test/support/send.ts'
import { listBadges } from './badges.queries.ts'
import { createBadgeStreams } from './streams.ts'
import { toBlock } from '../records/home.queries.ts'

let real: RealTime
beforeAll(async () => {
  real = await startRealTime()
  await real.work()
})
afterAll(() => real.close())

describe('The entries on a stream', () => {
  test('come once, also what comes between the reads of badges and of entries', async () => {
    const { userId } = await real.given.user()
    let isNext = false
    const db = real.deps.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (isNext && 'version' in (result.rows[0] ?? {})) {
          isNext = false
          await push(userId, 'Second')
          await waitForBadge(userId, 2)
        }
        return result
      },
    })
    const { heard, wake } = await listen(userId, { deps: { ...real.deps, db } })
    isNext = true
    await push(userId, 'First')
    await waitForBadge(userId, 1)
    for (const total of [1, 2]) {
      wake()
      await expect.poll(heard).toContain(`total ${total}`)
    }
    expect(heard()).toEqual(['total 0', 'First', 'total 1', 'Second', 'total 2'])
  })

  test('come in the order of time, whatever the ids of their messages', async () => {
    const { userId } = await real.given.user()
    const [early, late] = processesOn(real, 2) as [Deps, Deps]
    // Each draws many ids at once.
    for (const deps of [early, late]) await push(userId, 'Before', deps)
    await waitForBadge(userId, 2)
    const { heard, wake } = await listen(userId)
    const first = await push(userId, 'First', late)
    await waitForBadge(userId, 3)
    const second = await push(userId, 'Second', early)
    await waitForBadge(userId, 4)
    expect(first).toBeGreaterThan(second)
    wake()
    await expect.poll(heard).toContain('total 4')
    expect(heard().filter((what) => !what.startsWith('total'))).toEqual(['First', 'Second'])
  })

  test('come after a break without a gap, campaigns and single messages in any order of their ids', async () => {
    const { userId } = await real.given.user()
    const { userId: senderId } = await real.given.user({ role: 'admin' })
    const [early, late] = processesOn(real, 2) as [Deps, Deps]
    for (const deps of [early, late]) await push(userId, 'Before', deps)
    await waitForBadge(userId, 2)
    const first = await listen(userId)
    const ids = [await push(userId, 'Heard', late)]
    await waitForBadge(userId, 3)
    first.wake()
    await expect.poll(first.heard).toContain('total 3')
    await first.close()

    ids.push(await sendToAll(early, { title: 'Campaign', text: 'There' }, senderId))
    await waitForBadge(userId, 4)
    ids.push(await push(userId, 'Single', late))
    await waitForBadge(userId, 5)
    ids.push(await push(userId, 'Another', early))
    await waitForBadge(userId, 6)
    const [heard = 0, campaign = 0, single = 0, another = 0] = ids
    expect([campaign < another, another < heard, heard < single]).toEqual([true, true, true])

    const second = await listen(userId, { since: first.lastId() })
    await expect.poll(second.heard).toContain('total 6')
    expect(second.heard()).toEqual(['Campaign', 'Single', 'Another', 'total 6'])
  })
})

type Listener = { heard: () => string[]; lastId: () => number; wake: () => void; close: () => Promise<void> }

/** A stream of a process that hears of nothing; `heard`: titles of entries, and totals of badges. */
async function listen(
  userId: number,
  { deps = real.deps, since }: { deps?: Deps; since?: number } = {},
): Promise<Listener> {
  const streams = createBadgeStreams(deps, () => true)
  onTestFinished(() => streams.close())
  const { token } = await real.deps.sessions.open({ userId })
  const stream = await streams.open(await real.deps.sessions.authenticate(token), since)
  let text = ''
  stream.on('data', (chunk) => (text += String(chunk)))
  const heard = () =>
    Array.from(text.matchAll(/"(total|title)":"?(\w+)/g), ([, name, value]) =>
      name === 'total' ? `total ${value}` : value!,
    )
  if (since === undefined) await expect.poll(heard).toHaveLength(1)
  const lastId = () => Number(Array.from(text.matchAll(/^id: ?(\d+)/gm)).at(-1)?.[1])
  return { heard, lastId, wake: () => streams.wake([toBlock(userId)]), close: () => streams.close() }
}

async function push(userId: number, title: string, deps: Deps = real.deps): Promise<number> {
  const content = { title, text: 'There' }
  return sendToUsers(deps, { userIds: [userId], content, promotional: false, senderId: null, origin: 'test' })
}

async function waitForBadge(userId: number, total: number): Promise<void> {
  await expect.poll(async () => (await listBadges(real.deps.db, [userId]))[0]?.total).toBe(total)
}
