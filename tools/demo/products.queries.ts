import { sql } from 'kysely'
import type { Db, Tx } from '../../server/src/platform/db/connect.ts'
import type { Dataset, Range } from './dataset.ts'
import { draw, hours, chooseMoment, pick, pickIndex, spread, type Sql } from './random.queries.ts'
import type { Words } from './words.ts'

/** Makes the categories that are missing; gives the id of the category of each of the goods. */
export async function insertCategories(tx: Tx, { categories, goods }: Words): Promise<number[]> {
  const slugs = categories.map(({ slug }) => slug)
  await sql`
    insert into categories (slug, name)
    select slug, name from unnest(${slugs}::text[], ${categories.map(({ name }) => name)}::text[]) c(slug, name)
    on conflict (slug) do nothing`.execute(tx)
  await sql`
    update categories c set parent_id = parent.category_id
    from unnest(${slugs}::text[], ${categories.map(({ under }) => under ?? null)}::text[]) given(slug, under)
    join categories parent on parent.slug = given.under where c.slug = given.slug`.execute(tx)
  const rows = await tx.selectFrom('categories').select(['slug', 'category_id']).execute()
  const ids = new Map(rows.map((row) => [row.slug, row.category_id]))
  return goods.map(([slug]) => ids.get(slug) ?? 0)
}

/**
 * Makes the table of what can be liked: a few columns of each product, so that looking one up reads little however many
 * there are. It is in the way of nothing else and `dropScratch` takes it away.
 */
export async function createLikable(tx: Tx): Promise<void> {
  await sql`create table likable (product_id bigint primary key, user_id bigint, created_at timestamptz)`.execute(tx)
}

/** Drops the helper tables. */
export async function dropScratch(db: Db | Tx): Promise<void> {
  await sql`drop table if exists likable, like_counts`.execute(db)
}

/**
 * Inserts the products of a range: listed by people who were there then, older members more often. Verified after some
 * hours, so that the last ones wait; a few were rejected, sent back, taken down, paused or deleted.
 */
export async function insertProducts(tx: Tx, dataset: Dataset, { first, last }: Range): Promise<void> {
  const { year, users, products, after } = dataset
  const k = sql`k`
  const now = sql`${year.now}::timestamptz`
  const share = sql`((k - 1 + ${draw('listed', k)}) / ${products}::float8)`
  await sql`
    with listed as (
    insert into products (product_id, user_id, category_id, title, description, condition, estimated_value_cents, wants,
      city, images,
      status, verification, submitted_at, verified_at, verified_by, hidden_at, created_at, updated_at, deleted_at,
        version)
    select ${after.products}::bigint + k, user_id, category_id, title, description, condition, value, wants, city,
      images, status,
      verification, created_at, case when verification = 'verified' then decided_at end,
      case when verification = 'verified' then ${chooseModerator(k, dataset.staff)} end,
      hidden_at, created_at,
      greatest(case when verification <> 'pending' then decided_at end, changed_at, hidden_at, deleted_at, created_at),
      deleted_at, case when verification = 'pending' then 1 else 2 end
    from (
      select *, case when status in ('paused', 'removed')
        then decided_at + (${now} - decided_at) * ${draw('changed', k)} end as changed_at,
        case when verification = 'verified' and status = 'active' and ${draw('deleted', k)} < 0.02
          then decided_at + (${now} - decided_at) * ${draw('deleted at', k)} end as deleted_at
      from (
        select *, case when decided_at >= ${now} or status = 'draft' then 'pending'
          when status in ('paused', 'removed') or ${draw('verdict', k)} >= 0.04 then 'verified'
          when ${draw('verdict', k)} < 0.02 then 'rejected' else 'changes_requested' end as verification
        from (
          select k, u.user_id, u.city, ${chooseTexts(k, dataset)}, ${chooseStatus(k, year.now)} as status,
            greatest(listed.created_at, u.created_at) as created_at,
            ${decidedAt(k, sql`greatest(listed.created_at, u.created_at)`)} as decided_at,
            case when u.status in ('suspended', 'banned') or u.deleted_at is not null then u.updated_at end as hidden_at
          from (
            select k, ${chooseMoment(share, year)} as created_at,
              ${after.users}::bigint + 1 + floor(power(${draw('owner', k)}, 1.3) * ${share} * ${users}::float8)::bigint
                as owner_id
            from generate_series(${first}::bigint, ${last}::bigint) k offset 0) listed
          join users u on u.user_id = owner_id
            and (u.status = 'active' and u.deleted_at is null
              or greatest(listed.created_at,
              u.created_at) < u.updated_at) offset 0) told offset 0) judged offset 0) changed
    order by k
    returning product_id, user_id, created_at, status)
    insert into likable select product_id, user_id, created_at from listed where status <> 'draft'
      order by product_id`.execute(tx)
}

/**
 * When a moderator has decided, or will, about the product at position `k`: mostly within a day, some are forgotten.
 */
export function decidedAt(k: Sql, submittedAt: Sql): Sql {
  const wait = sql`0.2 + ${spread('waits', k, 30)} * case when ${draw('forgotten', k)} < 0.01 then 12 else 1 end`
  return sql`${submittedAt} + ${hours(wait)}`
}

/** Gives who of the staff decides about the product at position `k`. */
export function chooseModerator(k: Sql, staff: number[]): Sql {
  return sql`(${staff}::bigint[])[${pickIndex('staff', k, staff.length)}]`
}

function chooseTexts(k: Sql, { goodCategories, words }: Dataset): Sql {
  const good = pickIndex('good', k, words.goods.length)
  const titles = words.goods.map(([, title]) => title)
  const abouts = words.goods.map(([, , about]) => about)
  return sql`
    (${goodCategories}::bigint[])[${good}] as category_id,
    (${titles}::text[])[${good}] || case when ${draw('marked', k)} < 0.3
      then ', ' || ${pick('mark', k, words.marks)} else '' end as title,
    (${abouts}::text[])[${good}] || ' ' || ${pick('handover', k, words.handovers)} as description,
    ${pick('condition', k, words.conditions)} as condition,
    case when ${draw('has value', k)} < 0.8 then (5 + floor(${spread('value', k, 30)}))::bigint * 100 end as value,
    case when ${draw('has wants', k)} < 0.6 then ${pick('wants', k, words.wants)} end as wants,
    jsonb_build_array('https://images.swapbell.example/' || k || '/1.jpg') as images`
}

/** Some older ones were paused or taken down by moderators. */
function chooseStatus(k: Sql, now: Date): Sql {
  const status = draw('product status', k)
  return sql`case when ${status} < 0.03 then 'draft' when listed.created_at > ${now}::timestamptz - interval '14 days'
    then 'active'
    when ${status} < 0.09 then 'paused' when ${status} < 0.105 then 'removed' else 'active' end`
}
