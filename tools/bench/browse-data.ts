import type { DbPool } from '../../server/src/platform/db/connect.ts'

const WORDS = 5_000
const CITIES = 2_000

/** How many rows a market of products has. */
export type Market = { products: number; users: number }

/** The word of a rank: the lower, the more products hold it; the first is in half of them. */
export const WORD = (rank: string) => `translate(substr(md5('word' || (${rank})), 1, 7), '0123456789', 'ghijklmnop')`

/** A rank from 0 to `count`, low ones much more often. */
const rare = (count: number, seed: string, power: number) =>
  `floor(${count} * power((hashint8extended(n, ${seed}) & 16777215) / 16777216.0, ${power}))::int`

/**
 * Fills an empty database with a market: products in forty categories of four roots and in 2,000 cities, few of which
 * have most; titles and descriptions of words of which few are in most; likes that few products have most of; a
 * twentieth of the products is not listed. In ranges, so that no statement holds more than 100,000 rows.
 */
export async function fillMarket(pool: DbPool, { products, users }: Market): Promise<void> {
  await pool.query(`
    insert into users (user_id, username, email, name, password_hash, city) overriding system value
    select n, 'person' || n, 'person' || n || '@example.com', 'Person ' || n, '', 'City ' || n % 2000 from generate_series(1, ${users}) n`)
  await pool.query(`select setval(pg_get_serial_sequence('users', 'user_id'), ${users})`)
  await pool.query(`
    insert into categories (category_id, parent_id, slug, name) overriding system value
    select n, case when n > 4 then 1 + n % 4 end, 'category-' || n, 'Category ' || n from generate_series(1, 44) n`)
  const indexes = await takeIndexes(pool)
  for (let from = 1; from <= products; from += 100_000) {
    const to = Math.min(products, from + 99_999)
    await pool.query(selectProducts(from, to, users))
    await pool.query(selectLikes(from, to, users))
  }
  for (const create of indexes) await pool.query(create)
  await pool.query(`select setval(pg_get_serial_sequence('products', 'product_id'), ${products})`)
  await pool.query(
    'vacuum (analyze) users, categories, products, listings, likes, list_counts, kept_revisions, user_blocks',
  )
}

/** Drops the indexes that are cheaper to build afterwards; returns the statements that build them. */
async function takeIndexes(pool: DbPool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; create: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as create from pg_index i
    where i.indrelid = any(array['products', 'listings', 'likes']::regclass[])
      and not exists (select from pg_constraint where conindid = i.indexrelid)`)
  for (const { name } of rows) await pool.query(`drop index ${name}`)
  return rows.map(({ create }) => create)
}

function selectProducts(from: number, to: number, users: number): string {
  const words = (seed: number, count: number) =>
    Array.from({ length: count }, (_, place) => WORD(rare(WORDS, String(seed + place), 3))).join(` || ' ' || `)
  return `
    insert into products (product_id, user_id, category_id, title, description, condition, images, estimated_value_cents,
      city, status, verification, submitted_at, created_at, updated_at) overriding system value
    select n, 1 + ${rare(users, '1', 1.3)}, 5 + ${rare(40, '2', 1.5)}, initcap(${words(100, 3)}), ${words(200, 12)},
      (array['new', 'like_new', 'good', 'fair'])[1 + n % 4], jsonb_build_array('https://images.example/' || n || '.jpg'),
      100 * (n % 5000), 'City ' || ${rare(CITIES, '3', 2.5)}, case when n % 20 = 0 then 'paused' else 'active' end,
      case when n % 50 = 1 then 'pending' else 'verified' end, at, at, at
    from generate_series(${from}::bigint, ${to}::bigint) n
    cross join lateral (select timestamptz '2026-01-01' + n * interval '20 seconds' as at) t`
}

function selectLikes(from: number, to: number, users: number): string {
  return `
    insert into likes (user_id, product_id, created_at)
    select distinct on (user_id, product_id) user_id, product_id, at from (
      select 1 + ${rare(users, '4', 1)} as user_id, ${from} + ${rare(to - from + 1, '5', 2)} as product_id,
        timestamptz '2026-09-01' + n * interval '1 second' as at
      from generate_series(${2 * from}::bigint, ${2 * to}::bigint) n) given`
}
