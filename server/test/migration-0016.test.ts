// Slow: a second or more for each test, or five for the file.
import { readdir, readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { connect, queryBuilder } from '../src/platform/db/connect.ts'
import { checkListCounts } from '../src/platform/lists/list-counts.ts'
import { createLog } from '../src/platform/shared/log.ts'
import { createDatabase } from './support/service.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

test('the totals of lists begin with the rows that there are', async () => {
  const { url, drop } = await createDatabase()
  const pool = connect(url, { max: 1, log: createLog('silent') })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  const files = (await readdir(FOLDER)).toSorted()
  const run = async (file: string) => void (await pool.query(await readFile(new URL(file, FOLDER), 'utf8')))
  for (const file of files.filter((name) => name < '0016')) await run(file)
  await pool.query(`
    insert into users (username, email, name, password_hash, status, deleted_at)
    select 'u' || n, n || '@example.com', 'U', '', (array['active', 'banned'])[1 + n % 2], case when n % 5 = 0 then now() end
    from generate_series(1, 40) n;
    insert into categories (slug, name) values ('things', 'Things');
    insert into products (user_id, category_id, title, description, condition, images, submitted_at, created_at, updated_at, hidden_at)
    select u.user_id, c.category_id, 'A thing', 'It is a thing', 'good', '[]', now(), now(), now(), case when u.user_id % 3 = 0 then now() end
    from users u cross join categories c`)
  for (const file of files.filter((name) => name >= '0016')) await run(file)
  const { rows } = await pool.query<{ list: string; n: number }>(
    'select list, sum(n)::int as n from list_counts group by 1 order by 1',
  )
  expect(rows).toEqual([
    { list: 'listings', n: 40 },
    { list: 'products', n: 40 },
    { list: 'users', n: 40 },
  ])
  expect((await checkListCounts(queryBuilder(pool))).text).toBe('All kept totals are right.')
})
