// Slow: many costly requests, or long data.
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { Deps } from '../../deps.ts'
import { connect } from '../db/connect.ts'
import { checkListCounts, createKeptTotals, recountLists } from './list-counts.ts'
import { keptTotal, type Facets, type KeptList } from './list-counts.queries.ts'

// Each facet with the column that it is of, and its values; `set`: what a write gives the column.
const FACETS: Record<Exclude<KeptList, 'listings'>, { column: string; values: (string | boolean)[] }[]> = {
  users: [
    { column: 'deleted_at is not null', values: [false, true] },
    { column: 'status', values: ['active', 'inactive', 'suspended', 'banned'] },
    { column: 'role', values: ['user', 'analyst', 'moderator', 'admin', 'super_admin'] },
    { column: 'email_verified_at is not null', values: [false, true] },
    { column: 'is_test_user', values: [false, true] },
  ],
  products: [
    { column: 'deleted_at is not null', values: [false, true] },
    { column: 'status', values: ['draft', 'active', 'reserved', 'swapped', 'paused', 'removed'] },
    { column: 'verification', values: ['pending', 'verified', 'rejected', 'changes_requested'] },
    { column: 'condition', values: ['new', 'like_new', 'good', 'fair'] },
    { column: 'hidden_at is not null', values: [false, true] },
  ],
}

type Write = {
  list: Exclude<KeptList, 'listings'>
  kind: 'insert' | 'update' | 'delete'
  facet: number
  value: number
  share: number
}

const writes = fc.array(
  fc.record<Write>({
    list: fc.constantFrom('users', 'products'),
    kind: fc.constantFrom('insert', 'insert', 'update', 'update', 'update', 'delete'),
    facet: fc.nat(4),
    value: fc.nat(5),
    share: fc.constantFrom(1, 2, 5, 9),
  }),
  { minLength: 5, maxLength: 40 },
)

describe('a kept total', () => {
  test('is that of the rows after any writes, for every value and every two of them', async ({ deps }) => {
    await prepare(deps)
    await fc.assert(
      fc.asyncProperty(writes, fc.boolean(), async (made, isUndone) => {
        await deps.db.transaction().execute(async (tx) => {
          for (const write of made) await sql.raw(toStatement(write)).execute(tx)
          await expectTrue(tx)
        })
        if (!isUndone) return
        await deps.pool.query(`begin; ${made.map((write) => toStatement(write)).join(';')}; rollback`)
        await expectTrue(deps.db)
      }),
      { numRuns: 25 },
    )
  })

  test('is right and blocks nobody while many write and fold rows', async ({ deps }) => {
    await prepare(deps)
    const made = fc.sample(writes, 12)
    const writers = made.map(async (several, index) => {
      const client = new Client(deps.config.DATABASE_URL)
      await client.connect()
      await client.query(`set deadlock_timeout = '50ms'`)
      for (let round = 0; round < 5; round++) {
        await client.query('begin')
        // Rows of their own, so that nothing but the counts could make one writer wait for another.
        for (const write of several) await client.query(toStatement({ ...write, share: 1 }, `% 12 = ${index}`))
        await client.query(round === 3 ? 'rollback' : 'commit')
      }
      await client.end()
    })
    expect(await Promise.all(writers)).toHaveLength(12)
    expect(await checkListCounts(deps.db)).toEqual({ text: 'All kept totals are right.', isGood: true })
    await expectTrue(deps.db)
  })

  test('is read once for all concurrent callers, and is new after a write', async ({ deps, given }) => {
    const pool = connect(deps.config.DATABASE_URL, { max: 4, log: deps.log })
    let asked = 0
    pool.on('acquire', () => asked++)
    try {
      const total = createKeptTotals({ db: deps.db, pool })
      const everybody = { list: 'users' as const, facets: [] }
      const before = await total(everybody)
      const early = Array.from({ length: 30 }, () => total(everybody))
      await given.user()
      const late = Array.from({ length: 30 }, () => total(everybody))
      expect(await Promise.all(late)).toEqual(late.map(() => before + 1))
      await Promise.all(early)
      expect(asked).toBeLessThanOrEqual(5)
    } finally {
      await pool.end()
    }
  })

  test('has few rows after many writes', async ({ deps, given }) => {
    const { userId } = await given.user()
    for (let n = 0; n < 1_500; n++)
      await deps.pool.query('update users set is_test_user = not is_test_user where user_id = $1', [userId])
    const { rows } = await deps.pool.query<{ n: number }>('select count(*)::int as n from list_counts')
    expect(rows[0]?.n).toBeLessThan(1_500)
  })

  test('that is wrong is found, and counted again', async ({ deps, given }) => {
    await given.user({ status: 'banned' })
    await recountLists(deps.db)
    await deps.pool.query(`insert into list_counts values ('users', '{false,banned,user,false,false}', 2)`)
    const found = await checkListCounts(deps.db)
    expect(found.isGood).toBe(false)
    expect(found.text).toMatch(/^users false, banned, user, false, false: kept \d+, counted \d+$/)
    expect((await recountLists(deps.db)).text).toMatch(
      /^users: \d+ rows\.\nproducts: \d+ rows\.\nlistings: \d+ rows\.$/,
    )
    expect((await checkListCounts(deps.db)).isGood).toBe(true)
    await expectTrue(deps.db)
  })

  test('follows a table that is emptied', async ({ deps }) => {
    await deps.pool.query('begin; truncate users cascade; commit')
    const { rows } = await keptTotal('users', []).execute(deps.db)
    expect(rows).toEqual([{ n: 0 }])
    expect((await checkListCounts(deps.db)).isGood).toBe(true)
  })
})

