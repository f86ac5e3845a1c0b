// For CI: query plans on tables of up to a million rows.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drain } from '../../../test/support/drain.ts'
import { fillTables, scannedBy, watchPlans, type PlanWatch } from '../../../test/support/plans.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import type { TestDeps } from '../../../test/support/providers.ts'
import type { Db } from '../../platform/db/connect.ts'
import { insertPastCopies } from '../../../../tools/demo/past-copies.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { createActivity } from '../../identity/activity/activity.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { changePreferences } from '../../identity/settings/preferences.ts'
import { createRegisterDevice, noteProven } from '../devices/devices.ts'
import { countGoneLately } from '../devices/removed-devices.queries.ts'
import { hasProvenToken } from '../provider/platforms.queries.ts'
import { countWaitingCopies } from '../ledger/work.queries.ts'
import { listUnread } from '../inbox/inbox.queries.ts'
import { listMessages } from '../campaigns/campaigns.queries.ts'
import { countRecipients, listRecipients } from '../campaigns/recipients.queries.ts'
import { pauseMessage, resumeMessage, stopMessage } from '../messages/control.ts'
import { sendEach } from '../messages/automatic.ts'
import { findOpenWork } from './poller.queries.ts'
import { openNotification } from '../inbox/reading.ts'
import { fetchReceipts } from './receipts.ts'
import { commitWork, commitWorkBy } from '../../../test/support/commit.ts'
import { removeAndRestore } from '../../../test/support/removals.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { sendToAll, sendToUsers } from '../../../test/support/send.ts'

const PROVEN = { provider: 'apns/swapbell/sandbox', devices: [{ deviceId: 50_001, isProven: true }] }
const USERS = 100_000
const MESSAGES = 10
const SINGLE_MESSAGES = 200_000
const ASLEEP = 20_000
const LARGE = [
  'messages',
  'users',
  'user_settings',
  'mobile_devices',
  'sessions',
  'batches',
  'requests',
  'entries',
  'bulk_entries',
  'reactions',
  'push_preferences',
]
const GONE = { provider: 'expo', reason: 'DeviceNotRegistered', deviceIds: [50_001] } as const
const PHONE = { sessionId: '6f1b6b5e-4f4a-4b7e-9a50-1f3a63a5c0de', platform: 'ios' } as const

let service: Service
let watch: PlanWatch
let deps: TestDeps
let plans: string[]

beforeAll(async () => {
  service = await startService()
  await fillTables(service, fill)
  watch = await watchPlans(service)
  ;({ deps, plans } = watch)
})

afterAll(async () => {
  await watch.close()
  await service.close()
})

