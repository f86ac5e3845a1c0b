// Slow: hundreds of phones of each test are refused, some of them several times.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { scriptedToken, startFiveProviders } from '../../../test/support/five-providers.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import type { Provider, Push, PushOutcome } from '../provider/provider.ts'
import { createGoneGuard } from '../provider/gone-guard.ts'
import { createPlatformGuard, type PlatformResult } from '../provider/platform-guard.ts'
import { resumeByHand } from './halt.ts'
import { sendBatches } from './submit.ts'

let five: Awaited<ReturnType<typeof startFiveProviders>>

beforeEach(async () => {
  five = await startFiveProviders()
})

afterEach(() => five.service.close())

const ACCEPTED: PushOutcome = { kind: 'accepted', ticketId: 'one' }

/** People whose phones belong to Apple's production. */
async function givenPhones(name: string, people: number, each: number): Promise<GivenUser[]> {
  const { instance } = five.production
  const users = []
  for (let n = 0; n < people; n++) {
    const names = Array.from({ length: each }, (_, m) => `${name}-${n}-${m}`)
    const devices = names.map((one) => ({
      token: scriptedToken(instance, one),
      provider: instance.name,
      platform: 'ios' as const,
    }))
    users.push(await five.service.given.user({ devices }))
  }
  return users
}

function isOf(to: string, name: string): boolean {
  return to.includes(`:${name}-`)
}

async function sendTo(users: GivenUser[], times = 1): Promise<void> {
  for (let n = 0; n < times; n++) {
    await send(five.service, users)
    await drain(five.service)
  }
}

async function readStops(): Promise<unknown> {
  const { db } = five.service.deps
  const paused = await db
    .selectFrom('provider_platforms')
    .select(['platform', 'paused_code as code'])
    .where('paused_since', 'is not', null)
    .execute()
  const halted = await db
    .selectFrom('provider_state')
    .select(['provider', 'breaker_code as code'])
    .where('breaker', '=', 'halted')
    .execute()
  return { paused, halted }
}

const NOTHING = { paused: [], halted: [] }

describe('Tokens that were never accepted', () => {
  test.for(['BadDeviceToken', 'MismatchSenderId', 'InvalidCredentials'] as const)(
    'do not pause the others by %s, however often, nor at once after a resume',
    async (code) => {
      const [good, bad] = [await givenPhones('good', 2, 1), await givenPhones('bad', 12, 20)]
      five.production.answer(({ to }) => (isOf(to, 'bad') ? { kind: 'refused', code, retry: false } : ACCEPTED))
      await sendTo([...good, ...bad])
      await sendTo(bad, 3)
      expect(await readStops()).toEqual(NOTHING)
      await resumeByHand(five.service.deps, THE_SERVICE)
      await sendTo(bad, 3)
      expect(await readStops()).toEqual(NOTHING)
    },
  )

  test('pause their platform while no token of it is accepted', async () => {
    five.production.answer(() => ({ kind: 'refused', code: 'DeviceTokenNotForTopic', retry: false }))
    await sendTo(await givenPhones('bad', 16, 20))
    expect(await readStops()).toEqual({ paused: [{ platform: 'ios', code: 'DeviceTokenNotForTopic' }], halted: [] })
  })
})

describe('Tokens that were accepted', () => {
  test('pause their platform when a wrong topic refuses them, once a phone', async () => {
    const users = await givenPhones('all', 16, 20)
    await sendTo(users)
    five.production.answer(() => ({ kind: 'refused', code: 'BadDeviceToken', retry: false }))
    await sendTo(users)
    expect(await readStops()).toEqual({ paused: [{ platform: 'ios', code: 'BadDeviceToken' }], halted: [] })
  })

  test('of a small service pause it too, when none is left that is accepted', async () => {
    const users = await givenPhones('all', 10, 10)
    await sendTo(users)
    five.production.answer(() => ({ kind: 'refused', code: 'BadDeviceToken', retry: false }))
    await sendTo(users, 4)
    expect(await readStops()).toEqual({ paused: [{ platform: 'ios', code: 'BadDeviceToken' }], halted: [] })
  })

  test('and are refused now count once a phone, while others are accepted', async () => {
    const [good, bad] = [await givenPhones('good', 1, 1), await givenPhones('bad', 12, 10)]
    await sendTo([...good, ...bad])
    five.production.answer(({ to }) =>
      isOf(to, 'bad') ? { kind: 'refused', code: 'BadDeviceToken', retry: false } : ACCEPTED,
    )
    await sendTo(bad, 5)
    expect(await readStops()).toEqual(NOTHING)
  })
})

