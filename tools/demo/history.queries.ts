import { sql } from 'kysely'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import type { Dataset } from './dataset.ts'
import { draw, pick, type Sql } from './random.queries.ts'
import { decidedAt, chooseModerator } from './products.queries.ts'

/**
 * The changes of state of everything but users and swaps, as the rows stand now; in the order in which they happened.
 */
export async function insertHistory(tx: Tx, dataset: Dataset): Promise<void> {
  await sql`
    insert into state_changes (entity, entity_id, user_id, from_state, to_state, actor, actor_id, note, at)
    select * from (
      ${availabilityHistory(dataset)}
      union all ${heldHistory()}
      union all ${verificationHistory(dataset)}
      union all ${reportsHistory()}
      union all ${subscriptionsHistory()}
      union all ${membersHistory()}
    ) c(entity, entity_id, user_id, from_state, to_state, actor, actor_id, note, at) order by at, entity,
      entity_id`.execute(tx)
}

/** The decisions of moderators about products, with their messages. */
export async function insertDecisions(tx: Tx, dataset: Dataset): Promise<void> {
  const k = toPosition(dataset)
  await sql`
    insert into moderation_actions (product_id, action, reason_code, user_message, internal_note, actor_id, revision,
      snapshot, created_at)
    select product_id, action,
      case when action in ('reject', 'request_changes')
        then ${pick('reason', k, ['unclear_photos', 'wrong_category', 'incomplete_description', 'duplicate'])} end,
      case action when 'request_changes' then 'Could you add a picture and say a little more about its condition?'
        when 'reject' then 'We cannot accept this listing as it is.' end,
      case when action = 'remove' then 'Reported, and rightly so.' end,
      ${chooseModerator(k, dataset.staff)}, revision,
      jsonb_build_object('title', title, 'description', description, 'category_id', category_id, 'images', images,
        'condition', condition,
        'wants', wants, 'city', city, 'estimated_value_cents', estimated_value_cents), at
    from (
      select p.*, case verification when 'verified' then 'verify' when 'rejected' then 'reject' else 'request_changes'
        end as action,
        ${decidedAt(k, sql`p.created_at`)} as at
      from products p where verification <> 'pending'
      union all select p.*, 'remove', updated_at from products p where status = 'removed') decided
    order by at, product_id`.execute(tx)
}

function toPosition({ after }: Dataset): Sql {
  return sql`(product_id - ${after.products}::bigint)`
}

function availabilityHistory(dataset: Dataset): Sql {
  return sql`
    select 'product', product_id, user_id, null, case status when 'draft' then 'draft' else 'active' end, 'user',
      user_id, null, created_at
    from products
    union all
    select 'product', product_id, user_id, 'active', status, case status when 'removed' then 'administrator' else 'user'
      end,
      case status when 'removed' then ${chooseModerator(toPosition(dataset), dataset.staff)} else user_id end, null,
        updated_at
    from products where status in ('paused', 'removed')
    union all
    select 'product', product_id, user_id, status, 'deleted', 'user', user_id, null, deleted_at
    from products where deleted_at is not null`
}

/** The changes of products by swaps: reserved, and then swapped or available again. */
function heldHistory(): Sql {
  return sql`
    select 'product', product_id, p.user_id, m.from_state, m.to_state,
      case when m.to_state <> 'reserved' and s.close_reason ~ 'by_one|^user_' then 'system' else 'user' end,
      case when m.to_state <> 'reserved' and s.close_reason ~ 'by_one|^user_' then null else s.requester_id end, m.note,
        m.at
    from swaps s join swap_items using (swap_id) join products p using (product_id)
    cross join lateral (values
      ('active', 'reserved', 'swap_accepted', s.accepted_at),
      ('reserved', case s.status when 'completed' then 'swapped' else 'active' end, 'swap_' || s.status, s.closed_at)
    ) m(from_state, to_state, note, at)
    where s.accepted_at is not null and m.at is not null`
}

function verificationHistory(dataset: Dataset): Sql {
  const k = toPosition(dataset)
  return sql`
    select 'verification', product_id, user_id, null, 'pending', 'user', user_id, null, submitted_at from products
    union all
    select 'verification', product_id, user_id, 'pending', verification, 'administrator',
      ${chooseModerator(k, dataset.staff)}, null,
      ${decidedAt(k, sql`created_at`)}
    from products where verification <> 'pending'`
}

function reportsHistory(): Sql {
  return sql`
    select 'report', report_id, reporter_id, m.from_state, m.to_state, m.actor,
      case m.actor when 'user' then reporter_id else assigned_to end,
      null, m.at
    from product_reports r cross join lateral (values
      (null, 'open', 'user', created_at),
      ('open', 'in_review', 'administrator', case status when 'open' then null when 'in_review' then updated_at
        else created_at + (resolved_at - created_at) / 2 end),
      ('in_review', status, 'administrator', resolved_at)
    ) m(from_state, to_state, actor, at)
    where m.at is not null`
}

function subscriptionsHistory(): Sql {
  return sql`
    select 'subscription', subscription_id, user_id, m.from_state, m.to_state, m.actor,
      case m.actor when 'user' then user_id end, null, m.at
    from subscriptions s cross join lateral (values
      (null, 'trialing', 'user', started_at),
      ('trialing', 'active', 'system', case when status <> 'trialing' then started_at + interval '14 days' end),
      ('active', 'past_due', 'system', case when status = 'past_due' then current_period_end end),
      ('active', 'cancelled', 'system', cancelled_at),
      ('cancelled', 'expired', 'system', ended_at)
    ) m(from_state, to_state, actor, at)
    where m.at is not null`
}

function membersHistory(): Sql {
  return sql`
    select 'group_member', group_id, user_id, m.from_state, m.to_state, 'user', m.actor_id, null, m.at
    from group_members g cross join lateral (values
      (null, case when g.role = 'owner' then 'approved' else 'pending' end, g.user_id, requested_at),
      ('pending', case when g.status in ('left', 'banned') then 'approved' else g.status end, g.decided_by,
        case when g.role <> 'owner'
          and g.status <> 'pending' then requested_at + (decided_at - requested_at) * ${draw('approved', sql`g.user_id`)} end),
      ('approved', g.status, g.decided_by, case when g.status in ('left', 'banned') then decided_at end)
    ) m(from_state, to_state, actor_id, at)
    where m.at is not null`
}
