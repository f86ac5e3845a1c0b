import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { startBadgeWorld } from '../../../test/support/firebase.ts'
import type { Service } from '../../../test/support/service.ts'
import { markUnwritten } from '../ledger/badge-counts.queries.ts'
import { insertDue, settleWrites } from './nodes.queries.ts'
import { takeChanged, writeBadges } from './realtime.ts'

test('what was written is settled in the order of ids, as badges become due, so that nobody waits in a circle', async () => {
  const { service } = await world()
  const { db, pool, clock } = service.deps
  const [a, b] = (await usersWithPhones(service, 2)).map(({ userId }) => userId) as [number, number]
  const now = new Date(clock.now())
  await db.transaction().execute((tx) => insertDue(tx, [a, b], now))
  const client = await begin(service)
  await client.query('select from badge_nodes where user_id = $1 for update', [a])
  const write = { version: 1, etag: null, isDone: true, dueAt: now }
  const settling = settleWrites(
    db,
    [b, a].map((userId) => ({ userId, ...write })),
    now,
  )
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
  await client.query('select from badge_nodes where user_id = $1 for update nowait', [b])
  await client.query('commit')
  await settling
})

test('badges that changed become due without waiting for a person who is being purged', async () => {
  const { service } = await world()
  const { db, clock } = service.deps
  const users = await usersWithPhones(service, 2)
  await send(service, users)
  await drain(service)
  const [purged, other] = users.map(({ userId }) => userId) as [number, number]
  const client = await begin(service)
  await client.query('select from users where user_id = $1 for update', [purged])
  const due = async () => {
    await takeChanged(db, new Date(clock.now()))
    const nodes = await db.selectFrom('badge_nodes').select('user_id').orderBy('user_id').execute()
    return nodes.map(({ user_id }) => user_id)
  }
  expect(await due()).toEqual([other])
  await client.query('rollback')
  expect(await due()).toEqual([purged, other])
  await db.transaction().execute((tx) => markUnwritten(tx, 0, [purged]))
  await db.deleteFrom('users').where('user_id', '=', purged).execute()
  expect(await due()).toEqual([other])
  const { rows } = await sql`select from unread where unwritten <> 0::bit(64)`.execute(db)
  expect(rows).toEqual([])
})

test('a round begins no write that may outlast its lease', async () => {
  const { service, database } = await world()
  const { deps, clock } = service
  const users = await usersWithPhones(service, 20)
  await send(service, users)
  await drain(service)
  let now = clock.now()
  const put: typeof database.put = async (...write) => {
    const written = await database.put(...write)
    now += 8_000
    return written
  }
  // Sixteen begin at once, three more within half a minute.
  const round = await writeBadges({ ...deps, clock: { now: () => now } }, { ...database, put })
  expect(round).toEqual({ due: 20, failed: 1 })
})

async function world() {
  const started = await startBadgeWorld()
  onTestFinished(() => started.close())
  return started
}

async function begin({ deps }: Service): Promise<PoolClient> {
  const client = await deps.pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('begin')
  return client
}