describe('Phones that are called gone', () => {
  test('since a time before they registered halt nothing, and stay', async () => {
    const users = await givenPhones('dead', 12, 20)
    const goneSince = new Date(five.service.clock.now() - 60_000)
    five.production.answer(() => ({ kind: 'refused', code: 'DeviceNotRegistered', retry: false, goneSince }))
    await sendTo(users, 2)
    expect(await readStops()).toEqual(NOTHING)
    const removed = five.service.deps.db.selectFrom('mobile_devices').select('id').where('removed_at', 'is not', null)
    expect(await removed.execute()).toEqual([])
  })

  test('of ten people who register twenty each again and again halt nothing', async () => {
    const users = await givenPhones('dead', 10, 20)
    five.production.answer(() => ({ kind: 'refused', code: 'DeviceNotRegistered', retry: false }))
    for (let round = 0; round < 2; round++) {
      await sendTo(users)
      await five.service.clock.tick(1_000)
      const again = { removed_at: null, removed_reason: null, last_registered_at: new Date(five.service.clock.now()) }
      await five.service.deps.db.updateTable('mobile_devices').set(again).execute()
    }
    expect(await readStops()).toEqual(NOTHING)
  })

  test('of a hundred people halt, and beside a phone that takes pushes only if they took some', async () => {
    const halted = { paused: [], halted: [{ provider: 'apns/swapbell/production', code: 'DeviceNotRegistered' }] }
    const [dead, good] = [await givenPhones('dead', 101, 3), await givenPhones('good', 1, 1)]
    five.production.answer(answerDead)
    await sendTo(dead)
    expect(await readStops()).toEqual(halted)
    const comeBack = async () => {
      await resumeByHand(five.service.deps, THE_SERVICE)
      await five.service.deps.db.updateTable('mobile_devices').set({ removed_at: null, removed_reason: null }).execute()
      await five.service.clock.tick(1_000)
    }
    await comeBack()
    await sendTo(good)
    await sendTo(dead)
    expect(await readStops()).toEqual(NOTHING)
    await comeBack()
    five.production.answer(undefined)
    await sendTo(dead)
    five.production.answer(answerDead)
    await sendTo(dead)
    expect(await readStops()).toEqual(halted)
  })
})

describe('A claim with more results than are looked at', () => {
  test('counts what is gone by its share', async () => {
    const { assess } = createGoneGuard(five.service.deps.db, 'expo')
    const leftAt = new Date(five.service.clock.now())
    const gone = resultsOf(0, 320, {}).map(({ userId: deviceId }) => ({ deviceId }))
    for (let n = 0; n < 3; n++) expect(await assess({ results: 1_600, gone, leftAt })).toBe('remove')
    expect(await assess({ results: 320, gone, leftAt })).toBe('alert')
  })

  test('counts faults of tokens by their share, and none of those that never took a push while others are accepted', async () => {
    const { db } = five.service.deps
    const name = five.production.instance.name
    const { judge } = createPlatformGuard(db, { name })
    const now = new Date(five.service.clock.now())
    const about = { leftAt: now, now }
    const bad = (from: number, to: number, isUnproven: boolean) =>
      resultsOf(from, to, { code: 'BadDeviceToken', isUnproven })
    expect(await judge([...bad(0, 1_100, true), ...resultsOf(1_100, 1_600, {})], about)).toEqual([])
    expect(await judge([...bad(0, 320, false), ...resultsOf(320, 1_600, {})], about)).toEqual([])
    const state = await db.selectFrom('provider_platforms').select(['results', 'mismatched']).execute()
    expect(state).toEqual([{ results: 1_000, mismatched: 200 }])
    expect(await judge(bad(0, 1_600, false), about)).toEqual([{ platform: 'ios', code: 'BadDeviceToken' }])
  })
})

test('a request of many pushes is asked about each platform once, however often its provider asks', async () => {
  const { deps } = five.service
  const [, inUse] = deps.providers
  await send(five.service, await givenPhones('many', 10, 20))
  let looked = 0
  const paused = new Set<Platform>(['web'])
  paused.has = () => {
    looked++
    return false
  }
  const provider: Provider = {
    ...inUse!.provider,
    submit: async (pushes, mayBegin) => {
      for (const _ of pushes) expect(await mayBegin?.()).toBe(true)
      return inUse!.provider.submit(pushes, mayBegin)
    },
  }
  const gate = () => Promise.resolve({ isOpen: true, busyUntil: new Date(0), paused })
  const choice = { home: 0, lane: 'campaign', limit: 32 } as const
  const { requests } = await sendBatches({ ...deps, ...inUse!, provider, gate }, choice)
  expect(requests).toBe(1)
  expect(looked).toBeLessThan(1_000)
})

function answerDead({ to }: Push): PushOutcome {
  return isOf(to, 'dead') ? { kind: 'refused', code: 'DeviceNotRegistered', retry: false } : ACCEPTED
}

function resultsOf(from: number, to: number, fault: Partial<PlatformResult>) {
  return Array.from({ length: to - from }, (_, n) => ({ platform: 'ios' as const, userId: from + n, ...fault }))
}