test.for<[string, () => Promise<unknown>]>([
  ['a campaign’s way through a worker', async () => drainOnce(await startBulk())],
  ['a push to one user', async () => drainOnce(await sendOne())],
  ['receipts', () => fetchReceipts(deps, { limit: 2_000, dueOnly: false }, new AbortController().signal)],
  ['the sweep', () => sweep(deps)],
  ['noting proven tokens', () => commitWork(deps, noteProven, PROVEN)],
  ['people of gone phones', () => countGoneLately(deps.db, { ...GONE, since: new Date(deps.clock.now()) })],
  ['whether any token is proven', () => hasProvenToken(deps.db, { provider: PROVEN.provider })],
  ['whether one of a platform is', () => hasProvenToken(deps.db, { provider: PROVEN.provider, platform: 'ios' })],
  ['copies that wait', () => countWaitingCopies(deps.db, ['expo'], 1_000)],
  ['bringing back removed devices', () => removeAndRestore(service, deps)],
  ['opening a notification', async () => commitWork(deps, openNotification, await someNotification())],
  [
    'noting who is active',
    () => {
      const activity = createActivity(deps)
      for (let userId = 1; userId <= 1_000; userId++) activity.touch(userId * 97)
      return activity.close()
    },
  ],
  ['an inbox', () => listUnread(deps.pool, 77, 200)],
  ['registering a phone', () => registerNew(78, 'new')],
  ['moving a token', () => registerNew(79, 'x')],
  [
    'pausing, resuming and stopping',
    async () => {
      const id = await startBulk()
      plans.length = 0
      await commitWork(deps, pauseMessage, id)
      await commitWork(deps, resumeMessage, id)
      await commitWork(deps, stopMessage, id)
    },
  ],
  [
    'a campaign’s report and its first recipients',
    async () => {
      const [message] = await listMessages(deps.db, [1])
      await listRecipients(deps, 1, {}, { perPage: 100, offset: 0, direction: 'asc' })
      await countRecipients(deps, message!, {})
      await countRecipients(deps, message!, { status: 'sent' })
    },
  ],
  [
    'the end of what somebody was not told of',
    async () => {
      await sendMove(false)
      await sendMove(true)
      await drain({ deps })
    },
  ],
  [
    'a change of quiet hours',
    () =>
      commitWorkBy({ ...THE_SERVICE, userId: 77 }, deps, changePreferences, { ...deps, change: { quiet_hours: null } }),
  ],
  ['looking for work', () => findOpenWork(deps.db, 0, ['expo'], new Date(deps.clock.now()))],
  [
    'lines of a chat, which are merged, checked and sent',
    async () => {
      await sendLine()
      await sendLine()
      await drain({ deps })
    },
  ],
])('%s reads no large table from end to end, at a million notifications', async ([, run]) => {
  plans.length = 0
  await run()
  await run()
  expect(plans.length).toBeGreaterThan(0)
  expect(scannedBy(plans).filter((table) => LARGE.includes(table))).toEqual([])
})

/** A thousand users of a campaign are enough: the plans are those of any of its batches. */
async function drainOnce(messageId: number): Promise<void> {
  await deps.db
    .updateTable('messages')
    .set({ last_user_id: 1_000 })
    .where('message_id', '=', messageId)
    .where('audience', '=', 'all')
    .execute()
  plans.length = 0
  await drain({ deps })
}

async function startBulk(): Promise<number> {
  return sendToAll(deps, { title: 'To all', text: 'There' }, 1)
}

async function sendOne(): Promise<number> {
  const content = { title: 'One', text: 'There' }
  const send = { origin: 'test', onceInMs: 10_000 } as const
  return sendToUsers(deps, { ...send, userIds: [5], content, promotional: false, senderId: 1 })
}

function sendLine() {
  return commitWork(deps, sendEach, [
    {
      userIds: [77],
      event: 'new_message',
      senderId: null,
      content: (count) => ({ title: 'Lines', text: String(count) }),
      place: { screen: 'notifications' },
      about: { kind: 'line', messageId: 1 },
      mergeKey: 'chat-77',
      quietMs: 60_000,
    },
  ])
}

function registerNew(userId: number, deviceId: string) {
  return createRegisterDevice(deps)({ ...PHONE, userId, token: 'ExponentPushToken[new]', deviceId })
}

function sendMove(isEnd: boolean) {
  const said = { event: 'swap_status', senderId: null, about: null, mergeKey: 'swap-78', isEnd } as const
  const shown = { content: () => ({ title: 'Swap', text: 'Moved' }), place: { screen: 'notifications' } } as const
  return commitWork(deps, sendEach, [{ ...said, ...shown, userIds: [78] }])
}

async function someNotification(): Promise<{ notificationId: number; userId: number }> {
  const row = await service.deps.db
    .selectFrom('notifications')
    .select(['notification_id', 'user_id'])
    .limit(1)
    .executeTakeFirstOrThrow()
  return { notificationId: row.notification_id, userId: row.user_id }
}

/**
 * A hundred thousand users with a phone each, ten past campaigns to all of them, and many past messages to one user.
 */
