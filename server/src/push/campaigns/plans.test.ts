// For CI: query plans on tables of up to a million rows.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scannedBy, watchPlans, type PlanWatch } from '../../../test/support/plans.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { insertPastCopies } from '../../../../tools/demo/past-copies.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { summariseAudience } from '../records/audience.queries.ts'
import { countReached } from '../records/counts.queries.ts'
import { pageOfPeople } from './people.ts'
import type { PeopleFilter } from './people.queries.ts'
import { listCampaigns, listMessages } from './campaigns.queries.ts'
import { countRecipients, listUserCopies, listRecipients, type RecipientFilter } from './recipients.queries.ts'
import { listUserMessages } from './user-messages.queries.ts'
import { findQueues } from '../status/queues.queries.ts'
import { commit } from '../../../test/support/commit.ts'
import { sendToUsers } from '../../../test/support/send.ts'

const USERS = 20_000
const FIRST = { perPage: 20, offset: 0 }
const NEWEST = { ...FIRST, by: 'created_at', direction: 'desc' } as const
const LARGE = [
  'work',
  'messages',
  'message_counts',
  'provider_counts',
  'bulk_entries',
  'skips',
  'batches',
  'reactions',
  'users',
  'sessions',
  'mobile_devices',
]

let service: Service
let watch: PlanWatch

beforeAll(async () => {
  service = await startService()
  await fill(service.deps)
  watch = await watchPlans(service)
})

afterAll(async () => {
  await watch.close()
  await service.close()
})

test.for<[string, () => Promise<unknown>]>([
  ['campaigns', () => listCampaigns(watch.deps, {}, NEWEST)],
  ['campaigns, oldest first', () => listCampaigns(watch.deps, {}, { ...NEWEST, direction: 'asc' })],
  ['campaigns that hold a word', () => listCampaigns(watch.deps, { search: 'number 1234' }, NEWEST)],
  [
    'campaigns of a day',
    () => listCampaigns(watch.deps, { from: new Date('2026-03-01'), to: new Date('2026-03-02') }, NEWEST),
  ],
  ['one report', () => listMessages(watch.deps.db, [3, 9])],
  ['the report of a message to one person', () => listMessages(watch.deps.db, [9_999])],
  ['recipients', () => listRecipients(watch.deps, 3, {}, { ...FIRST, direction: 'asc' })],
  ['recipients, last first', () => listRecipients(watch.deps, 3, {}, { ...FIRST, direction: 'desc' })],
  ['recipients with a text that few hold', () => listRecipients(watch.deps, 3, { search: '12345' }, NEWEST)],
  ['recipients with an address', () => listRecipients(watch.deps, 3, { email: 'u12345@' }, NEWEST)],
  ['how many recipients have a name', () => countThose({ name: '12345' })],
  ['how many recipients', () => countThose({})],
  ['how many opened it', () => countThose({ status: 'opened' })],
  ['what was sent to one user', () => listUserMessages(watch.deps.db, 77, {}, { ...FIRST, direction: 'desc' })],
  ['the copies of one user', () => listUserCopies(watch.deps.db, 77, [1, 2, 3])],
  ['people', () => readPeople(3, {})],
  ['people who were skipped', () => readPeople(3, { status: 'skipped' })],
  ['people who were skipped for a reason', () => readPeople(3, { status: 'skipped', skip_reason: 'stale' })],
  ['people without a push that came', () => readPeople(3, { status: 'failed' })],
  ['people who opened it', () => readPeople(3, { status: 'opened' })],
  ['people with a text that few hold', () => readPeople(3, { search: '12345' })],
  ['people with a text of two letters', () => readPeople(3, { search: 'u1' })],
  ['people with a text, of a send to one', () => readPeople(999, { search: '12345' })],
  ['what waits', () => findQueues(watch.deps, { now: new Date() })],
  ['a test send', () => sendTest()],
  ['a preview of a send to test users', () => summariseAudience(watch.deps.db, 'sandbox', new Date())],
])('%s: no large table is read from end to end', async ([, run]) => {
  watch.plans.length = 0
  await run()
  await run()
  expect(watch.plans.length).toBeGreaterThan(0)
  expect(scannedBy(watch.plans).filter((table) => LARGE.includes(table))).toEqual([])
})

