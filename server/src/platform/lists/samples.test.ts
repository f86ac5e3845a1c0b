import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { createSamples } from './samples.queries.ts'

test('a sample has texts of the index in small letters, once the table is analyzed', async ({ deps }) => {
  await sql`
    insert into users (username, email, name, password_hash, role)
    select 'Ada' || n, n || '@example.com', 'Örn', 'x', 'user' from generate_series(1, 2000) n`.execute(deps.db)
  expect(await createSamples(deps)('users_search')).toEqual([])
  await sql`analyze users`.execute(deps.db)
  const sample = await createSamples(deps)('users_search')
  expect(sample.length).toBeGreaterThan(1_000)
  expect(sample.filter((text) => !/^ ada(\d+) \1@example\.com örn$/.test(text))).toEqual([])
})

test('a sample is asked for once', async ({ deps }) => {
  const sampleOf = createSamples(deps)
  expect(await sampleOf('users_search')).toBe(await sampleOf('users_search'))
})
