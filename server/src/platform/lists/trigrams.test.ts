import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { createFrequentTrigrams } from './trigrams.queries.ts'

test('trigrams of more than half a percent of the texts are frequent, once the table is analyzed', async ({ deps }) => {
  await sql`
    insert into users (username, email, name, password_hash, role)
    select 'qzx' || n || 'wvk', 'w' || n || '@example.com', case when n % 1000 = 0 then 'Kjq' when n % 100 = 0 then 'ÖQJ' else '' end, 'x', 'user'
    from generate_series(1, 2000) n`.execute(deps.db)
  expect(await createFrequentTrigrams(deps)('users_search')).toEqual(new Set())
  await sql`analyze users`.execute(deps.db)
  const frequent = await createFrequentTrigrams(deps)('users_search')
  expect([...frequent].filter((trigram) => ['qzx', 'wvk', 'öqj', 'kjq'].includes(trigram)).toSorted()).toEqual([
    'qzx',
    'wvk',
    'öqj',
  ])
})

test('what is frequent is asked once', async ({ deps }) => {
  const frequentTrigrams = createFrequentTrigrams(deps)
  expect(await frequentTrigrams('users_search')).toBe(await frequentTrigrams('users_search'))
})
