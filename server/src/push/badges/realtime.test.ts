// Slow: random histories, or many who do the same at once.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import { startBadgeWorld, startFirebase, type Firebase } from '../../../test/support/firebase.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { purgeUsers } from '../../administration/accounts/purge.ts'
import { sendSwapMessage } from '../../marketplace/chat/chat.ts'
import { listBadges } from './badges.queries.ts'
import { claimWrites } from './nodes.queries.ts'
import { createFirebase, type BadgeNode, type RealtimeDatabase } from './firebase.ts'
import { takeChanged, writeBadges } from './realtime.ts'

const NODE: BadgeNode = { version: 7, total: 1, notifications: 1, chats: {}, updated_at: 1 }

async function stand(): Promise<Firebase> {
  const firebase = await startFirebase()
  onTestFinished(() => firebase.close())
  return firebase
}

function createClient(firebase: Firebase, tokens = { get: () => Promise.resolve('owner'), renew: () => undefined }) {
  return createFirebase(`${firebase.url}/`, tokens)
}

describe('A write to Firebase', () => {
  test('is conditional: an older version never replaces a newer one, even with a stale ETag', async () => {
    const firebase = await stand()
    const database = createClient(firebase)
    const first = await database.put(1, NODE, null)
    expect(first).toMatchObject({ kind: 'written', etag: expect.stringMatching(/=$/) })
    const second = await database.put(1, { ...NODE, version: 9 }, first.kind === 'written' ? first.etag : null)
    expect(second.kind).toBe('written')
    expect(await database.put(1, { ...NODE, version: 8 }, null)).toMatchObject({ kind: 'newer' })
    expect(await database.put(1, { ...NODE, version: 9 }, 'stale')).toMatchObject({ kind: 'newer' })
    expect(firebase.at('badges/u1')).toMatchObject({ version: 9 })
    // Its ETag is stale and its version is newer: the second try writes it.
    expect(await database.put(1, { ...NODE, version: 10 }, 'stale')).toMatchObject({ kind: 'written' })
    firebase.set('badges/u1', 'not a badge')
    expect(await database.put(1, NODE, null)).toMatchObject({ kind: 'written' })
  })

  test.for(['/?ns=my-app', '?ns=my-app'])('goes to the database that the address names (%s)', async (named) => {
    const firebase = await stand()
    const database = createFirebase(`${firebase.url}${named}`, { get: async () => 'owner', renew: () => undefined })
    expect(await database.put(7, NODE, null)).toMatchObject({ kind: 'written' })
    expect(firebase.at('my-app:badges/u7')).toMatchObject({ version: 7 })
    expect(await database.read(7)).toMatchObject({ version: 7, total: 1 })
    expect(await database.remove(7)).toBe(true)
    expect(firebase.at('my-app:badges/u7')).toBeNull()
  })

  test('renews a refused token once', async () => {
    const firebase = await stand()
    const asked = { renewed: 0 }
    const tokens = { get: async () => `t${asked.renewed}`, renew: () => void asked.renewed++ }
    firebase.tokens.clear()
    firebase.tokens.add('t1')
    const database = createFirebase(firebase.url, tokens)
    expect(await database.put(1, NODE, null)).toMatchObject({ kind: 'written' })
    expect(asked.renewed).toBe(1)
    firebase.tokens.clear()
    expect(await database.put(1, NODE, null)).toMatchObject({ kind: 'failed', code: 'HTTP 401' })
  })

  test('follows a redirect only to a trusted host, and sends its token nowhere else', async () => {
    const [firebase, other] = [await stand(), await stand()]
    firebase.redirectTo = other.url
    const database = createClient(firebase)
    expect(await database.put(1, NODE, null)).toMatchObject({ kind: 'written' })
    expect(other.at('badges/u1')).toMatchObject({ version: 7 })
    firebase.redirectTo = other.url.replace('127.0.0.1', 'localhost')
    expect(await database.put(2, NODE, null)).toMatchObject({ kind: 'failed' })
    expect(other.at('badges/u2')).toBe(null)
    // The two redirect to each other.
    firebase.redirectTo = other.url
    other.redirectTo = firebase.url
    expect((await database.put(3, NODE, null)).kind).toBe('failed')
    expect(firebase.requests() + other.requests()).toBeLessThan(12)
  })

  test('reports failures, and how long to wait', async () => {
    const firebase = await stand()
    const database = createClient(firebase)
    firebase.fault = () => ({ status: 429, retryAfter: 20 })
    expect(await database.put(1, NODE, null)).toEqual({ kind: 'failed', code: 'HTTP 429', retryAfterMs: 20_000 })
    firebase.fault = () => 'cut after'
    expect(await database.put(1, NODE, null)).toMatchObject({ kind: 'failed' })
    firebase.fault = () => undefined
    // The write had been made.
    expect(await database.put(1, NODE, null)).toMatchObject({ kind: 'newer' })
    expect(await database.read(1)).toMatchObject({ version: 7 })
    expect(await database.remove(1)).toBe(true)
    expect(await database.read(1)).toBe(null)
    firebase.fault = () => 'cut before'
    expect([await database.remove(1), await database.read(1)]).toEqual([false, undefined])
  })

  test('ends in its time, also where no access token comes', async () => {
    const firebase = await stand()
    const tokens = { get: () => new Promise<string>(() => undefined), renew: () => undefined }
    const database = createFirebase(firebase.url, tokens, 50)
    expect(await database.put(1, NODE, null)).toEqual({ kind: 'failed', code: 'TimeoutError', retryAfterMs: 0 })
    expect([await database.remove(1), await database.read(1)]).toEqual([false, undefined])
    expect(firebase.requests()).toBe(0)
  })
})

