// Slow: several services for one test.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildAnother } from '../../../test/support/build-app.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { openStream } from '../../../test/support/event-stream.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import { startRealTime, type RealTime } from '../../../test/support/real-time.ts'
import { sendSwapMessage } from '../../marketplace/chat/chat.ts'
import { leave } from '../../platform/process/leaving.ts'
import type { Principal } from '../../platform/rights/permissions.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { createBadgeStreams, type StreamLimits } from './streams.ts'
import { setBadge } from '../../../test/support/set-badge.ts'
import { sendToUsers } from '../../../test/support/send.ts'
import { toBlock } from '../records/home.queries.ts'

let real: RealTime
let urls: string[]

// Two API processes and a worker, by the true clock.
beforeAll(async () => {
  real = await startRealTime()
  urls = []
  for (let api = 0; api < 2; api++) {
    const { app, connections } = await buildAnother(real.deps)
    urls.push(await app.listen({ port: 0, host: '127.0.0.1' }))
    closers.push(() => leave(app, connections, { LAME_DUCK_SECONDS: 0, PROXY_KEEP_ALIVE_SECONDS: 0 }))
  }
  await real.work()
})

const closers: (() => Promise<unknown>)[] = []

afterAll(async () => {
  for (const close of closers) await close()
  await real.close()
})

async function push({ userId }: GivenUser): Promise<void> {
  const content = { title: 'A match', text: 'Somebody likes your item' }
  const send = {
    userIds: [userId],
    content,
    promotional: false,
    senderId: null,
    origin: 'test',
  } as const
  await sendToUsers(real.deps, { ...send, userIds: [userId] })
}

function open(user: GivenUser, lastId?: string, api = 0) {
  const headers = { ...user.headers, ...(lastId !== undefined && { 'last-event-id': lastId }) }
  return openStream(`${urls[api]}/api/v1/stream`, { headers })
}

describe('GET /api/v1/stream', () => {
  test('sends the badge at once and after each change, on every process', async () => {
    const user = await real.given.user({ devices: [{}] })
    const streams = [await open(user, undefined, 0), await open(user, undefined, 1)]
    for (const stream of streams) {
      expect(stream.status).toBe(200)
      expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(await stream.next()).toEqual({
        id: '0',
        event: 'badge',
        data: { total: 0, notifications: 0, chats: {} },
      })
    }
    await push(user)
    for (const stream of streams) {
      expect(await stream.next()).toMatchObject({
        event: 'entry',
        data: { title: 'A match', kind: 'system', read: false },
      })
      expect(await stream.next()).toMatchObject({ event: 'badge', data: { total: 1, notifications: 1 } })
    }
    for (const stream of streams) stream.leave()
  })

  test('sends a chat line, and continues from the last event: nothing when nothing has changed', async () => {
    const { requester, owner, swapId } = await givenProposal(real)
    const first = await open(owner)
    const say = (text: string) => commitAs(requester, real.deps, sendSwapMessage, { swapId, text })
    await say('Hello')
    let last = await first.next()
    while (last?.data['total'] !== 2) last = await first.next()
    expect(last.data).toEqual({ total: 2, notifications: 1, chats: { [swapId]: 1 } })
    first.leave()

    const again = await open(owner, last.id)
    await sleep(300)
    await say('Are you there?')
    const next = await again.next()
    expect(next?.data['chats']).toEqual({ [swapId]: 2 })
    expect(Number(next?.id)).toBeGreaterThan(Number(last.id))
    again.leave()
    // The id is from before the proposal, so its entry comes too.
    const late = await open(owner, '1')
    expect(await late.next()).toMatchObject({ event: 'entry', data: { kind: 'swap_status' } })
    expect((await late.next())?.data['chats']).toEqual({ [swapId]: 2 })
    late.leave()
  })

  test('ends with the session, within seconds', async () => {
    const user = await real.given.user()
    const stream = await open(user)
    await stream.next()
    await commitWork(real.deps, real.deps.sessions.end, { userId: user.userId, reason: 'test' })
    expect(await stream.next()).toEqual({ event: 'end', data: { reason: 'session_ended' } })
    expect(await stream.next()).toBeUndefined()
    expect((await open(user)).status).toBe(401)
  })

  test('takes no token in its address, and an id of an event that is one', async () => {
    const user = await real.given.user()
    const token = user.headers.authorization.slice('Bearer '.length)
    expect((await openStream(`${urls[0]}/api/v1/stream?token=${token}`)).status).toBe(401)
    expect((await open(user, 'x'.repeat(30))).status).toBe(422)
  })

  test('is open five times for a user; the oldest ends', async () => {
    const user = await real.given.user()
    const streams = []
    for (let n = 0; n < 6; n++) {
      streams.push(await open(user))
      await streams[n]!.next()
    }
    expect(await streams[0]!.next()).toEqual({ event: 'end', data: { reason: 'replaced' } })
    for (const stream of streams) stream.leave()
  })
})

