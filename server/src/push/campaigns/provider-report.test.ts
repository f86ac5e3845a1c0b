// Slow: a service of its own with five providers.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectTruth, send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { scriptedToken, startFiveProviders } from '../../../test/support/five-providers.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { readProviderCounts } from '../../../test/support/ledger.ts'
import { sendBatches } from '../pipeline/submit.ts'
import { deleteCounts } from '../records/counts.queries.ts'

let five: Awaited<ReturnType<typeof startFiveProviders>>

beforeAll(async () => {
  five = await startFiveProviders()
})

afterAll(() => five.service.close())

type Report = { provider: string | null; delivery_known: string | null } & Record<string, number | null>

async function givenUser(...phones: ('expo' | 'production' | 'google')[]): Promise<GivenUser> {
  const { given } = five.service
  return given.user({
    devices: phones.map((kind, n) => {
      if (kind === 'expo') return { platform: 'ios' }
      const { instance } = five[kind]
      const token = scriptedToken(instance, `${crypto.randomUUID()}-${n}`)
      return { provider: instance.name, token, platform: kind === 'google' ? 'android' : 'ios' }
    }),
  })
}

async function readReport(messageId: number, base = '/api/admin/notifications'): Promise<Report[]> {
  const { headers } = await five.service.given.admin()
  const answer = await five.service.app.inject({ url: `${base}/${messageId}`, headers })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ summary: { providers: Report[] } }>().summary.providers
}

async function open(user: GivenUser, messageId: number): Promise<void> {
  const url = `/api/v1/inbox/${messageId}/read`
  const { headers } = user
  expect((await five.service.app.inject({ method: 'POST', url, headers, payload: {} })).statusCode).toBe(200)
}

test('a campaign says of each provider what became of its copies, and how it knows what was delivered', async () => {
  const { service, production } = five
  const users = [
    await givenUser('expo', 'google'),
    await givenUser('expo'),
    await givenUser('production'),
    await givenUser('production'),
    await givenUser('production', 'google'),
  ]
  let refused = 0
  production.answer(({ notificationId }) =>
    ++refused <= 2
      ? { kind: 'refused', code: refused === 1 ? 'DeviceNotRegistered' : 'MessageTooBig', retry: false }
      : { kind: 'accepted', ticketId: `t-${notificationId}` },
  )
  const messageId = await send(service, users)
  await drain(service)
  production.answer(undefined)
  await open(users[0]!, messageId)
  await open(users[4]!, messageId)

  const apple = { provider: 'apns/swapbell/production', delivery_known: 'at once' }
  const google = { provider: 'fcm/swapbell', delivery_known: 'at once' }
  const expo = { provider: 'expo', delivery_known: 'by receipt' }
  expect(await readReport(messageId)).toEqual([
    { ...apple, accepted: 1, delivered: 1, failed: 2, gone: 1, opened: 1 },
    { ...expo, accepted: 2, delivered: 0, failed: 0, gone: 0, opened: 1 },
    { ...google, accepted: 2, delivered: 2, failed: 0, gone: 0, opened: 2 },
  ])
  await service.app.inject({ url: '/api/admin/process-receipts', headers: (await service.given.admin()).headers })
  await drain(service)
  expect((await readReport(messageId))[1]).toEqual({
    ...expo,
    accepted: 2,
    delivered: 2,
    failed: 0,
    gone: 0,
    opened: 1,
  })
  const counts = await readProviderCounts(service, messageId)
  expect(counts.stored).toEqual(counts.counted)
  expect(counts.stored).toHaveLength(3)
})

test('a message to one person keeps no counts by provider, and still says them', async () => {
  const { service } = five
  const user = await givenUser('expo', 'google')
  const messageId = await send(service, [user])
  await drain(service)
  await open(user, messageId)
  expect((await readProviderCounts(service, messageId)).stored).toEqual([])
  expect(await readReport(messageId)).toMatchObject([
    { provider: 'expo', accepted: 1, delivered: 0, opened: 1 },
    { provider: 'fcm/swapbell', accepted: 1, delivered: 1, failed: 0, gone: 0, opened: 1 },
  ])
})

test('what was counted before there were counts by provider has a column without a name', async () => {
  const { service } = five
  const messageId = await send(service, [await givenUser('expo'), await givenUser('google'), await givenUser('google')])
  await drain(service)
  await sql`delete from provider_counts where message_id = ${messageId} and provider = 'fcm/swapbell'`.execute(
    service.deps.db,
  )
  const nameless = { provider: null, delivery_known: null, accepted: 2, delivered: 2, failed: 0, gone: null, opened: 0 }
  const [expo, rest, ...others] = await readReport(messageId, '/api/admin/promotional-notifications')
  expect(expo).toMatchObject({ provider: 'expo', accepted: 1 })
  expect(rest).toEqual(nameless)
  expect(others).toEqual([])
})

test('a claim writes no count by provider; its answers write one row a provider, and a deletion takes them', async () => {
  const { service } = five
  const { db } = service.deps
  const messageId = await send(service, [await givenUser('expo'), await givenUser('expo')])
  const rows = () => sql`select from provider_counts where message_id = ${messageId}`.execute(db)
  const written: number[] = []
  const submit = service.deps.provider.submit
  const sender = {
    ...service.deps,
    provider: {
      ...service.deps.provider,
      submit: async (...asked: Parameters<typeof submit>) => {
        written.push((await rows()).rows.length)
        return submit(...asked)
      },
    },
  }
  await sendBatches(sender, { home: 0, lane: 'campaign', limit: 1 })
  expect(written).toEqual([0])
  expect((await rows()).rows).toHaveLength(1)
  await drain(service)
  await expectTruth(service, messageId)
  await db.transaction().execute((tx) => deleteCounts(tx, [messageId]))
  expect((await rows()).rows).toHaveLength(0)
})