describe('Badges', () => {
  let firebase: Firebase
  let service: Service
  let database: RealtimeDatabase

  beforeEach(async () => {
    const world = await startBadgeWorld()
    ;({ firebase, service, database } = world)
    return world.close
  })

  const write = () => writeBadges(service.deps, database)
  const toNode = ({ userId }: Pick<GivenUser, 'userId'>) => firebase.at(`badges/u${userId}`) as BadgeNode | null

  async function expectSame(users: GivenUser[]): Promise<void> {
    for (const badge of await listBadges(
      service.deps.db,
      users.map(({ userId }) => userId),
    ))
      expect(toNode(badge)).toMatchObject({ total: badge.total })
  }

  test('are written to the realtime database after each change, only the newest state, and nothing when nothing changed', async () => {
    const { requester, owner, swapId } = await givenProposal(service)
    for (const text of ['Hello', 'Are you there?']) {
      await commitAs(requester, service.deps, sendSwapMessage, { swapId, text })
      await drain(service)
    }
    expect(await write()).toEqual({ due: 1, failed: 0 })
    expect(toNode(owner)).toMatchObject({ total: 3, notifications: 1, chats: { [`s${swapId}`]: 2 } })
    expect(firebase.history(`badges/u${owner.userId}`)).toHaveLength(1)
    expect(await write()).toEqual({ due: 0, failed: 0 })
    // The ETag is kept: the next write takes one request.
    const before = firebase.requests()
    await commitAs(requester, service.deps, sendSwapMessage, { swapId, text: 'Well' })
    await drain(service)
    expect(await write()).toEqual({ due: 1, failed: 0 })
    expect(firebase.requests() - before).toBe(1)
    await expectSame([owner])
  })

  test('are written again after a failure, later each time, and the database is spared meanwhile', async () => {
    const { clock } = service
    const users = await usersWithPhones(service, 30)
    await send(service, users)
    await drain(service)
    firebase.fault = () => ({ status: 503 })
    expect(await write()).toEqual({ due: 30, failed: 30 })
    expect(firebase.requests()).toBeLessThan(25)
    expect(await write()).toEqual({ due: 0, failed: 0 })
    await clock.setTime(clock.now() + 1_300)
    expect(await write()).toEqual({ due: 30, failed: 30 })
    await clock.setTime(clock.now() + 1_300)
    expect(await write()).toEqual({ due: 0, failed: 0 })
    firebase.fault = () => undefined
    await clock.setTime(clock.now() + 1_300)
    expect(await write()).toEqual({ due: 30, failed: 0 })
    await expectSame(users)
  })

  test('that a killed worker held are written by another, and what it wrote late changes nothing', async () => {
    const { deps, clock } = service
    const [user] = await usersWithPhones(service, 1)
    await send(service, [user!])
    await drain(service)
    const lease = { limit: 9, now: new Date(clock.now()), until: new Date(clock.now() + 60_000) }
    await takeChanged(deps.db, lease.now)
    const [held] = await claimWrites(deps.db, lease)
    expect(held).toMatchObject({ userId: user!.userId })
    await send(service, [user!])
    await drain(service)
    // What changed meanwhile does not wait for the lease.
    expect(await write()).toEqual({ due: 1, failed: 0 })
    await clock.setTime(clock.now() + 60_001)
    expect(await write()).toEqual({ due: 0, failed: 0 })
    const late = { ...NODE, version: held!.version, total: held!.total }
    expect(await database.put(user!.userId, late, held!.etag)).toMatchObject({ kind: 'newer' })
    expect(toNode(user!)).toMatchObject({ total: 2 })
  })

  test('of purged users are removed, also when the database fails at first', async () => {
    const { deps, clock } = service
    const users = await usersWithPhones(service, 2)
    await send(service, users)
    await drain(service)
    await write()
    const gone = { deleted_at: new Date(clock.now()), purge_after: new Date(clock.now()) }
    await deps.db.updateTable('users').set(gone).where('user_id', '=', users[0]!.userId).execute()
    expect(await purgeUsers(deps, new AbortController().signal)).toBe(1)
    firebase.fault = () => 'cut before'
    expect(await write()).toEqual({ due: 1, failed: 1 })
    firebase.fault = () => undefined
    await clock.setTime(clock.now() + 1_300)
    expect(await write()).toEqual({ due: 1, failed: 0 })
    expect(toNode(users[0]!)).toBe(null)
    expect(toNode(users[1]!)).toMatchObject({ total: 1 })
    expect(await deps.db.selectFrom('badge_removals').selectAll().execute()).toEqual([])
  })
})
