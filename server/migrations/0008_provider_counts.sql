-- What became of the copies of a message, by the provider to which they went: kept beside `message_counts`, in the same slots,
-- and changed in the same transaction (ADR 7). A message to one person has none, because its copies are counted when it is read.
create table provider_counts (
  home       smallint not null default 0,
  message_id bigint not null,
  slot       smallint not null,
  provider   text not null,
  accepted   integer not null default 0,
  delivered  integer not null default 0,
  failed     integer not null default 0,
  gone       integer not null default 0,
  opened     integer not null default 0,
  primary key (home, message_id, slot, provider)
) with (fillfactor = 30);

-- The same view, with the provider of each copy as its last column.
create or replace view notifications as
  select b.home, c.notification_id, b.message_id, m.created_at as message_at, b.batch_id, c.user_id, c.mobile_devices_id,
    b.created_at, greatest(c.updated_at, o.opened_at, d.shown_at, d.dismissed_at) as updated_at, c.sent_at, c.settled_at,
    o.opened_at, d.shown_at, d.dismissed_at, null::timestamptz as deleted_at, c.attempts, c.possible_duplicates, c.is_send,
    c.is_delivered, o.opened_at is not null as is_open, c.ticket_id, c.error_message, c.provider
  from batches b
  join messages m on m.message_id = b.message_id
  cross join lateral (
    select b.batch_id * 1024 + place as notification_id, b.user_ids[1 + get_byte(b.facts, place - 1)] as user_id,
      b.device_ids[place] as mobile_devices_id, b.moments[get_byte(b.facts, 10 * n + place - 1)] as updated_at,
      b.moments[get_byte(b.facts, 8 * n + place - 1)] as sent_at,
      b.moments[get_byte(b.facts, 9 * n + place - 1)] as settled_at,
      get_byte(b.facts, 4 * n + place - 1)::smallint as attempts,
      get_byte(b.facts, 7 * n + place - 1)::smallint as possible_duplicates,
      get_byte(b.facts, 2 * n + place - 1) in (3, 4, 5) as is_send,
      case get_byte(b.facts, 2 * n + place - 1) when 3 then null when 4 then true else false end as is_delivered,
      coalesce(nullif(b.long_tickets[place], ''), nullif(b.tickets[place], '00000000-0000-0000-0000-000000000000')::text)
        as ticket_id,
      b.words[nullif(get_byte(b.facts, 3 * n + place - 1), 0)] as error_message,
      split_part(b.words[get_byte(b.facts, n + place - 1)], ' ', 1) as provider
    from (select cardinality(b.device_ids) as n) counted cross join generate_series(1, n) place) c
  left join reactions o on o.home = b.home and o.user_id = c.user_id and o.message_id = b.message_id and o.device_id = 0
  left join reactions d on d.home = b.home and d.user_id = c.user_id and d.message_id = b.message_id
    and d.device_id = c.mobile_devices_id
  where c.user_id <> 0;