async function prepare(deps: Deps): Promise<void> {
  await deps.pool.query(`insert into categories (slug, name) values ('things', 'Things') on conflict do nothing`)
  for (let n = 0; n < 24; n++)
    for (const list of ['users', 'products'] as const)
      await deps.pool.query(toStatement({ list, kind: 'insert', facet: 0, value: 0, share: 2 }))
}

/** A write of some rows, each `share`th one; `which` narrows them. */
function toStatement({ list, kind, facet, value, share }: Write, which = `% ${share} = 0`): string {
  const id = list === 'users' ? 'user_id' : 'product_id'
  const { column, values } = FACETS[list][facet]!
  const chosen = values[value % values.length]!
  // The first user owns the products of all.
  if (kind === 'delete')
    return `delete from ${list} where ${id} ${which} and ${id} % 7 = 0 ${list === 'users' ? 'and user_id > (select min(user_id) from users)' : ''}`
  if (kind === 'insert' && list === 'users')
    return `insert into users (username, email, name, password_hash)
      select 'u' || gen_random_uuid(), gen_random_uuid() || '@example.com', 'Somebody', '' from generate_series(1, ${share})`
  if (kind === 'insert')
    return `insert into products (user_id, category_id, title, description, condition, images, submitted_at, created_at, updated_at)
      select u.user_id, (select min(category_id) from categories), 'A thing', 'It is a thing', 'good', '[]', now(), now(), now()
      from (select min(user_id) as user_id from users) u cross join generate_series(1, ${share}) where u.user_id is not null`
  const [name = '', isMoment] = [column.split(' ')[0], column.includes(' ')]
  const written = isMoment ? (chosen === true ? 'now()' : 'null') : `'${chosen}'`
  return `update ${list} set ${name} = ${written} where ${id} ${which}`
}

/** Compares with plain counts: all, each value of each facet, and each pair of a value with the first facet. */
async function expectTrue(db: Parameters<typeof checkListCounts>[0]): Promise<void> {
  for (const list of ['users', 'products'] as const) {
    const facets = FACETS[list]
    const asked: [Facets, string][] = [[facets.map(() => undefined), 'true']]
    for (const [index, { column, values }] of facets.entries())
      for (const value of values) {
        const one = `(${column}) = '${value}'`
        asked.push([facets.map((_, at) => (at === index ? [value] : undefined)), one])
        if (index > 0)
          asked.push([
            facets.map((_, at) => (at === 0 ? [false] : at === index ? [value] : undefined)),
            `${one} and deleted_at is null`,
          ])
      }
    const counted = asked.map(
      ([, where], at) =>
        sql`select ${sql.lit(at)} as at, count(*) as n from ${sql.table(list)} where ${sql.raw(where)}`,
    )
    const kept = asked.map(([wanted], at) => sql`select ${sql.lit(at)} as at, k.n from (${keptTotal(list, wanted)}) k`)
    const all = async (parts: typeof counted) =>
      (await sql`${sql.join(parts, sql` union all `)} order by at`.execute(db)).rows
    expect(await all(kept)).toEqual(await all(counted))
  }
}
