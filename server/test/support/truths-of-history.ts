/** Truths of a marketplace whose every change is in the history. */
export const HISTORY_TRUTHS: readonly [truth: string, contradictions: string][] = [
  [
    'the history of a product goes on from state to state and ends where it stands',
    checkChain('product', 'products', 'product_id', `case when deleted_at is null then status else 'deleted' end`),
  ],
  [
    'the history of a verification goes on from state to state and ends where it stands',
    checkChain('verification', 'products', 'product_id', 'verification'),
  ],
  [
    'the history of a report goes on from state to state and ends where it stands',
    checkChain('report', 'product_reports', 'report_id', 'status'),
  ],
  [
    'the history of a subscription goes on from state to state and ends where it stands',
    checkChain('subscription', 'subscriptions', 'subscription_id', 'status'),
  ],
  [
    'the history of a member goes on from state to state and ends where it stands',
    checkChain('group_member', 'group_members', 'group_id', 'status', 'and c.user_id = r.user_id'),
  ],
  [
    'every verdict of a moderator is among the decisions, with its moment',
    `select product_id from products p left join moderation_actions m using (product_id)
     group by product_id having count(*) filter (where action <> 'remove') <> (verification <> 'pending')::int
       or count(*) filter (where action = 'remove') <> (status = 'removed')::int
       or max(m.created_at) filter (where action = 'verify') is distinct from verified_at`,
  ],
  [
    'the counts of a campaign are those of its copies, and everybody selected was notified or skipped',
    `select message_id from messages left join message_counts c using (message_id) left join notifications n using (message_id)
     group by message_id, c.slot, c.selected, c.notifications having coalesce(c.notifications, -1) <> count(notification_id)
       or min(c.sent) <> count(*) filter (where is_send) or min(c.delivered) <> count(*) filter (where is_delivered)
       or min(c.opened) <> count(*) filter (where is_open) or min(c.failed) <> count(*) filter (where not is_delivered)
       or c.selected <> min(c.skipped_no_device + c.skipped_opted_out + c.skipped_inactive) + count(distinct user_id)`,
  ],
  [
    'the counts of a campaign by provider are those of its copies',
    `select message_id from provider_counts c full join (
       select message_id, provider, count(*) filter (where is_send) as accepted, count(*) filter (where is_delivered) as delivered,
         count(*) filter (where not is_delivered) as failed, count(*) filter (where is_open) as opened
       from notifications n join messages using (message_id) where recipient_id is null group by 1, 2) n using (message_id, provider)
     where (c.accepted, c.delivered, c.failed, c.opened) is distinct from (n.accepted, n.delivered, n.failed, n.opened)`,
  ],
  [
    'nobody gets a copy before they came, after they left, or on a phone that was gone',
    `select notification_id from notifications n join users u using (user_id) join mobile_devices d on d.id = n.mobile_devices_id
     where n.created_at < u.created_at or n.created_at > u.deleted_at or u.status <> 'active' and n.created_at > u.updated_at
       or n.created_at > d.removed_at or opened_at > $1 or opened_at < settled_at`,
  ],
  [
    'the pushes of each quarter of an hour are those of its copies',
    `select bucket from push_counts p full join (
       select date_bin('15 minutes', at, 'epoch') as bucket, sum(s) as sent, sum(d) as delivered, sum(o) as opened
       from (select sent_at as at, 1 as s, 0 as d, 0 as o from notifications where is_send
         union all select settled_at, 0, 1, 0 from notifications where is_delivered
         union all select opened_at, 0, 0, 1 from notifications where is_open) e group by 1) n using (bucket)
     where (p.sent, p.delivered, p.opened) is distinct from (n.sent, n.delivered, n.opened)`,
  ],
  [
    'the insights have counted all of it',
    `select name from (values
       ('accounts', (select sum(accounts_created) from metric_buckets), (select count(*) from users)),
       ('products', (select sum(products_listed) from metric_buckets), (select count(*) from products)),
       ('requests', (select sum(swaps_requested) from metric_buckets), (select count(*) from swaps)),
       ('accepted', (select sum(swaps_accepted) from metric_buckets), (select count(accepted_at) from swaps)),
       ('completed', (select sum(swaps_completed) from metric_buckets), (select count(completed_at) from swaps)),
       ('said', (select sum(messages_sent) from metric_buckets), (select count(*) from swap_messages)),
       ('pushes', (select sum(pushes_opened) from metric_buckets), (select count(opened_at) from notifications)),
       ('active', (select sum(active_change) from metric_buckets),
         (select count(*) from users where status = 'active' and deleted_at is null))
     ) t(name, counted, rows) where counted is distinct from rows`,
  ],
  [
    'a group has one owner, who is a member, and who asks is not decided about',
    `select group_id from groups g join group_members m using (group_id)
     group by group_id having count(*) filter (where role = 'owner' and m.status = 'approved' and m.user_id = g.owner_id) <> 1
       or bool_or((m.status = 'pending') <> (decided_at is null)) or max(coalesce(decided_at, requested_at)) > $1`,
  ],
  [
    'a swap in a group is between its members',
    `select swap_id from swaps s where group_id is not null and 2 <> (
       select count(*) from group_members m where m.group_id = s.group_id and user_id in (requester_id, owner_id) and status = 'approved')`,
  ],
]

/** Records whose history has a gap, runs backwards in time, or does not end in their state. */
export function checkChain(entity: string, table: string, key: string, state: string, more = ''): string {
  return `
    select r.${key} from ${table} r left join lateral (
      select bool_and(from_state is not distinct from before and at >= coalesce(earlier, at) and at <= $1) as is_whole,
        (array_agg(to_state order by state_change_id desc))[1] as last
      from (
        select c.*, lag(to_state) over (order by state_change_id) as before, lag(at) over (order by state_change_id) as earlier
        from state_changes c where c.entity = '${entity}' and c.entity_id = r.${key} ${more}) c) h on true
    where h.is_whole is not true or h.last is distinct from ${state}`
}
