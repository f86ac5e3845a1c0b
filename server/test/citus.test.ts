// Slow: a second or more for each test, or five for the file.
import { rebuildInsights } from '../src/administration/insights/refresh.ts'
import { createHandlers } from '../src/handlers.ts'
import { fromNow } from '../src/platform/shared/clock.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findOpenWork } from '../src/push/pipeline/poller.queries.ts'
import { listHomes } from '../src/push/records/home.queries.ts'
import { expectTruth, untilRetry, sendToEveryone } from './support/campaign.ts'
import { createDividedDatabase } from './support/citus.ts'
import { drain } from './support/drain.ts'
import type { GivenUser } from './support/given.ts'
import { readLedger, storedCounts } from './support/ledger.ts'
import { givenProposal } from './support/marketplace.ts'
import { startService, type Service } from './support/service.ts'
import { sweep } from './support/sweep.ts'
import { runSql } from './support/run-sql.ts'

const CITUS_URL = process.env['CITUS_URL'] ?? ''
const CROWD = 400
const HOMES = 8
const MINUTE = 60_000
const DAY = 86_400_000
const { signal } = new AbortController()

describe('in four homes of one server', () => {
  itServes(async () => ({ service: await startService({}, { homes: 4 }), drop: async () => undefined }))
})

// The homes are on the workers; people and chats are on the coordinator (ADR 2).
describe.skipIf(CITUS_URL === '')('through the coordinator of a Citus (skipped unless CITUS_URL names one)', () => {
  itServes(async () => {
    const { url, drop } = await createDividedDatabase(CITUS_URL, HOMES)
    return { service: await startService({}, { lead: () => url }), drop }
  })

  test('each home lies on a worker', async () => {
    const { url, drop } = await createDividedDatabase(CITUS_URL, HOMES)
    const rows = await runSql(
      url,
      `
      select groupid <> 0 as is_worker, count(*)::int as homes from generate_series(0, ${HOMES - 1}) home
      join pg_dist_placement on shardid = get_shard_id_for_distribution_column('batches', home) group by 1`,
    )
    expect(rows).toEqual([{ is_worker: true, homes: HOMES }])
    await drop()
  })
})

type Place = { service: Service; drop(): Promise<void> }

