// Slow: a second or more for each test, or five for the file.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countHeld, giveHeld } from '../src/push/messages/held.ts'
import { coordinate } from '../src/push/pipeline/coordinate.ts'
import { toHome } from '../src/push/records/home.queries.ts'
import { calmDown, expectTrueBadges, expectTruth, pushesTo, send, sendToEveryone } from './support/campaign.ts'
import { openDividedWorld, type DividedWorld } from './support/divided-world.ts'
import { drain } from './support/drain.ts'
import type { GivenUser } from './support/given.ts'
import { givenProduct } from './support/marketplace.ts'

// What is kept in the home of a person: the inbox, with its badge.
const NEEDS_HOME = /inbox|badge|notification/

const CITUS_URL = process.env['CITUS_URL'] ?? ''

describe.skipIf(CITUS_URL === '')('while a worker of a Citus is away (skipped unless CITUS_URL names one)', () => {
  let world: DividedWorld
  let { link, service, people, lost, others, other, another, homes, ask, sendWhatCan, tokensSent } = {} as DividedWorld

  beforeAll(async () => {
    world = await openDividedWorld(CITUS_URL)
    ;({ link, service, people, lost, others, other, another, homes, ask, sendWhatCan, tokensSent } = world)
  })

  beforeEach(() => calmDown(service))

  afterEach(() => link.flow())

  afterAll(() => world.close())

  test('a campaign is created, sent to people of other homes, and paused, resumed and stopped', async () => {
    const admin = await service.given.admin()
    const stopped = await send(service, [lost, other])
    link.down()
    const created = await ask('/api/admin/send-notification-all', admin, { title: 'Hello', text: 'There' })
    expect(created.statusCode).toBe(202)
    const { notification_id: messageId } = created.json<{ data: { notification_id: number } }>().data
    const control = (id: number, act: string) => ask(`/api/admin/promotional-notifications/${id}/${act}`, admin, {})
    for (const act of ['pause', 'resume']) {
      const changed = await control(messageId, act)
      expect.soft(changed.statusCode, act).toBe(200)
      expect.soft(changed.json().data.homes_not_counted, act).toEqual([...homes])
    }
    await expect(coordinate(service.deps, messageId, new AbortController().signal)).rejects.toThrow('remote node')
    await sendWhatCan('campaign')
    expect(tokensSent().toSorted()).toEqual(tokensOf([other, ...others]))
    expect((await control(stopped, 'stop')).json().data).toMatchObject({ status: 'stopped' })
    link.flow()
    await drain(service)
    expect(tokensSent().toSorted()).toEqual(tokensOf([other, ...people]))
    await expectTruth(service, messageId)
    await expectTruth(service, stopped)
  })

  test('a campaign that is stopped meanwhile ends in its homes later, and nobody gets it', async () => {
    const admin = await service.given.admin()
    link.down()
    const messageId = await sendToEveryone(service)
    await expect(coordinate(service.deps, messageId, new AbortController().signal)).rejects.toThrow('remote node')
    const control = await ask(`/api/admin/promotional-notifications/${messageId}/stop`, admin, {})
    expect(control.json().data).toMatchObject({ status: 'stopped', homes_not_counted: [...homes] })
    link.flow()
    await drain(service)
    const { data } = (await ask(`/api/admin/promotional-notifications/${messageId}/stop`, admin, {})).json()
    const { selected, skipped, waiting } = data.counts
    expect(selected).toBeGreaterThan(people.length)
    expect({ waiting, skipped: Object.values<number>(skipped).reduce((sum, n) => sum + n) }).toEqual({
      waiting: 0,
      skipped: selected,
    })
    expect(tokensSent()).toEqual([])
    await expectTruth(service, messageId)
  })

  test.each(['down', 'silent'] as const)('the marketplace goes on, for people of its homes too (%s)', async (how) => {
    const ids = [await givenProduct(service.deps, other), await givenProduct(service.deps, another)]
    const ofLost = await givenProduct(service.deps, lost)
    if (how === 'silent') await untilSilent()
    else link.down()
    const propose = (offered: number, requested: number) =>
      ask('/api/v1/swaps', other, { offered: [offered], requested: [requested] })
    expect((await propose(ids[0]!, ids[1]!)).statusCode).toBe(201)
    const proposed = await propose(ids[0]!, ofLost)
    expect(proposed.statusCode).toBe(201)
    const { transaction_id: swapId } = proposed.json<{ data: { transaction_id: number } }>().data
    const chat = `/api/v1/swaps/${swapId}/messages`
    const lines = [await ask(chat, other, { text: 'One' }), await ask(chat, other, { text: 'Two' })]
    expect(lines.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    for (const url of await listReads(swapId)) {
      const { statusCode, headers } = await ask(url, lost)
      expect.soft(statusCode >= 500, url).toBe(NEEDS_HOME.test(url))
      expect.soft(headers['retry-after'], url).toBe(NEEDS_HOME.test(url) ? '5' : undefined)
    }
    const own = (await ask('/api/v1/me', lost)).json<{ data: { counts: object } }>().data.counts
    expect(own).toMatchObject({ unread_not_counted: true, open_swaps: expect.any(Number) })
    const { id } = lines[0]!.json<{ data: { id: number } }>().data
    const changes: [string, object][] = [
      [`/api/v1/swaps/${swapId}/read`, { message_id: id }],
      [chat, { text: 'Yes' }],
      [`/api/v1/swaps/${swapId}/accept`, {}],
      ['/api/user/save-phone-token', { token: 'ExponentPushToken[new]', device_id: 'new', platform: 'ios' }],
    ]
    for (const [url, payload] of changes) expect.soft((await ask(url, lost, payload)).statusCode, url).toBeLessThan(300)
    await sendWhatCan('transactional')
    expect(tokensSent()).toContain(another.devices[0]!.token)
    expect(tokensSent()).not.toContain(lost.devices[0]!.token)
    link.flow()
    await expect.poll(async () => (await ask('/api/v1/badge', lost)).statusCode, { timeout: 30_000 }).toBe(200)
    await giveHeld(service.deps)
    await countHeld(service.deps)
    await drain(service)
    // The proposal was accepted and the lines were answered meanwhile, so that only the second line is news.
    expect((await pushesTo(service, lost)).map(({ title }) => title)).toEqual([
      expect.stringMatching(/^2 new messages/),
    ])
    await expectTrueBadges(service)
  })

  /** Each address that people read, with the swap where it has a record. */
  async function listReads(swapId: number): Promise<string[]> {
    const { paths } = (await service.app.inject('/api/openapi.json')).json<{ paths: Record<string, object> }>()
    const urls = Object.entries(paths).flatMap(([url, methods]) => ('get' in methods ? [url] : []))
    return urls
      .filter((url) => !/\/admin\/|stream|logout|send-test/.test(url))
      .map((url) => url.replaceAll(/\{\w+\}/g, String(swapId)))
  }

  /** Whoever comes first waits until it is known. */
  async function untilSilent() {
    // A server that refused is asked through the coordinator for a while, which hears of a silence later.
    const home = toHome(service.deps.db, lost.userId)
    await expect.poll(() => service.deps.pool.findNode!(home), { timeout: 30_000 }).toBeDefined()
    link.stall()
    const knows = async () => {
      await ask('/api/v1/inbox', lost)
      return service.deps.pool.findSilence!()
    }
    await expect.poll(knows, { timeout: 60_000 }).toBeDefined()
  }
})

function tokensOf(users: readonly GivenUser[]): string[] {
  return users.map(({ devices }) => devices[0]!.token).toSorted()
}
