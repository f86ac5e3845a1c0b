// Slow: thousands of records that end in one transaction.
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Deps } from '../../deps.ts'

// A message has some thirty columns and a change of a state nine, and a statement takes 65,535 values.
const MANY = 8_000

test('an account with thousands of open proposals is suspended, and each of their sides is told', async ({
  service,
}) => {
  const { deps, given } = service
  const owner = await given.user()
  await given.crowd(MANY)
  await insertProposals(deps, owner)
  const panel = await givenPanel(service)
  const answer = await panel.patch('/user-update', { id: owner.userId, status: 'suspended' })
  expect(answer.json()).toMatchObject({ data: { status: 'suspended' } })
  const swaps = await sql`select status, count(*) as n from swaps group by 1`.execute(deps.db)
  expect(swaps.rows).toEqual([{ status: 'invalidated', n: MANY }])
  const told = await sql`select count(distinct recipient_id) as n from messages where merge_key like 'swap-%'`.execute(
    deps.db,
  )
  expect(told.rows).toEqual([{ n: MANY }])
})

test('a product with thousands of reports is decided', async ({ service }) => {
  const { deps, given } = service
  const productId = await givenProduct(deps, await given.user())
  await sql`
    with people as (
      insert into users (username, email, name, password_hash)
      select 'reporter-' || n, 'reporter-' || n || '@example.com', 'Reporter', 'no password'
      from generate_series(1, ${MANY}::int) n returning user_id)
    insert into product_reports (product_id, reporter_id, reason, created_at, updated_at)
    select ${productId}, user_id, 'scam', now(), now() from people`.execute(deps.db)
  const panel = await givenPanel(service)
  const decided = await panel.post(`/report/reported-product/${productId}/decide`, { action: 'remove_product' })
  expect(decided.json()).toMatchObject({ data: { product_id: productId, decided: MANY } })
})

test('the products of an account are hidden and shown in parts, because a long statement takes minutes', async ({
  service,
}) => {
  const { deps, given } = service
  const owner = await given.user()
  await givenProduct(deps, owner)
  await sql`
    insert into products (user_id, category_id, title, description, condition, images, status, submitted_at, created_at, updated_at)
    select user_id, category_id, title, description, condition, '[]', status, now(), now(), now()
    from products, generate_series(2, 1000) where user_id = ${owner.userId}`.execute(deps.db)
  await sql`
    create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from added) > 100 then raise 'too many rows in one statement'; end if;
      return null;
    end $$`.execute(deps.db)
  await sql`
    create trigger are_few after update on products referencing new table as added
    for each statement execute function refuse_many()`.execute(deps.db)
  const listed = () =>
    sql`
    select count(*) as n from listings where user_id = ${owner.userId} and is_listed`.execute(deps.db)
  const panel = await givenPanel(service)
  for (const [status, n] of [
    ['suspended', 0],
    ['active', 1_000],
  ] as const) {
    const answer = await panel.patch('/user-update', { id: owner.userId, status })
    expect(answer.json()).toMatchObject({ data: { status } })
    expect((await listed()).rows).toEqual([{ n }])
  }
})

async function insertProposals({ db }: Deps, { userId }: GivenUser): Promise<void> {
  await sql`
    insert into swaps (requester_id, owner_id, expires_at, created_at, updated_at)
    select user_id, ${userId}, now() + interval '7 days', now(), now() from users where username like 'crowd-%'`.execute(
    db,
  )
}