test('a page of recipients is read in order, also before the first ANALYZE of the batches', async () => {
  const { db } = service.deps
  await sql`delete from pg_statistic where starelid in ('batches'::regclass, 'reactions'::regclass)`.execute(db)
  await sql`update pg_class set reltuples = -1, relpages = 0 where relname in ('batches', 'reactions')`.execute(db)
  for (const status of [undefined, 'sent', 'failed', 'opened'] as const)
    for (const direction of ['asc', 'desc'] as const) {
      watch.plans.length = 0
      await listRecipients(watch.deps, 3, { status }, { ...FIRST, direction })
      expect(watch.plans.join('\n')).not.toMatch(/(?<!Incremental )Sort {2}\(/)
    }
  await sql`analyze batches, reactions`.execute(db)
})

test('the messages of one sender in an hour are found by their index', async () => {
  watch.plans.length = 0
  await commit(watch.deps, (_deps, tx) => countReached(tx, 1, new Date('2037-12-20'), [5]))
  expect(watch.plans.filter((plan) => plan.includes('messages_caused'))).toHaveLength(1)
})

async function countThose(filter: RecipientFilter): Promise<void> {
  const [message] = await listMessages(watch.deps.db, [3])
  await countRecipients(watch.deps, message!, filter)
}

async function readPeople(messageId: number, filter: PeopleFilter): Promise<void> {
  const [message] = await listMessages(watch.deps.db, [messageId])
  await pageOfPeople(watch.deps, message!, filter, { after: 0, limit: 20 })
}

function sendTest(): Promise<unknown> {
  const content = { title: 'Hi', text: 'There', data: { link: 'swapbell://x' } }
  const send = { origin: 'test', userIds: [5], content, promotional: false, senderId: 1 } as const
  return sendToUsers(watch.deps, { ...send, userIds: [5], onceInMs: 10_000 })
}

/**
 * Twenty thousand users; ten bulk sends to all of them, of which a quarter was skipped; 5,000 campaigns to nobody,
 * 100,000 messages of the service, and 2,000 that wait because the provider is away.
 */
async function fill({ db }: Deps): Promise<void> {
  await sql`insert into users (user_id, username, email, name, password_hash) overriding system value
    select n, 'u' || n, 'u' || n || '@example.com', 'U', '' from generate_series(1, ${USERS}::int) n`.execute(db)
  await sql`insert into sessions (session_id, user_id, created_at, expires_at, ends_at)
    select md5(user_id::text)::uuid, user_id, now(), 'infinity', 'infinity' from users`.execute(db)
  await sql`insert into mobile_devices (user_id, session_id, token, device_id, platform, last_registered_at)
    select user_id, md5(user_id::text)::uuid, 'ExponentPushToken[p' || user_id || ']', 'p' || user_id, 'ios', now() from users`.execute(
    db,
  )
  await sql`insert into messages (message_id, origin, type, audience, lane, needs_opt_in, title, body, sender_id, recipient_id,
      status, last_user_id, coordinated_at, created_at, expires_at, updated_at)
    select n, case when n <= 10 then 'bulk' when n <= 5010 then 'named' else 'automatic' end,
      case when n <= 5010 then 'promotional' else 'non_promotional' end, case when n <= 10 then 'all' else 'users' end,
      case when n <= 5010 then 'campaign' else 'transactional' end, true, 'Number ' || n, 'Text ' || md5(n::text),
      case when n <= 5010 then 1 end, case when n > 5010 then 1 + n % ${USERS}::int end,
      case when n > 103010 then 'sending' else 'completed' end, ${USERS}, now(),
      timestamptz '2026-01-01' + n * interval '1 minute' * 60, now(), now()
    from generate_series(1, 105010) n`.execute(db)
  await sql`insert into message_counts (message_id, slot, selected) select message_id, 0, 1 from messages`.execute(db)
  await sql`insert into provider_counts (message_id, slot, provider, accepted)
    select message_id, slot, 'expo', 1 from messages cross join generate_series(0, 15) slot`.execute(db)
  await sql`insert into batches (message_id, user_ids, first_user, created_at)
    select n, array[1 + n % ${USERS}::int], 1 + n % ${USERS}::int, now() from generate_series(11, 105010) n`.execute(db)
  await sql`insert into work (batch_id, message_id, places, due_at)
    select batch_id, message_id, '{0}', now() from batches where message_id > 103010`.execute(db)
  await sql`insert into skips (block, message_id, reason, user_ids, created_at)
    select u / 64, m, 'no_device', array_agg(u), now()
    from generate_series(1, 100) m, generate_series(4, ${USERS}::int, 4) u group by m, u / 64`.execute(db)
  await sql`select setval('push_ids', 20000000)`.execute(db)
  const { rows: phones } = await sql<{ userId: number; deviceId: number; platform: 'ios'; ticket: string }>`
    select user_id as "userId", id as "deviceId", platform, md5(id::text)::uuid as ticket from mobile_devices where user_id % 4 <> 0`.execute(
    db,
  )
  const sentAt = new Date()
  const copies = phones.map((phone) => ({ ...phone, sentAt, settledAt: null, error: null, openedAt: sentAt }))
  const userIds = phones.map(({ userId }) => userId)
  for (let messageId = 1; messageId <= 10; messageId++)
    await inTransaction(db, (tx) => insertPastCopies(tx, { messageId, userIds, madeAt: sentAt, isBulk: true }, copies))
  for (const table of LARGE) await sql`analyze ${sql.table(table)}`.execute(db)
}
