import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { countDueWork, listAwakeHomes, nameAwake } from '../ledger/due-work.queries.ts'
import { toHome } from '../records/home.queries.ts'
import { findWorkOfAll, findWorkOfHome } from './poller.queries.ts'

describe('the work of a home among several', () => {
  let service: Service
  let person: GivenUser
  beforeAll(async () => {
    service = await startService({}, { homes: 4 })
    person = (await usersWithPhones(service, 5))[0]!
  })
  afterAll(() => service.close())

  /** What is due at `time` in the home of that person, by what its server is asked. */
  async function look(time = service.clock.now()) {
    const { db } = service.deps
    const [home, now] = [toHome(db, person.userId), new Date(time)]
    const { transactional, campaign } = await listAwakeHomes(db)
    const awake = { transactional: transactional.get(home), campaign: campaign.get(home) }
    const open = (await findWorkOfAll(db, ['expo'])).lanes
    const [lane] = (await findWorkOfHome({ db, own: db, home }, { awake, open }, now)).lanes
    const question = { db, own: db, home, lane: 'transactional', provider: 'expo' } as const
    const named = await nameAwake(question, awake.transactional ?? [], now)
    const choice = { home, lane: 'transactional' as const, limit: 10, awake: named }
    return {
      awake,
      due: lane?.transactional_due,
      campaignDue: lane?.campaign_due,
      count: await countDueWork(db, 'expo', choice, now),
    }
  }

  test('is found by the messages that run, one or several, and when it is due', async () => {
    const at = service.clock.now()
    const ids = [await send(service, [person], { promotional: false })]
    const alone = await look()
    expect(alone).toMatchObject({ awake: { transactional: ids }, campaignDue: null, count: 1 })
    expect(alone.due).toBeGreaterThanOrEqual(at)
    ids.push(await send(service, [person], { promotional: false }))
    const paused = await send(service, [person], { promotional: false })
    await service.deps.pool.query(`update messages set status = 'paused' where message_id = $1`, [paused])
    await service.deps.pool.query(`update work set due_at = 'epoch' where message_id = $1`, [paused])
    const found = await look()
    expect(found).toMatchObject({
      awake: { transactional: expect.arrayContaining(ids), campaign: undefined },
      count: 2,
    })
    expect(found.due).toBeGreaterThanOrEqual(at)
    expect(found.campaignDue).toBeNull()
    expect((await look(at - 60_000)).count).toBe(0)
    await drain(service)
    expect(await look()).toMatchObject({ awake: { transactional: undefined }, due: null, count: 0 })
  })

  test('is found for each provider while more messages run than are named', async () => {
    const at = service.clock.now()
    const id = await send(service, [person], { promotional: false })
    const copyMessage = `insert into messages (message_id, type, audience, lane, needs_opt_in, title, body, status, created_at,
        expires_at, updated_at)
      select message_id + 1024 * n, type, audience, lane, needs_opt_in, title, body, 'sending', created_at, expires_at, updated_at
      from messages, generate_series(1, 1000) n where message_id = $1`
    await service.deps.pool.query(copyMessage, [id])
    const { awake, due, campaignDue } = await look()
    expect(awake).toEqual({ transactional: 'many', campaign: 'many' })
    expect(due).toBeGreaterThanOrEqual(at)
    expect(campaignDue).toBeNull()
    await service.deps.pool.query(`update work set provider = 'fcm' where message_id = $1`, [id])
    expect(await look()).toMatchObject({ due: null, campaignDue: null })
  })
})