async function fill(db: Db): Promise<void> {
  await sql`insert into users (user_id, username, email, name, password_hash) overriding system value
    select n, 'u' || n, 'u' || n || '@example.com', 'U', '' from generate_series(1, ${USERS}::int) n`.execute(db)
  await sql`insert into user_settings (user_id, setting_name, setting_value) select user_id, 'notification', '1' from users`.execute(
    db,
  )
  await sql`insert into sessions (session_id, user_id, created_at, expires_at, ends_at)
    select md5(user_id::text)::uuid, user_id, now(), 'infinity', 'infinity' from users`.execute(db)
  await sql`insert into mobile_devices (user_id, session_id, token, device_id, platform, last_registered_at)
    select user_id, md5(user_id::text)::uuid, 'ExponentPushToken[p' || user_id || ']', 'p' || user_id, 'ios', now() from users`.execute(
    db,
  )
  await sql`insert into messages (message_id, type, audience, lane, needs_opt_in, title, body, status, coordinated_at, created_at, expires_at, updated_at)
    select n, 'promotional', 'all', 'campaign', true, 'Past', 'Past', 'completed', now(), now(), now(), now()
    from generate_series(1, ${MESSAGES}::int) n`.execute(db)
  await sql`insert into messages (message_id, type, audience, lane, needs_opt_in, title, body, status, coordinated_at, created_at, expires_at,
      updated_at, started_at, recipient_id, merge_key)
    select 1000 + n, 'non_promotional', 'users', 'transactional', true, 'Past', 'Past', 'completed', now(), now(), now(),
      now(), now(), n % ${USERS}::int + 1, 'chat-' || n
    from generate_series(1, ${SINGLE_MESSAGES}::int) n`.execute(db)
  await sql`insert into messages (message_id, type, audience, lane, needs_opt_in, title, body, status, coordinated_at, sleeps_until,
      created_at, expires_at, updated_at)
    select 500000 + n, 'non_promotional', 'users', 'transactional', true, 'Asleep', 'Asleep', 'sending', now(), now() + interval '1 year',
      now(), now() + interval '2 years', now()
    from generate_series(1, ${ASLEEP}::int) n`.execute(db)
  await sql`insert into batches (batch_id, message_id, first_user, user_ids, created_at)
    select 5000000 + n, 500000 + n, n, array[n], now() from generate_series(1, ${ASLEEP}::int) n`.execute(db)
  await sql`insert into work (batch_id, message_id, places, due_at)
    select batch_id, message_id, '{0}', now() + interval '1 year' from batches`.execute(db)
  // The statistics are of a moment when every batch waited, as autovacuum may leave them behind.
  await sql`analyze batches, work, mobile_devices`.execute(db)
  await sql`insert into push_preferences (user_id, muted, created_at, updated_at)
    select user_id, '{swap_match}', now(), now() from users where user_id % 2 = 0`.execute(db)
  await sql`select setval('push_ids', 20000000), setval('request_ids', 20000000)`.execute(db)
  const { rows: phones } = await sql<{ userId: number; deviceId: number; platform: 'ios'; ticket: string }>`
    select user_id as "userId", id as "deviceId", platform, md5(id::text)::uuid as ticket from mobile_devices`.execute(
    db,
  )
  const madeAt = new Date()
  const copies = phones.map((phone) => ({ ...phone, sentAt: madeAt, settledAt: null, error: null, openedAt: null }))
  const userIds = phones.map(({ userId }) => userId)
  for (let messageId = 1; messageId <= MESSAGES; messageId++)
    await inTransaction(db, (tx) => insertPastCopies(tx, { messageId, userIds, madeAt, isBulk: true }, copies))
  await sql`insert into requests (provider, message_ids, batch_ids, sizes, places, rounds, started_at, lease_until, outcome, settled_at,
      next_receipt_at)
    select 'expo', array[message_id], array[batch_id], array[cardinality(device_ids)],
      array(select generate_series(0, cardinality(device_ids) - 1)), decode(repeat('01', cardinality(device_ids)), 'hex'), now(), now(),
      'accepted', now(), now()
    from batches where message_id <= ${MESSAGES}::int`.execute(db)
}
