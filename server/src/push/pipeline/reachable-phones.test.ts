import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { findPeople } from './reachable-phones.queries.ts'

const CROWD = 5_000

test('a few people far apart are read one by one, also where those of campaigns were read by their range before', async ({
  deps,
  given,
  clock,
}) => {
  await given.crowd(CROWD)
  await deps.pool.query('analyze')
  const { db } = deps
  const read = (userIds: number[]) =>
    rowsRead(db, ['users', 'user_settings', 'sessions', 'mobile_devices'], (tx) =>
      withPlans(tx, 'by index', async () => {
        const personOf = await findPeople(tx, userIds, new Date(clock.now()))
        for (const userId of userIds) expect(personOf(userId).phones).toHaveLength(1)
      }),
    )
  const neighbours = Array.from({ length: 1_000 }, (_, n) => n + 1)
  for (let times = 0; times < 12; times++) await read(neighbours)
  expect(await read([1, CROWD / 2, CROWD])).toBeLessThan(100)
})

test('the share of a roll-out is read for phones with two addresses alone', async ({ deps, given, clock }) => {
  const { db } = deps
  const phones = [
    await given.user({ devices: [{}] }),
    await given.user({ devices: [{ token: 'n', provider: 'native' }] }),
  ]
  const rollOut = { provider: 'native', share: 100, changed_at: new Date(), changed_by: null, returned_at: null }
  await db.insertInto('roll_outs').values(rollOut).execute()
  const read = () =>
    rowsRead(db, ['roll_outs'], (tx) =>
      withPlans(tx, 'by index', async () => {
        const personOf = await findPeople(
          tx,
          phones.map(({ userId }) => userId),
          new Date(clock.now()),
        )
        for (const { userId } of phones) expect(personOf(userId).phones).toHaveLength(1)
      }),
    )
  expect(await read()).toBe(0)
  const fallback = { fallback_token: 'ExponentPushToken[n]', fallback_provider: 'expo' }
  await db.updateTable('mobile_devices').set(fallback).where('token', '=', 'n').execute()
  expect(await read()).toBeGreaterThan(0)
})

test('a person who is not there counts as deleted, and one for whom the database gave no row is an error', async ({
  deps,
  given,
  clock,
}) => {
  const { userId } = await given.user({ devices: [{}] })
  const absent = userId + 1
  const personOf = await findPeople(deps.db, [userId, absent], new Date(clock.now()))
  expect([personOf(userId).barred, personOf(absent).barred]).toEqual([null, 'deleted'])
  expect(() => personOf(absent + 1)).toThrow('person who was asked for')
})