async function readText(stream: NodeJS.ReadableStream): Promise<string> {
  let all = ''
  for await (const chunk of stream) all += String(chunk)
  return all
}

async function holder(): Promise<{ user: GivenUser; principal: Principal }> {
  const user = await real.given.user()
  return { user, principal: await real.deps.sessions.authenticate(user.headers.authorization.slice(7)) }
}

describe('The streams of a process', () => {
  const SHORT: StreamLimits = {
    roundEveryMs: 20,
    sessionRounds: 1,
    heartbeatMs: 60,
    stalledMs: 200,
    pollMs: { hears: 60_000, deaf: 60 },
    gapMs: 5,
    perUser: 5,
  }

  function create(hears: boolean, limits: Partial<StreamLimits> = {}, deps = real.deps) {
    const streams = createBadgeStreams(deps, () => hears, { ...SHORT, ...limits })
    onTestFinished(() => streams.close())
    return streams
  }

  test('notice changes without announcements', async () => {
    const streams = create(false)
    const { user, principal } = await holder()
    const stream = await streams.open(principal, undefined)
    let text = ''
    stream.on('data', (chunk) => (text += String(chunk)))
    await expect.poll(() => text).toContain('"total":0')
    await setBadge(real, user, create(false), 3, 0)
    await expect.poll(() => text).toContain('event: badge\ndata: {"total":3,"notifications":3,"chats":{}}')
    await expect.poll(() => text).toContain(': still here\n\n')
    expect(text).toMatch(/^retry: \d{4}\n\n/)
  })

  test('buffer nothing for a slow reader, send it the latest badge, and close one that takes nothing', async () => {
    const streams = create(true, { stalledMs: 60_000, heartbeatMs: 60_000 })
    const { user, principal } = await holder()
    const stream = await streams.open(principal, undefined)
    for (let total = 1; total <= 20; total++) await setBadge(real, user, streams, total)
    expect(stream.readableLength).toBeLessThan(300_000)
    let text = ''
    stream.on('data', (chunk) => (text += String(chunk)))
    await expect.poll(() => text).toContain('{"total":20,')
    expect(text).not.toContain('{"total":19,')
  })

  test('close a reader that takes nothing', async () => {
    const streams = create(true, { stalledMs: 300 })
    const { user, principal } = await holder()
    const stream = await streams.open(principal, undefined)
    await setBadge(real, user, streams, 1)
    await expect.poll(() => streams.size(), { interval: 50 }).toBe(0)
    expect(stream.destroyed).toBe(true)
  })

  test('end when the process stops, and after their time', async () => {
    const short = { ...real.deps, config: { ...real.deps.config, STREAM_SECONDS: 0.05 } }
    const streams = createBadgeStreams(short, () => true, SHORT)
    const { principal } = await holder()
    expect(await readText(await streams.open(principal, undefined))).toContain('"reason":"over"')
    // While its first badge is read: the reader gets the end, and no error.
    const atOnce = createBadgeStreams({ ...short, config: { ...short.config, STREAM_SECONDS: 0 } }, () => true, SHORT)
    const first = atOnce.open(principal, undefined)
    await atOnce.close()
    expect(await readText(await first)).toContain('event: end')
    const stopped = create(true)
    const reading = readText(await stopped.open(principal, undefined))
    await stopped.close()
    expect(await reading).toContain('"reason":"draining"')
    await streams.close()
  })

  test('of many users cost one query for those who were announced', async () => {
    let asked = 0
    const counting = real.deps.db.withPlugin({
      transformQuery: ({ node }) => {
        asked++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const streams = create(true, { roundEveryMs: 60_000 }, { ...real.deps, db: counting })
    const people = []
    for (let n = 0; n < 30; n++) people.push(await holder())
    const received = people.map(() => '')
    for (const [n, { principal }] of people.entries()) {
      const stream = await streams.open(principal, undefined)
      stream.on('data', (chunk) => (received[n] += String(chunk)))
    }
    await expect.poll(() => received.every((text) => text.includes('"total":0'))).toBe(true)
    const [first] = people
    await setBadge(real, first!.user, create(true), 9, 0)
    asked = 0
    streams.wake(people.map(({ user }) => toBlock(user.userId)))
    await expect.poll(() => received[0]).toContain('{"total":9,')
    // The badges, and the entries that came with them.
    expect(asked).toBe(2)
  })
})
