import { sql } from 'kysely'
import { waitingCopies } from './waiting-copies.ts'
import type { Service } from './service.ts'

/**
 * Fills a service so that its answers are as large as they get: an inbox of full pushes, pages of products with the
 * longest texts, and ten years of counted activity.
 */
export async function crowd({ deps }: Service, ownerId: number): Promise<void> {
  const { db } = deps
  await sql`
    with sent as (
      insert into messages (type, audience, lane, needs_opt_in, title, body, data, status, created_at, expires_at, updated_at)
      select 'promotional', 'users', 'campaign', false, repeat('t', 200), repeat('b', 1500),
        jsonb_build_object('link', repeat('l', 1800)), 'completed', now(), now(), now()
      from generate_series(1, 220) returning message_id)
    insert into entries (user_id, message_id, made_at, is_listed, has_copy) select ${ownerId}, message_id, now(), true, true from sent`.execute(
    db,
  )
  const copies = waitingCopies('1')
  await sql`
    insert into batches (message_id, ${sql.raw(copies.columns)})
    select message_id, ${sql.raw(copies.values(`${ownerId}::bigint`, 'now()'))} from entries where user_id = ${ownerId}`.execute(
    db,
  )
  await sql`
    insert into products (user_id, category_id, title, description, condition, images, submitted_at, created_at, updated_at)
    select ${ownerId}, (select min(category_id) from categories), repeat('ö', 200), repeat('é "', 1600), 'good',
      (select jsonb_agg('https://images.example/' || repeat('x', 470)) from generate_series(1, 20)), now(), now(), now()
    from generate_series(1, 120)`.execute(db)
  await sql`
    update products set status = 'active' where user_id = ${ownerId} and status = 'draft'`.execute(db)
  await sql`
    insert into users (username, email, name, password_hash)
    select repeat('u', 50) || n, repeat('e', 200) || n || '@example.com', repeat('n', 100), '' from generate_series(1, 120) n`.execute(
    db,
  )
  await sql`
    insert into activity_gap_day (day, gap, n)
    select current_date - day, gap, 1000 + gap from generate_series(0, 3720) day,
      (select generate_series(1, 40) as gap union all select 9999) gaps
    on conflict do nothing`.execute(db)
  await sql`
    insert into metric_buckets (bucket, accounts_created, active_change, pushes_sent)
    select date_trunc('day', now()) - n * interval '6 hours', 1000, 10, 100000 from generate_series(0, 14880) n
    on conflict do nothing`.execute(db)
}
