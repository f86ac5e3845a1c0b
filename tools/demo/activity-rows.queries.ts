import { sql } from 'kysely'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import type { Dataset, Range } from './dataset.ts'
import { draw, hours, pick, pickIndex, spread } from './random.queries.ts'

/** What the sides of the swaps of a range wrote, in turn, from the proposal to the end or until now. */
export async function insertChats(
  tx: Tx,
  { year, chats, after, words }: Dataset,
  { first, last }: Range,
): Promise<void> {
  const key = sql`swap_id * 64 + i`
  const swap = sql`swap_id`
  await sql`
    with said as (
    insert into swap_messages (swap_id, sender_id, body, read_at, created_at)
    select swap_id, case (i + swapped_turn) % 2 when 0 then requester_id else owner_id end,
      case when i = 1 then ${pick('opening', key, words.openings)}
        when i = written and completed_at is not null then ${pick('closing', key, words.closings)}
        when i > written / 2 and accepted_at is not null then ${pick('arrangement', key, words.arrangements)}
        else ${pick('reply', key, words.replies)} end,
      case when at + reading < ${year.now} then at + reading end, at
    from (
      select *, (${draw('turn', key)} < 0.15)::int * (i > 1)::int + 1 as swapped_turn,
        created_at + (ended_at - created_at) * ((i - ${draw('moment', key)}) / written) as at,
          ${hours(spread('reading', key, 3))} as reading
      from (
        select *, least(1 + floor(${spread('chats', swap, chats)})::int, 40) as written,
          least(coalesce(completed_at + interval '1 day', closed_at, accepted_at + interval '5 days',
            created_at + interval '3 days'),
            ${year.now}) as ended_at
        from swaps where swap_id between ${after.swaps}::bigint + ${first}::bigint
          and ${after.swaps}::bigint + ${last}::bigint
          and ${draw('talks', swap)} < 0.85 offset 0) swaps
      cross join lateral generate_series(1, written) i offset 0) written
    order by swap_id, i
    returning swap_id, sender_id, read_at, swap_message_id)
    insert into chat_sides (swap_id, user_id, received, unread, read_up_to)
    select m.swap_id, case m.sender_id when s.requester_id then s.owner_id else s.requester_id end, count(*),
      count(*) filter (where m.read_at is null),
      coalesce(min(m.swap_message_id) filter (where m.read_at is null) - 1, max(m.swap_message_id))
    from said m join swaps s using (swap_id) group by 1, 2`.execute(tx)
}

/** The likes of the people of a range, among the products listed while they had an account. */
export async function insertLikes(
  tx: Tx,
  { year, likes, products, after }: Dataset,
  { first, last }: Range,
): Promise<void> {
  const key = sql`u.user_id * 1024 + i`
  const until = sql`case when u.status <> 'active'
    or u.deleted_at is not null then u.updated_at else ${year.now}::timestamptz end`
  await sql`
    insert into likes (user_id, product_id, created_at)
    select user_id, product_id, min(at) from (
      select u.user_id, p.product_id,
        greatest(u.created_at, p.created_at)
          + (${until} - greatest(u.created_at, p.created_at)) * ${draw('liked at', key)} as at
      from users u
      cross join lateral generate_series(1,
        least(floor(power(-ln(1 - ${draw('likes', sql`u.user_id`)}), 1.5) * ${likes}::float8), 1000)::int) i
      join likable p on p.product_id = ${after.products}::bigint + 1 + floor(${draw('liked', key)} * ${products}::float8)::bigint
      where u.user_id between ${after.users}::bigint + ${first}::bigint and ${after.users}::bigint + ${last}::bigint
        and p.user_id <> u.user_id and ${until} > greatest(u.created_at, p.created_at)) liked
    group by user_id, product_id order by user_id, product_id
    on conflict do nothing`.execute(tx)
}

