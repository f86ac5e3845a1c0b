// Slow: random histories, or many who do the same at once.
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectTrueBadges } from '../../../test/support/campaign.ts'
import { commitWork, commitWorkBy } from '../../../test/support/commit.ts'
import { deadlocks } from '../../../test/support/statistics.ts'
import { drain } from '../../../test/support/drain.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { purgeUsers } from '../../administration/accounts/purge.ts'
import type { Deps } from '../../deps.ts'
import { createHandlers } from '../../handlers.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { Work } from '../../platform/work/work.ts'
import { changePreferences } from '../../identity/settings/preferences.ts'
import { readEntry, readUpTo, type EntryOfUser } from '../inbox/reading.ts'
import { sendEach } from '../messages/automatic.ts'
import { pauseMessage, resumeMessage, stopMessage } from '../messages/control.ts'
import { send } from '../messages/send.ts'
import { sendBatches } from './submit.ts'

const PEOPLE = 400
const ASLEEP = 40
// The next in the batch of those who sleep, which is claimed first.
const PURGED_A_ROUND = 4
const ROUNDS = 8
const HOUR_MS = 3_600_000
const NIGHT = Date.UTC(2030, 0, 10, 23, 0)
const { signal } = new AbortController()
const CONTENT = { title: 'Hello', text: 'There' }

type Purged = { people: number[]; phones: number[] }
type Deed = () => Promise<unknown>
type World = { people: number[]; campaign: number; named: number; chats: number[] }

test('a deadlock of two sessions is counted', async ({ deps }) => {
  const before = await deadlocks(deps)
  const sessions = await Promise.all([deps.pool.connect(), deps.pool.connect()])
  const lock = (place: number, n: number) => sessions[place]!.query('select pg_advisory_xact_lock($1)', [n])
  for (const session of sessions) await session.query('begin')
  await lock(0, 981)
  await lock(1, 982)
  const ends = await Promise.allSettled([lock(0, 982), lock(1, 981)])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  for (const session of sessions) await session.query('rollback')
  for (const session of sessions) session.release()
  expect(await deadlocks(deps)).toBe(before + 1)
})

test('who claims, settles, asks for receipts, reads, stops, purges and changes quiet hours never waits in a circle', async ({
  service,
}) => {
  const { deps, clock } = service
  await service.given.crowd(PEOPLE)
  await deps.db
    .updateTable('sessions')
    .set({ ends_at: new Date(NIGHT * 2), expires_at: new Date(NIGHT * 2) })
    .execute()
  const before = await deadlocks(deps)
  const messageIds: number[] = []
  let reached = 0
  const unexpected: unknown[] = []
  const purged: Purged = { people: [], phones: [] }
  for (let round = 0; round < ROUNDS; round++) {
    await clock.setTime(NIGHT + round * 24 * HOUR_MS)
    const world = await givenMessages(service)
    const gone = world.people.splice(ASLEEP, PURGED_A_ROUND)
    // The first has read all up to then, the others one entry each.
    for (const [n, userId] of gone.entries()) {
      const read: (work: Work, entry: EntryOfUser) => Promise<unknown> = n === 0 ? readUpTo : readEntry
      for (const messageId of messageIds.slice(0, 2))
        await commitWork(deps, read, { userId, messageId }).catch(() => undefined)
    }
    const phones = await deps.db.selectFrom('mobile_devices').select('id').where('user_id', 'in', gone).execute()
    purged.phones.push(...phones.map(({ id }) => id))
    purged.people.push(...gone)
    await purgeSoon(deps, gone)
    messageIds.push(world.campaign, world.named, ...world.chats)
    for (const deeds of listDeeds(service, world))
      await Promise.all(
        deeds.map((deed) =>
          deed().catch((error: { status?: number }) => {
            if (error.status === undefined || error.status >= 500) unexpected.push(error)
          }),
        ),
      )
  }
  expect(unexpected).toEqual([])
  expect(await deadlocks(deps)).toBe(before)
  await clock.setTime(NIGHT + (ROUNDS + 2) * 24 * HOUR_MS)
  await sweep(deps)
  await drain(service)
  expect(await deps.db.selectFrom('work').select('message_id').execute()).toEqual([])
  for (const messageId of messageIds) {
    const { selected, skipped, notified } = await storedCounts(service, messageId)
    expect(skipped + notified).toBe(selected)
    reached += notified
  }
  expect(reached).toBeGreaterThan((ROUNDS * PEOPLE) / 4)
  await expectTrueBadges(service)
  expect(purged.phones).toHaveLength(ROUNDS * PURGED_A_ROUND)
  expect(await listTracesOf(deps, purged)).toEqual([])
})

