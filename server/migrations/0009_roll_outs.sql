-- The address by which a phone was reached before it gave that of Apple or Google: its way back (ADR 26). Both are null for a
-- phone with one address.
alter table mobile_devices add column fallback_token varchar(2048);
alter table mobile_devices add column fallback_provider text;
-- Rows from before have neither, and need no check.
alter table mobile_devices add constraint mobile_devices_fallback_check
  check ((fallback_token is null) = (fallback_provider is null)) not valid;
-- The provider that called it gone, where that is not the one of its token.
alter table mobile_devices add column gone_by text;

-- Which share of the phones with two addresses is reached by `provider`, in percent; the others by their fallback. No row: none.
-- `earlier_*`: what became of pushes by the fallback before the share was changed last, for when nobody is reached by it.
create table roll_outs (
  provider         text primary key,
  share            smallint not null check (share in (0, 1, 10, 50, 100)),
  changed_at       timestamptz not null,
  changed_by       bigint references users on delete set null,
  -- When it ended by itself because too many phones were gone; null: it did not since it was changed last.
  returned_at      timestamptz,
  earlier_accepted bigint not null default 0,
  earlier_gone     bigint not null default 0
);

-- What became of copies for phones with two addresses, by the provider to which they went and the other one, since the share was
-- changed last: changed in the transaction that counts them for their message (ADR 7).
create table way_counts (
  home     smallint not null default 0,
  provider text not null,
  other    text not null,
  slot     smallint not null,
  accepted bigint not null default 0,
  refused  bigint not null default 0,
  gone     bigint not null default 0,
  opened   bigint not null default 0,
  primary key (home, provider, other, slot)
) with (fillfactor = 30);

-- The same view, with the way of each copy as its last column: provider, platform, and the provider of the other address, if any.
create or replace view notifications as
  select b.home, c.notification_id, b.message_id, m.created_at as message_at, b.batch_id, c.user_id, c.mobile_devices_id,
    b.created_at, greatest(c.updated_at, o.opened_at, d.shown_at, d.dismissed_at) as updated_at, c.sent_at, c.settled_at,
    o.opened_at, d.shown_at, d.dismissed_at, null::timestamptz as deleted_at, c.attempts, c.possible_duplicates, c.is_send,
    c.is_delivered, o.opened_at is not null as is_open, c.ticket_id, c.error_message, c.provider, c.way
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
      split_part(b.words[get_byte(b.facts, n + place - 1)], ' ', 1) as provider,
      b.words[get_byte(b.facts, n + place - 1)] as way
    from (select cardinality(b.device_ids) as n) counted cross join generate_series(1, n) place) c
  left join reactions o on o.home = b.home and o.user_id = c.user_id and o.message_id = b.message_id and o.device_id = 0
  left join reactions d on d.home = b.home and d.user_id = c.user_id and d.message_id = b.message_id
    and d.device_id = c.mobile_devices_id
  where c.user_id <> 0;
