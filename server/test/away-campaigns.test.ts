// Slow: a second or more for each test, or five for the file.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { coordinate } from '../src/push/pipeline/coordinate.ts'
import { calmDown, expectTruth, send, sendToEveryone } from './support/campaign.ts'
import { openDividedWorld, type DividedWorld } from './support/divided-world.ts'
import { drain } from './support/drain.ts'
import type { GivenUser } from './support/given.ts'
import { givenProduct } from './support/marketplace.ts'

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

  test('people of other homes propose swaps to each other; who would reach its homes is refused', async () => {
    const ids = [await givenProduct(service.deps, other), await givenProduct(service.deps, another)]
    const ofLost = await givenProduct(service.deps, lost)
    link.down()
    expect((await ask('/api/v1/swaps', other, { offered: [ids[0]], requested: [ids[1]] })).statusCode).toBe(201)
    const refused = await ask('/api/v1/swaps', other, { offered: [ids[0]], requested: [ofLost] })
    expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
    expect(refused.json<{ error: string }>().error).toContain(`its homes (${[...homes].join(', ')})`)
    await sendWhatCan('transactional')
    expect(tokensSent()).toEqual([another.devices[0]!.token])
    link.flow()
    expect((await ask('/api/v1/swaps', other, { offered: [ids[0]], requested: [ofLost] })).statusCode).toBe(201)
  })
})

function tokensOf(users: readonly GivenUser[]): string[] {
  return users.map(({ devices }) => devices[0]!.token).toSorted()
}