/** Tables that still name a purged person or a phone of theirs. */
async function listTracesOf({ db }: Deps, { people, phones }: Purged): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    select 'people of batches' as place from batches where user_ids && ${people}::bigint[]
    union select 'phones of batches' from batches where device_ids && ${phones}::bigint[]
    union select 'skips' from skips where user_ids && ${people}::bigint[]
    union select 'entries' from entries where user_id = any(${people}::bigint[])
    union select 'reactions' from reactions where user_id = any(${people}::bigint[])
    union select 'marks' from inbox_marks where user_id = any(${people}::bigint[])
    union select 'masks' from bulk_entries join unnest(${people}::bigint[]) id on block = id >> 9
    where 1 in (get_bit(members, (id & 511)::int), get_bit(reached, (id & 511)::int))`.execute(db)
  return rows.map(({ place }) => place)
}

/** A campaign to everyone, a message to named users, and waiting pushes of chats; some people are in quiet hours. */
async function givenMessages({ deps }: Service): Promise<World> {
  const rows = await deps.db.selectFrom('users').select('user_id').where('deleted_at', 'is', null).execute()
  const people = rows.map((row) => row.user_id).toSorted((a, b) => a - b)
  const by = { content: CONTENT, senderId: null }
  const all = { ...by, audience: { kind: 'all' }, lane: 'campaign', origin: 'bulk' } as const
  const some = { ...by, audience: { kind: 'users', userIds: people }, lane: 'transactional', origin: 'named' } as const
  const [campaign = 0] = (await commitWork(deps, send, all)).messageIds
  const [named = 0] = (await commitWork(deps, send, some)).messageIds
  const chats = await Promise.all(people.slice(0, 10).map((userId) => chatWith(deps, userId)))
  for (const userId of people.slice(0, ASLEEP)) await sleepAtNight(deps, userId, true)
  return { people, campaign, named, chats }
}

function listDeeds(service: Service, world: World): Deed[][] {
  const { deps } = service
  const { people, campaign, named, chats } = world
  const handlers = createHandlers(deps)
  const one = (n: number) => people[(n * 37) % people.length]!
  const claim = (lane: 'campaign' | 'transactional') => () =>
    sendBatches({ ...deps, ...deps.providers[0] }, { home: 0, lane, limit: 3 })
  const kinds: Deed[][] = [
    times(16, () => claim('campaign')),
    times(24, () => claim('transactional')),
    times(8, () => () => handlers['fetch-receipts']({ limit: 500, dueOnly: false }, signal)),
    times(20, (n) => () => commitWork(deps, readEntry, { userId: one(n), messageId: n % 2 ? campaign : named })),
    times(20, (n) => () => commitWork(deps, readUpTo, { userId: one(n + 7), messageId: named })),
    times(20, (n) => () => sleepAtNight(deps, people[n % ASLEEP]!, n % 3 === 0)),
    times(20, (n) => () => chatWith(deps, people[n % 10]!)),
    times(20, (n) => () => tellMove(deps, people[n % 10]!)),
    times(8, (n) => () => commitWork(deps, n % 2 ? resumeMessage : pauseMessage, n % 4 < 2 ? campaign : named)),
    times(3, () => () => handlers.coordinate({ messageId: campaign }, signal)),
    times(2, () => () => purgeUsers(deps, signal)),
    times(2, () => () => sweep(deps)),
  ]
  const stops = [campaign, named, ...chats.slice(0, 4)].map((id) => () => commitWork(deps, stopMessage, id))
  const spread = kinds.flatMap((deeds) => deeds.map((deed, n) => ({ deed, at: (n + 0.5) / deeds.length })))
  // First what makes the work, which the others meet.
  const deeds = spread.toSorted((a, b) => a.at - b.at).map(({ deed }) => deed)
  // Without a rest before the stops they would come first, and nobody would be reached.
  const most = Math.floor(deeds.length * 0.7)
  return [deeds.slice(0, most), [...stops, ...deeds.slice(most)]]
}

function times(count: number, deedOf: (n: number) => Deed): Deed[] {
  return Array.from({ length: count }, (_, n) => deedOf(n))
}

/** Each takes the place of those that wait for the morning. */
function tellMove(deps: Deps, userId: number): Promise<unknown> {
  const key = { place: { screen: 'swap', id: userId }, mergeKey: `swap-${userId}` } as const
  const said = { userIds: [userId], senderId: null, about: null, content: () => CONTENT }
  return commitWork(deps, sendEach, [{ ...said, ...key, event: 'swap_status' }])
}

async function chatWith(deps: Deps, userId: number): Promise<number> {
  const key = { place: { screen: 'swapMessages', id: userId }, mergeKey: `chat-${userId}`, quietMs: 60_000 } as const
  const said = { userIds: [userId], senderId: null, about: null, content: () => CONTENT }
  const [messageId] = await commitWork(deps, sendEach, [{ ...said, ...key, event: 'new_message' }])
  return messageId!
}

function sleepAtNight(deps: Deps, userId: number, isAsleep: boolean): Promise<unknown> {
  const change = { quiet_hours: isAsleep ? { start: '22:00', end: '07:00' } : null }
  return commitWorkBy({ ...THE_SERVICE, userId }, deps, changePreferences, { ...deps, change })
}

async function purgeSoon({ db, clock }: Deps, userIds: number[]): Promise<void> {
  const at = new Date(clock.now())
  await db.updateTable('users').set({ deleted_at: at, purge_after: at }).where('user_id', 'in', userIds).execute()
}
