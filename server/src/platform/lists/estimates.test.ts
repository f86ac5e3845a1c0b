import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { estimateEach } from '../db/count.ts'
import { createEstimate } from './estimates.queries.ts'

test('estimates that are asked for at one time share a message, and are known afterwards', async ({ deps }) => {
  let sent = 0
  const pool = Object.create(deps.pool, { ran: { value: () => void sent++ } }) as typeof deps.pool
  const estimate = createEstimate({ db: deps.db, pool })
  const queries = [10, 20_000, 300].map(
    (n) => sql`select n from generate_series(1, ${n}::int) n where n > ${n / 2}::int`,
  )
  const found = await Promise.all(queries.map((rows) => estimate(rows)))
  expect(sent).toBe(1)
  expect(found).toEqual(await estimateEach(deps, queries))
  expect(await Promise.all(queries.map((rows) => estimate(rows)))).toEqual(found)
  expect(sent).toBe(1)
})

test('an estimate that failed is asked for again', async ({ deps }) => {
  const estimate = createEstimate(deps)
  const rows = sql`select 1 from made_later`
  await expect(estimate(rows)).rejects.toThrow('made_later')
  await sql`create table made_later as select 1 as n`.execute(deps.db)
  expect(await estimate(rows)).toBeGreaterThan(0)
  await sql`drop table made_later`.execute(deps.db)
})
