import { checkBadgesAfter } from '../../src/push/badges/badges.queries.ts'
import { expect } from 'vitest'
import { workIn } from '../../src/platform/work/work.ts'
import { sendEach, type AutomaticSend } from '../../src/push/messages/automatic.ts'
import { closeBreaker } from '../../src/push/provider/breaker.ts'
import { lockProviderStates } from '../../src/push/provider/provider-state.queries.ts'
import { listNames } from '../../src/push/provider/registry.ts'
import { groupByHome } from '../../src/push/records/home.queries.ts'
import { commitWork } from './commit.ts'
import type { GivenUser } from './given.ts'
import { countedRows, findDifferingHomes, readLedger, readProviderCounts, readSkips, storedCounts } from './ledger.ts'
import type { Service } from './service.ts'

type Row = {
  notification_id: number
  is_send: boolean
  is_delivered: boolean | null
  attempts: number
  error_message: string | null
  settled_at: Date | null
  possible_duplicates: number
  mobile_devices_id: number
}

/** Sends to users through the API, as a campaign unless said otherwise; gives the message's id. */
export function send(service: Service, users: GivenUser[], overrides: Record<string, unknown> = {}): Promise<number> {
  const userIds = users.map((user) => user.userId)
  const payload = { user_ids: userIds, title: 'Hello', text: 'There', promotional: true, ...overrides }
  return callToSend(service, 'send-notification', payload)
}

/** Sends a campaign to everyone through the API; gives its id. */
export function sendToEveryone(service: Service, overrides: Record<string, unknown> = {}): Promise<number> {
  return callToSend(service, 'send-notification-all', { title: 'To all', text: 'There', ...overrides })
}

async function callToSend({ app, given }: Service, path: string, payload: object): Promise<number> {
  const { headers } = await given.admin()
  const answer = await app.inject({ method: 'POST', url: `/api/admin/${path}`, headers, payload })
  expect(answer.statusCode).toBe(202)
  return answer.json<{ data: { notification_id: number } }>().data.notification_id
}

/** What an event tells, unless a test says otherwise. */
export const AUTOMATIC: Omit<AutomaticSend, 'userIds'> = {
  event: 'swap_status',
  senderId: null,
  content: () => ({ title: 'Hello', text: 'There' }),
  place: { screen: 'notifications' },
  about: null,
  mergeKey: null,
}

/** Sends an automatic message, as an event does; gives its id. */
export async function tell(
  { deps }: Pick<Service, 'deps'>,
  users: { userId: number }[],
  overrides: Partial<AutomaticSend> = {},
): Promise<number> {
  const userIds = users.map(({ userId }) => userId)
  const [messageId] = await commitWork(deps, sendEach, [{ ...AUTOMATIC, userIds, ...overrides }])
  return messageId!
}

/** `count` users with one phone each. */
export async function usersWithPhones(service: Service, count: number): Promise<GivenUser[]> {
  const users = []
  for (let i = 0; i < count; i++)
    users.push(await service.given.user({ devices: [{ platform: i % 2 === 0 ? 'ios' : 'android' }] }))
  return users
}

/** `count` users with one phone each, all of the same home. */
export async function neighboursWithPhones(service: Service, count: number): Promise<[home: number, GivenUser[]]> {
  const users: GivenUser[] = []
  for (;;) {
    users.push(...(await usersWithPhones(service, 1)))
    for (const [home, own] of groupByHome(service.deps.db, users, ({ userId }) => userId))
      if (own.length === count) return [home, own]
  }
}

/** The pushes that the provider accepted for a user's phones, in its order, with their message's content. */
export async function pushesTo({ simulator, deps }: Service, user: { devices: { token: string }[] }) {
  const accepted = simulator.log().filter((entry) => user.devices.some(({ token }) => token === entry.token))
  const rows = await deps.db
    .selectFrom('notifications')
    .innerJoin('messages', 'messages.message_id', 'notifications.message_id')
    .select(['notification_id', 'title', 'body', 'data'])
    .execute()
  const said = new Map(rows.map((row) => [row.notification_id, row]))
  return accepted.map(({ collapseId, notification_id }) => ({ collapseId, ...said.get(Number(notification_id)) }))
}

/** The copies of a message, in the order of their ids. */
export async function readCopies({ deps }: Pick<Service, 'deps'>, messageId: number): Promise<Row[]> {
  return deps.db
    .selectFrom('notifications')
    .selectAll()
    .where('message_id', '=', messageId)
    .orderBy('notification_id')
    .execute()
}

/** What must hold of every message when nothing is running (decision B8, and the ledger against the provider's log). */
export async function expectTruth(service: Service, messageId: number): Promise<void> {
  expect(await storedCounts(service, messageId)).toEqual(await countedRows(service, messageId))
  expect(await findDifferingHomes(service, messageId)).toEqual([])
  const skips = await readSkips(service, messageId)
  expect(skips.stored).toEqual(skips.counted)
  const byProvider = await readProviderCounts(service, messageId)
  expect(byProvider.stored).toEqual(byProvider.counted)
  const ledger = await readLedger(service, messageId)
  expect(ledger).toMatchObject({ lost: 0, unexpected: 0, phantom: 0, untruthful: 0 })
  expect(ledger.possibleDuplicates).toBeGreaterThanOrEqual(ledger.duplicated)
  await expectTrueBadges(service)
}

/** The unread counts of the first 500 people are what their rows say. */
export async function expectTrueBadges({ deps }: Service): Promise<void> {
  const { badges } = await checkBadgesAfter(deps.db, 0, 500)
  expect(badges.filter(({ isRight }) => !isRight)).toEqual([])
}

/** Resets the simulator and the breakers for the next test. */
export async function calmDown({ simulator, deps }: Service): Promise<void> {
  simulator.reset()
  await deps.db.transaction().execute(async (tx) => {
    for (const state of await lockProviderStates(tx, listNames(deps.providers)))
      await closeBreaker(workIn(deps, tx), state)
  })
}

/** Moves time on past the wait before a retry. */
export async function untilRetry({ clock }: Service): Promise<void> {
  await clock.tick(61_000)
}
