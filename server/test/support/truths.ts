import { checkChain } from './truths-of-history.ts'

/** Truths of generated data, each with a query that finds the rows that contradict it. */
export const TRUTHS: readonly [truth: string, contradictions: string][] = [
  [
    'the kept totals of users, products and listings are those of their rows',
    `select list, facets from (
       select list, facets, n from list_counts
       union all select 'users', user_facets(deleted_at, status, role, email_verified_at, is_test_user), -1 from users
       union all select 'products', product_facets(deleted_at, status, verification, condition, hidden_at), -1 from products
       union all select 'listings', listing_facets(is_listed, category_id), -1 from listings) c
     group by list, facets having sum(n) <> 0`,
  ],
  [
    'a listing follows its product, the revision that others see, and its likes',
    `select p.product_id from products p
     left join listings l using (product_id) left join kept_revisions k using (product_id)
     left join (select product_id, count(*)::int as n from likes group by 1) i using (product_id)
     where (l.user_id, l.category_id, l.city, l.condition, l.is_listed, l.like_count, l.words) is distinct from (
         p.user_id, coalesce(k.category_id, p.category_id), lower(btrim(p.city)), p.condition, is_on_market(p), coalesce(i.n, 0),
         listing_words(coalesce(k.title, p.title), coalesce(k.description, p.description)))
       or l.is_listed and l.listing_id is null`,
  ],
  [
    'a verified revision is kept only while a later one waits',
    `select product_id from kept_revisions k join products p using (product_id)
     where p.verification not in ('pending', 'changes_requested') or k.revision >= p.revision or p.rejected_at is not null`,
  ],
  [
    'whom a message passed over stands there with the reason, as often as it is counted',
    `select message_id from (
       select message_id, sum(skipped_no_device) as no_device, sum(skipped_opted_out) as opted_out, sum(skipped_inactive) as inactive
       from message_counts group by message_id) c
     cross join lateral (
       select count(*) filter (where reason = 'no_device') as no_device, count(*) filter (where reason = 'opted_out') as opted_out,
         count(*) filter (where reason = 'inactive') as inactive
       from skips cross join unnest(user_ids) where message_id = c.message_id) s
     where (c.no_device, c.opted_out, c.inactive) is distinct from (s.no_device, s.opted_out, s.inactive)`,
  ],
  [
    'a completed swap has both confirmations, and its products are swapped',
    `select s.swap_id from swaps s join swap_items using (swap_id) join products p using (product_id)
     where s.status = 'completed' and (requester_confirmed_at is null or owner_confirmed_at is null
       or completed_at <> greatest(requester_confirmed_at, owner_confirmed_at) or closed_at <> completed_at or p.status <> 'swapped')`,
  ],
  [
    'products are held by accepted, disputed and completed swaps alone, and by one of them',
    `select product_id from swap_items join swaps s using (swap_id)
     group by product_id having count(*) filter (where is_held) > 1
       or bool_or(is_held <> (s.status in ('accepted', 'disputed', 'completed')))`,
  ],
  [
    'a product is reserved or swapped when a swap holds it, and only then',
    `select product_id from products p left join swap_items i using (product_id) left join swaps s using (swap_id)
     group by product_id having p.status is distinct from
       coalesce(max(case s.status when 'completed' then 'swapped' else 'reserved' end) filter (where i.is_held),
         nullif(nullif(p.status, 'reserved'), 'swapped'))`,
  ],
  [
    'each side of a swap gives what is its own',
    `select swap_id from swaps s join swap_items i using (swap_id) join products p using (product_id)
     where p.user_id <> case side when 'offered' then requester_id else owner_id end or requester_id = owner_id`,
  ],
  [
    'the rounds of a swap say whose turn it is, what is proposed and until when',
    `select swap_id from swaps s left join swap_rounds r using (swap_id)
     group by s.swap_id having count(*) <> s.round or max(r.round) <> s.round or s.expires_at <> max(r.created_at) + interval '7 days'
       or s.turn <> case s.round % 2 when 1 then 'owner' else 'requester' end or min(r.created_at) <> s.created_at
       or s.status = 'countered' and s.turn <> 'requester' or s.status = 'pending' and s.turn <> 'owner'`,
  ],
  [
    'who asks for a product waits for an answer',
    `select swap_id from swaps s join swap_items i using (swap_id)
     where asked_by is distinct from case when side = 'requested' and s.status in ('pending', 'countered') then requester_id end`,
  ],
  [
    'no proposal waits beyond its seven days, and none of whom the account is gone',
    `select swap_id from swaps s join users u on u.user_id in (s.requester_id, s.owner_id)
     where s.status in ('pending', 'countered') and expires_at < $1
       or s.status in ('pending', 'countered', 'accepted', 'disputed') and (u.deleted_at is not null or u.status in ('suspended', 'banned'))`,
  ],
  [
    'the history of a swap begins with its proposal, goes on from state to state, and ends where it stands',
    checkChain('swap', 'swaps', 'swap_id', 'status'),
  ],
  [
    'only the two sides of a swap talk about it, after the proposal',
    `select m.swap_message_id from swap_messages m join swaps s using (swap_id)
     where sender_id not in (requester_id, owner_id) or m.created_at < s.created_at or read_at < m.created_at or m.created_at > $1`,
  ],
  [
    'what a side of a chat received and has unread is counted as its messages say',
    `select swap_id, user_id from (
       select swap_id, case sender_id when requester_id then owner_id else requester_id end as user_id, count(*) as n,
         count(*) filter (where read_at is null) as unread, coalesce(min(swap_message_id) filter (where read_at is null), 'infinity'::float8) as first
       from swap_messages join swaps using (swap_id) where requester_id is not null and owner_id is not null group by 1, 2) m
     full join chat_sides c using (swap_id, user_id) where (c.received, c.unread) is distinct from (m.n, m.unread) or c.read_up_to >= m.first`,
  ],
  [
    'a disputed swap has an open dispute, and how one was resolved is how its swap ended',
    `select swap_id from swaps s left join swap_disputes d using (swap_id)
     where (s.status = 'disputed') <> (d.swap_id is not null and d.resolved_at is null)
       or d.resolution is not null and (d.resolution, d.resolved_at) is distinct from (s.status, s.closed_at)`,
  ],
  [
    'nothing is older than what it belongs to, or in the future',
    `select 'product' from products p join users u using (user_id)
       where p.created_at < u.created_at or p.updated_at > $1 or verified_at < p.created_at or p.deleted_at < p.created_at
     union all select 'swap' from swaps s join swap_items i using (swap_id) join products p using (product_id)
       where s.created_at < p.verified_at or s.updated_at > $1 or s.created_at > s.updated_at
     union all select 'like' from likes l join products p using (product_id) join users u on u.user_id = l.user_id
       where l.created_at < p.created_at or l.created_at < u.created_at or l.created_at > $1 or p.user_id = l.user_id
     union all select 'report' from product_reports r join products p using (product_id) join users u on u.user_id = reporter_id
       where r.created_at < p.created_at or r.created_at < u.created_at or r.updated_at > $1 or r.resolved_at < r.created_at
         or p.user_id = reporter_id
     union all select 'subscription' from subscriptions s join users u using (user_id)
       where s.started_at < u.created_at or s.updated_at > $1 or s.updated_at < s.created_at
         or (s.status in ('active', 'trialing', 'cancelled')) <> (current_period_end > $1)
     union all select 'user' from users where role = 'user' and (created_at > $1 or updated_at > $1 or updated_at < created_at)`,
  ],
  [
    'products of people who are gone are hidden, and only those',
    `select product_id from products p join users u using (user_id)
     where (hidden_at is null) = (u.deleted_at is not null or u.status in ('suspended', 'banned'))`,
  ],
  [
    'who is deleted is purged after 30 days, and not overdue',
    `select user_id from users where (deleted_at is null) <> (purge_after is null) or purge_after < $1`,
  ],
  [
    'the first day of a user is the day of the account, and no day comes after their last',
    `select u.user_id from users u left join user_activity_day d using (user_id) where role = 'user'
     group by u.user_id having min(day) is distinct from (u.created_at at time zone 'UTC')::date
       or max(day) <> u.last_active_day or (u.last_active_at at time zone 'UTC')::date <> u.last_active_day or u.last_active_at > $1`,
  ],
  [
    'those who were deleted are counted by the day on which they were, and by their last active day',
    `select day, last_active_day from (
       select (deleted_at at time zone 'UTC')::date as day, last_active_day, 1 as n from users
         where deleted_at is not null and last_active_day is not null
       union all select day, last_active_day, -n from activity_exit_day) e
     group by 1, 2 having sum(n) <> 0`,
  ],
  [
    'every user stands where their history ends',
    `select user_id from users u left join lateral (
       select to_state from state_changes where entity = 'user' and entity_id = u.user_id order by state_change_id desc limit 1) c on true
     where role = 'user' and coalesce(to_state, 'active') <> case when deleted_at is null then status else 'deleted' end`,
  ],
  [
    'a gap is the distance to the active day before',
    `select user_id from (
       select user_id, gap, coalesce(day - lag(day) over (partition by user_id order by day), 9999) as distance from user_activity_day) d
     where gap <> distance`,
  ],
  [
    'the histogram counts the gaps of each day',
    `select day from (select day, gap, count(*) as n from user_activity_day group by day, gap) d
     full join activity_gap_day g using (day, gap) where d.n is distinct from g.n`,
  ],
  [
    'a swap of a match has one: each side liked what the other gives',
    `select s.swap_id from swaps s join swap_items i using (swap_id)
     left join matches m on m.first_user_id = least(requester_id, owner_id) and m.second_user_id = greatest(requester_id, owner_id)
     left join likes l on l.product_id = i.product_id and l.user_id = case side when 'offered' then owner_id else requester_id end
     where s.origin = 'match' and (m.created_at is null or l.created_at is null or l.created_at > s.created_at)`,
  ],
]
