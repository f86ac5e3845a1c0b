import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { queryBuilder, type Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { preparingRepeated } from '../../platform/db/prepared.ts'
import { findPeople } from './people.queries.ts'

const CROWD = 5_000

test('a few people far apart are read one by one, also where those of campaigns were read by their range before', async ({
  deps,
  given,
  clock,
}) => {
  await given.crowd(CROWD)
  await deps.pool.query('analyze')
  const db = queryBuilder(preparingRepeated(deps.pool), deps.metrics.database.ran)
  const rowsRead = (userIds: number[]) =>
    inPlannedTransaction(db, 'by index', async (tx) => {
      const before = await countRead(tx)
      const personOf = await findPeople(tx, userIds, new Date(clock.now()))
      for (const userId of userIds) expect(personOf(userId).phones).toHaveLength(1)
      return (await countRead(tx)) - before
    })
  const neighbours = Array.from({ length: 1_000 }, (_, n) => n + 1)
  for (let times = 0; times < 12; times++) await rowsRead(neighbours)
  expect(await rowsRead([1, CROWD / 2, CROWD])).toBeLessThan(100)
})

async function countRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as n from pg_stat_xact_user_tables
    where relname in ('users', 'user_settings', 'sessions', 'mobile_devices')`.execute(tx)
  return rows[0]?.n ?? 0
}