function itServes(start: () => Promise<Place>): void {
  let service: Service
  let place: Place
  let reader: GivenUser

  beforeAll(async () => {
    place = await start()
    service = place.service
    await service.given.crowd(CROWD)
    reader = await service.given.user({ devices: [{}] })
  })

  afterAll(async () => {
    await service.close()
    await place.drop()
  })

  test('a campaign goes through refusals, unknown outcomes, retries and receipts, and its counts are true', async () => {
    const { simulator } = service
    simulator.script([
      { match: 'send', ticketErrors: { 0: 'DeviceNotRegistered', 1: 'ProviderError', 2: 'MessageTooBig' } },
      { match: 'send', cut: 'mid-body' },
      { match: 'send', status: 429 },
    ])
    simulator.setToken(await findToken(), { receipt: 'error:DeviceNotRegistered' })
    const messageId = await sendToEveryone(service)
    await untilDone(messageId)
    await askForReceipts()

    expect(await storedCounts(service, messageId)).toMatchObject({ selected: CROWD + 2, notified: CROWD + 1 })
    expect((await readLedger(service, messageId)).duplicated).toBeGreaterThan(0)
    await expectTruth(service, messageId)
    expect(await readReport(messageId)).toMatchObject({
      summary: { status: 'completed' },
      pagination: { total_items: CROWD + 1 },
    })
    for (const status of ['sent', 'delivered', 'failed']) {
      const { pagination } = await readReport(messageId, `?status=${status}`)
      expect(pagination.total_items).toBeGreaterThan(0)
    }
    expect(await readReport(messageId, '?name=Crowd 77')).toMatchObject({ data: [{ name: 'Crowd 77', is_send: true }] })
    const skipped = await get<{ data: object[] }>(`notifications/${messageId}/people?status=skipped`)
    expect(skipped.data).toMatchObject([{ outcome: 'skipped', skip_reason: 'opted_out' }])
    expect(await get(`users/${reader.userId}/notifications`)).toMatchObject({ data: [{ id: messageId }] })
  })

  test('an inbox is seen, read and archived, and its badge follows', async () => {
    await sendToEveryone(service)
    await drain(service)
    const [newest, oldest] = await inbox()
    expect(await badge()).toMatchObject({ total: 2 })
    await post('seen')
    expect(await inbox()).toMatchObject([
      { seen: true, read: false },
      { seen: true, read: false },
    ])
    await post(`${newest!.message_id}/read`)
    expect(await badge()).toMatchObject({ total: 1 })
    await post(`${newest!.message_id}/archive`)
    expect(await inbox()).toMatchObject([{ message_id: oldest!.message_id, read: false }])
    await post('read', { up_to: oldest!.message_id })
    expect(await badge()).toMatchObject({ total: 0 })
    await expectTruth(service, newest!.message_id)
  })

  test('a proposal and a line of its chat ring the other', async () => {
    const { owner, requester, swapId } = await givenProposal(service)
    const say = { method: 'POST', url: `/api/v1/swaps/${swapId}/messages`, payload: { text: 'Hello' } } as const
    expect((await service.app.inject({ ...say, headers: requester.headers })).statusCode).toBe(201)
    await drain(service)
    const { token } = owner.devices[0]!
    expect(service.simulator.log().filter((push) => push.token === token)).toHaveLength(2)
    expect(await inbox(owner)).toMatchObject([{ kind: 'swap_status', read: false }])
    expect(await badge(owner)).toEqual({ total: 2, notifications: 1, chats: { [swapId]: 1 } })
    await expectTruth(service, (await inbox(owner))[0]!.message_id)
  })

  test('workers find nothing left, chores run, and who is purged leaves nothing', async () => {
    await sweep(service.deps)
    for (const home of listHomes(service.deps.db)) {
      const { lanes } = await findOpenWork(service.deps.db, home, ['expo'], fromNow(service.deps.clock))
      expect(lanes).toMatchObject([{ transactional_due: null, campaign_due: null }])
    }
    await service.deps.db.deleteFrom('users').where('user_id', '=', reader.userId).execute()
    const { rows } = await sql`select 1 from entries where user_id = ${reader.userId}
      union all select 1 from notifications where user_id = ${reader.userId}`.execute(service.deps.db)
    expect(rows).toEqual([])
  })

  test('old copies go, then messages with their counts, and the insights stay', async () => {
    const chores = createHandlers(service.deps)
    await chores['refresh-insights']({}, signal)
    await rebuildInsights(service.deps, { pushes: true })
    const sent = await countSent()
    expect(sent).toBeGreaterThan(CROWD)
    for (const days of [130, 400]) {
      await service.clock.setTime(service.clock.now() + days * DAY)
      await askForReceipts()
      await chores.retention({}, signal)
    }
    await chores['refresh-insights']({}, signal)
    expect(await countSent()).toBe(sent)
    const counted =
      await sql`select distinct m.type from message_counts c left join messages m using (message_id)`.execute(
        service.deps.db,
      )
    expect(counted.rows).toEqual([{ type: 'promotional' }])
    const left = sql`select 1 from batches union all select 1 from requests union all select 1 from skips`
    expect((await left.execute(service.deps.db)).rows).toEqual([])
  })

  /** Gives the token of somebody who is not among the first people, whose pushes are refused. */
  async function findToken(): Promise<string> {
    const phones = service.deps.db.selectFrom('mobile_devices').select('token').orderBy('id')
    return (
      await phones
        .offset(CROWD - 5)
        .limit(1)
        .executeTakeFirstOrThrow()
    ).token
  }

  async function countSent(): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select sum(sent)::int as n from push_counts`.execute(service.deps.db)
    return rows[0]!.n
  }

  async function untilDone(messageId: number): Promise<void> {
    for (;;) {
      await drain(service)
      if ((await readReport(messageId)).summary.status === 'completed') return
      await untilRetry(service)
    }
  }

  async function askForReceipts(): Promise<void> {
    await service.clock.tick(16 * MINUTE)
    const { headers } = await service.given.admin()
    await service.app.inject({ url: '/api/admin/process-receipts', headers })
    await drain(service)
  }

  type Report = { data: object[]; summary: { status: string }; pagination: { total_items: number } }

  function readReport(messageId: number, query = ''): Promise<Report> {
    return get(`promotional-notifications/${messageId}${query}`)
  }

  async function get<Answer>(path: string): Promise<Answer> {
    const { headers } = await service.given.admin()
    const answer = await service.app.inject({ url: `/api/admin/${path}`, headers })
    expect(answer.statusCode).toBe(200)
    return answer.json<Answer>()
  }

  async function inbox({ headers } = reader): Promise<{ message_id: number }[]> {
    return (await service.app.inject({ url: '/api/v1/inbox', headers })).json<{ data: { message_id: number }[] }>().data
  }

  async function badge({ headers } = reader): Promise<object> {
    const answer = await service.app.inject({ url: '/api/v1/badge', headers })
    return answer.json<{ data: object }>().data
  }

  async function post(path: string, payload?: object): Promise<void> {
    const url = `/api/v1/inbox/${path}`
    const answer = await service.app.inject({
      method: 'POST',
      url,
      headers: reader.headers,
      ...(payload && { payload }),
    })
    expect(answer.statusCode).toBe(200)
  }
}
