import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { queryBuilder } from '../../platform/db/connect.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { preparingRepeated } from '../../platform/db/prepared.ts'
import { findPeople } from './reachable-phones.queries.ts'

const CROWD = 5_000

test('a few people far apart are read one by one, also where those of campaigns were read by their range before', async ({
  deps,
  given,
  clock,
}) => {
  await given.crowd(CROWD)
  await deps.pool.query('analyze')
  const db = queryBuilder(preparingRepeated(deps.pool), deps.metrics.database.ran)
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