/** Reports of products of a range: all that were taken down, and some others. The last ones are open. */
export async function insertReports(
  tx: Tx,
  { year, users, staff, after, words }: Dataset,
  { first, last }: Range,
): Promise<void> {
  const k = sql`p.product_id`
  const key = sql`product_id * 4 + i`
  const now = sql`${year.now}::timestamptz`
  const reasons = ['prohibited_item', 'scam', 'misleading', 'offensive', 'counterfeit', 'duplicate', 'unsafe', 'other']
  await sql`
    insert into product_reports (product_id, reporter_id, reason, details, status, assigned_to, resolution,
      resolution_note, resolved_by, resolved_at,
      version, created_at, updated_at)
    select product_id, u.user_id, ${pick('reason', key, reasons)},
      case when ${draw('has details', key)} < 0.7 then ${pick('details', key, words.reportDetails)} end, r.status,
      case when r.status <> 'open' then moderator end, case when r.status = 'actioned' then 'removed' end,
      case r.status when 'actioned' then 'The listing was taken down.' when 'dismissed'
        then 'Nothing against the rules.' end,
      case when r.status in ('actioned', 'dismissed') then moderator end,
        case when r.status in ('actioned', 'dismissed') then resolved_at end,
      case r.status when 'open' then 1 when 'in_review' then 2 else 3 end, reported_at,
      case when r.status in ('actioned', 'dismissed') then resolved_at when r.status = 'in_review'
        then (reported_at + (${now} - reported_at) / 2) else reported_at end
    from (
      select *, case when was_removed then 'actioned' when resolved_at < ${now} then 'dismissed'
        when ${draw('assigned', key)} < 0.4 then 'in_review' else 'open' end as status
      from (
        select product_id, i, p.status = 'removed' as was_removed, reported_at,
          case when p.status = 'removed' then p.updated_at
            else reported_at + ${hours(sql`1 + ${spread('resolves', key, 110)}`)} end as resolved_at,
          (${staff}::bigint[])[${pickIndex('moderator', key, staff.length)}] as moderator,
          ${after.users}::bigint + 1 + floor(${draw('reporter', key)} * ${users}::float8)::bigint as reporter,
            p.user_id as owner_id
        from products p
        cross join generate_series(0, 3) i
        cross join lateral (select p.verified_at + (case when p.status = 'removed' then p.updated_at
          else ${now} end - p.verified_at)
          * ${draw('reported', sql`product_id * 4 + i`)} as reported_at) reported
        where p.product_id between ${after.products}::bigint + ${first}::bigint
          and ${after.products}::bigint + ${last}::bigint
          and p.verified_at is not null and p.deleted_at is null
          and (p.status = 'removed' and i <= ${draw('reports', k)} * 3 or p.status <> 'removed'
            and ${draw('reports', k)} < 0.012 / (1 + i)) offset 0) told
      offset 0
      ) r
    join users u on u.user_id = reporter and u.created_at < reported_at and u.user_id <> owner_id
      and (u.status = 'active' and u.deleted_at is null or reported_at < u.updated_at)
    on conflict do nothing`.execute(tx)
}

/** Makes the plans that are missing and gives their ids. */
export async function insertPlans(tx: Tx): Promise<number[]> {
  await sql`
    insert into plans (code, name, price_cents, currency, period) values
      ('plus-month', 'Plus, by the month', 399, 'EUR', 'month'), ('plus-year', 'Plus, by the year', 3900, 'EUR',
        'year'),
      ('plus-month-chf', 'Plus, by the month (Switzerland)', 450, 'CHF', 'month')
    on conflict (code) do nothing`.execute(tx)
  const plans = await tx.selectFrom('plans').select('plan_id').orderBy('plan_id').execute()
  return plans.map(({ plan_id }) => plan_id)
}

/** One in twenty-five takes a plan: two weeks of trial, and then most stay. */
export async function insertSubscriptions(
  tx: Tx,
  { year, plans, after }: Dataset,
  { first, last }: Range,
): Promise<void> {
  const id = sql`user_id`
  const now = sql`${year.now}::timestamptz`
  const fate = draw('subscription', id)
  await sql`
    insert into subscriptions (user_id, plan_id, status, provider, external_id, current_period_end, started_at,
      cancelled_at, ended_at,
      version, created_at, updated_at)
    select user_id, plan_id, status,
      ${pick('store', id, ['app_store', 'app_store', 'play_store', 'play_store', 'stripe', 'manual'])},
      'subscription-' || user_id, period_end, started_at,
      case when status = 'cancelled' then greatest(started_at,
        ${now} - interval '1 hour' * (1 + 200 * ${draw('cancelled', id)}))
        when status = 'expired' then started_at + (period_end - started_at) * 0.8 end,
      case when status = 'expired' then period_end end,
      case status when 'trialing' then 1 when 'active' then 2 when 'expired' then 4 else 3 end, started_at,
      case status when 'trialing' then started_at when 'expired' then period_end when 'past_due' then period_end
        when 'cancelled' then greatest(started_at, ${now} - interval '1 hour' * (1 + 200 * ${draw('cancelled', id)}))
        else greatest(started_at + interval '14 days', period_end - interval '30 days') end
    from (
      select *, case status
          when 'trialing' then started_at + interval '14 days'
          when 'past_due' then ${now} - interval '1 hour' * (1 + 100 * ${draw('due', id)})
          when 'expired' then started_at + interval '44 days' + (${now} - started_at - interval '44 days') * ${draw('ended', id)}
          else ${now} + interval '1 hour' * (1 + 700 * ${draw('period', id)}) end as period_end
      from (
        select *, case when started_at > ${now} - interval '14 days' then 'trialing'
          when started_at > ${now} - interval '50 days' then 'active'
          when ${fate} < 0.58 then 'active' when ${fate} < 0.62 then 'past_due' when ${fate} < 0.7 then 'cancelled'
            else 'expired' end as status
        from (
          select user_id, created_at + (${now} - created_at) * ${draw('subscribes at', id)} as started_at,
            (${plans}::bigint[])[${pickIndex('plan', id, plans.length)}] as plan_id
          from users
          where user_id between ${after.users}::bigint + ${first}::bigint and ${after.users}::bigint + ${last}::bigint
            and ${draw('subscribes', id)} < 0.04 and status = 'active'
              and deleted_at is null offset 0) takers offset 0) running offset 0) periods
    order by user_id`.execute(tx)
}
