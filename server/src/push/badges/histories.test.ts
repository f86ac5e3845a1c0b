// Slow: random histories, or many who do the same at once.
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, afterAll, expect, test } from 'vitest'
import { commitAs } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import { startFirebase, type Firebase } from '../../../test/support/firebase.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { purgeUsers } from '../../administration/accounts/purge.ts'
import { readUpTo, sendSwapMessage } from '../../marketplace/chat/chat.ts'
import { listBadges } from './badges.queries.ts'
import { claimWrites } from './nodes.queries.ts'
import { checkBadges } from './check.ts'
import { openRealtimeDatabase, type BadgeNode, type RealtimeDatabase } from './firebase.ts'
import { writeBadges } from './realtime.ts'

const RUNS = 12
const { signal } = new AbortController()

let firebase: Firebase
let service: Service
let database: RealtimeDatabase

beforeAll(async () => {
  firebase = await startFirebase()
  service = await startService({ FIREBASE_DATABASE_URL: firebase.url })
  database = openRealtimeDatabase(service.deps.config)!
})

afterAll(async () => {
  await service.close()
  await firebase.close()
})

/** Two people with a swap. */
type Pair = { people: [GivenUser, GivenUser]; swapId: number; gone: Set<number> }

type Step = { act: (typeof ACTS)[number]; who: 0 | 1; pick: number }
const ACTS = [
  'push',
  'campaign',
  'open',
  'read all',
  'archive',
  'say',
  'read chat',
  'move device',
  'deliver',
  'write',
  'fail',
  'kill a writer',
  'purge',
] as const

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...ACTS),
  who: fc.constantFrom(0 as const, 1 as const),
  pick: fc.nat(1_000),
})

test('after any history the badge is what the rows say, and the realtime database has it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const pair = await givenPair()
      for (const one of steps) await take(pair, one)
      await settle()
      for (const { userId } of pair.people) await expectTrue(pair, userId)
      expect(await checkBadges(service.deps, signal, database)).toMatchObject({ wrong: 0, unwritten: 0, unanswered: 0 })
    }),
    { numRuns: RUNS },
  )
})

async function givenPair(): Promise<Pair> {
  const { requester, owner, swapId } = await givenProposal(service)
  return { people: [requester, owner], swapId, gone: new Set() }
}

async function take(pair: Pair, { act, who, pick }: Step): Promise<void> {
  const { deps, app, clock } = service
  const user = pair.people[who]
  if (pair.gone.has(user.userId)) return
  if (act === 'push' || act === 'campaign') {
    const { headers } = await service.given.admin()
    const content = { user_ids: [user.userId], title: 'a', text: 'b', promotional: act === 'campaign' }
    await app.inject({ method: 'POST', url: '/api/admin/send-notification', headers, payload: content })
  } else if (act === 'open') {
    const copies = await deps.db
      .selectFrom('notifications')
      .select('notification_id')
      .where('user_id', '=', user.userId)
      .execute()
    const id = copies[pick % Math.max(copies.length, 1)]?.notification_id
    if (id) await app.inject({ url: `/api/notification/${id}/read`, headers: user.headers })
  } else if (act === 'read all' || act === 'archive') {
    const entries = (await app.inject({ url: '/api/v1/inbox', headers: user.headers })).json<{
      data: { message_id: number }[]
    }>().data
    const id = entries[pick % Math.max(entries.length, 1)]?.message_id
    const post = { method: 'POST', headers: user.headers } as const
    if (id && act === 'archive') await app.inject({ ...post, url: `/api/v1/inbox/${id}/archive` })
    else if (id) await app.inject({ ...post, url: '/api/v1/inbox/read', payload: { up_to: id } })
  } else if (act === 'say') {
    const say = { swapId: pair.swapId, senderId: user.userId, text: 'Hello' }
    await commitAs({ userId: say.senderId }, deps, sendSwapMessage, say).catch(() => undefined)
  } else if (act === 'read chat') await readChat(pair, user, pick)
  else if (act === 'move device') {
    const token = { token: user.devices[0]!.token, device_id: 'moved', platform: 'ios' }
    const other = pair.people[1 - who]!
    await app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers: other.headers, payload: token })
  } else if (act === 'deliver') await drain(service)
  else if (act === 'write') await writeBadges(deps, database)
  else if (act === 'fail') await failOnce(pick)
  else if (act === 'kill a writer')
    await claimWrites(deps.db, { limit: 9, now: new Date(clock.now()), until: new Date(clock.now() + 60_000) })
  else if (pick % 5 === 0) await purge(pair, user)
}

async function readChat({ swapId }: Pair, { userId }: GivenUser, pick: number): Promise<void> {
  const lines = await service.deps.db
    .selectFrom('swap_messages')
    .select('swap_message_id')
    .where('swap_id', '=', swapId)
    .orderBy('swap_message_id')
    .execute()
  const messageId = lines[pick % Math.max(lines.length, 1)]?.swap_message_id
  if (messageId) await commitAs({ userId }, service.deps, readUpTo, { swapId, messageId })
}

async function failOnce(pick: number): Promise<void> {
  firebase.fault = () => (['cut before', 'cut after', { status: 503 }] as const)[pick % 3]
  await writeBadges(service.deps, database)
  firebase.fault = () => undefined
}

async function purge(pair: Pair, { userId }: GivenUser): Promise<void> {
  const { deps, clock } = service
  const at = new Date(clock.now())
  await deps.db.updateTable('users').set({ deleted_at: at, purge_after: at }).where('user_id', '=', userId).execute()
  expect(await purgeUsers(deps, signal)).toBe(1)
  pair.gone.add(userId)
}

/** Everything is delivered, counted and written, however long that takes. */
async function settle(): Promise<void> {
  const { deps, clock } = service
  await drain(service)
  for (let round = 0; round < 50; round++) {
    await clock.setTime(clock.now() + 61_000)
    const { due } = await writeBadges(deps, database)
    if (due === 0) return
  }
  throw new Error('Badges remain unwritten.')
}

async function expectTrue({ gone }: Pair, userId: number): Promise<void> {
  const { db } = service.deps
  const [badge] = await listBadges(db, [userId])
  const node = firebase.at(`badges/u${userId}`) as BadgeNode | null
  if (gone.has(userId)) {
    expect([badge?.total, node]).toEqual([0, null])
    return
  }
  // Counted in another way than the service does.
  const { rows } = await sql<{ listed: number; lines: number }>`
    select (select count(*)::int from entries e where user_id = ${userId} and is_listed
        and not exists (select from reactions r where (r.user_id, r.message_id, r.device_id) = (e.user_id, e.message_id, 0))
        and (made_at, message_id) > (
          select coalesce(max(read_up_to), '-infinity'), coalesce(max(read_message), 0) from inbox_marks k where k.user_id = e.user_id)) as listed,
      (select count(*)::int from swap_messages m where m.read_at is null and m.sender_id <> ${userId}
        and m.swap_id in (select swap_id from swaps where ${userId} in (requester_id, owner_id))) as lines`.execute(db)
  const { listed, lines } = rows[0]!
  expect(badge).toMatchObject({ notifications: listed, total: listed + lines })
  if (node) expect(node).toMatchObject({ notifications: listed, total: listed + lines })
  else expect(listed + lines).toBe(0)
  const versions = firebase.history(`badges/u${userId}`).map((value) => (value as BadgeNode | null)?.version ?? 0)
  expect(versions).toEqual(versions.toSorted((a, b) => a - b))
}
