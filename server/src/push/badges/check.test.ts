// Slow: a second or more for each test, or five for the file.
import { beforeEach, describe, expect, test } from 'vitest'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { startBadgeWorld, type Firebase } from '../../../test/support/firebase.ts'
import type { Service } from '../../../test/support/service.ts'
import { createHandlers } from '../../handlers.ts'
import { listBadges } from './badges.queries.ts'
import { checkBadges, checkBadgesCommand } from './check.ts'
import type { RealtimeDatabase } from './firebase.ts'
import { writeBadges } from './realtime.ts'

const { signal } = new AbortController()

describe('The check of badges', () => {
  let firebase: Firebase
  let service: Service
  let database: RealtimeDatabase

  beforeEach(async () => {
    const world = await startBadgeWorld()
    ;({ firebase, service, database } = world)
    return world.close
  })

  test('finds nothing if all is right', async () => {
    const { deps } = service
    const users = await usersWithPhones(service, 3)
    await send(service, users)
    await drain(service)
    await writeBadges(deps, database)
    expect(await checkBadges(deps, signal)).toEqual({ users: 4, wrong: 0, unwritten: 0, unanswered: 0 })
    await send(service, users)
    await drain(service)
    expect(await checkBadges(deps, signal)).toEqual({ users: 5, wrong: 0, unwritten: 0, unanswered: 0 })
  })

  test('corrects badges that are wrong, lost or altered', async () => {
    const { deps } = service
    const users = await usersWithPhones(service, 4)
    await send(service, users)
    await drain(service)
    await writeBadges(deps, database)
    const [wrong, missing, lost, altered] = users.map(({ userId }) => userId) as [number, number, number, number]
    await setEntries(deps, wrong, 9)
    await deps.db.deleteFrom('badge_nodes').where('user_id', '=', missing).execute()
    firebase.set(`badges/u${lost}`, null)
    firebase.set(`badges/u${altered}`, { ...(firebase.at(`badges/u${altered}`) as object), total: 5 })
    expect(await checkBadges(deps, signal)).toMatchObject({ wrong: 1, unwritten: 3, unanswered: 0 })
    expect(await writeBadges(deps, database)).toEqual({ due: 4, failed: 0 })
    for (const { userId } of users)
      expect(firebase.at(`badges/u${userId}`)).toMatchObject({ total: 1, notifications: 1 })
    expect(await checkBadgesCommand(deps)).toEqual({
      text: '5 users: 0 badges were wrong and are counted anew.',
      isGood: true,
    })
  })

  test('runs every night, and says when the realtime database does not answer', async () => {
    const { deps } = service
    const users = await usersWithPhones(service, 1)
    await send(service, users)
    await drain(service)
    await writeBadges(deps, database)
    await setEntries(deps, users[0]!.userId, 0)
    await createHandlers(deps)['check-badges']({}, signal)
    expect(await listBadges(deps.db, [users[0]!.userId])).toMatchObject([{ notifications: 1 }])
    await writeBadges(deps, database)
    firebase.fault = () => ({ status: 500 })
    expect((await checkBadgesCommand(deps)).isGood).toBe(false)
  })
})

async function setEntries({ pool }: Service['deps'], userId: number, count: number): Promise<void> {
  await pool.query('update unread set entries[($1::bigint & 63) + 1] = $2 where block = $1::bigint >> 6', [
    userId,
    count,
  ])
}
