-- The call that wrote a message: only a test send can repeat a test send. Older messages have none. The constraint is not
-- checked for existing rows, which hold null.
alter table messages add column origin text;
alter table messages add constraint messages_origin
  check (origin in ('bulk', 'named', 'test', 'group_join', 'automatic')) not valid;
create index messages_tests on messages (sender_id, created_at) where origin = 'test';

-- Used links that work once, until they expire.
create table used_links (
  link_id    uuid primary key,
  expires_at timestamptz not null
);
create index used_links_expiry on used_links (expires_at);

-- Who got nothing of a message, and why (decision B8), written with the counters. A row holds those of 64 neighbouring ids
-- (`block` is the id divided by 64): a bulk send leaves a sixth of the rows that it would with one a user, and the skips of
-- one user are still found by index. A bulk send that is stopped has no rows for those it did not reach; they follow from its
-- audience. No foreign keys, as for notifications (ADR 004); ids leave with their users by the trigger.
create table skips (
  block      bigint not null,
  message_id bigint not null,
  reason     text not null check (reason in ('no_device', 'opted_out', 'inactive', 'deleted', 'too_big', 'stopped')),
  user_ids   bigint[] not null,
  created_at timestamptz not null
);
create index skips_block on skips (block, message_id);

create function forget_skips_of_users() returns trigger language plpgsql as $$
declare
  people bigint[] := array(select user_id from gone);
begin
  update skips set user_ids = array(select user_id from unnest(user_ids) user_id where user_id <> all(people) order by user_id)
    where block = any(array(select distinct user_id / 64 from gone)) and user_ids && people;
  delete from skips where block = any(array(select distinct user_id / 64 from gone)) and user_ids = '{}';
  return null;
end $$;
create trigger users_take_their_skips after delete on users
  referencing old table as gone for each statement execute function forget_skips_of_users();

-- The list of campaigns: newest first, and searched in title and text.
create index if not exists messages_newest_campaigns on messages (created_at, message_id) where type = 'promotional';
create index messages_campaign_words on messages using gin (title gin_trgm_ops, body gin_trgm_ops)
  where type = 'promotional';
-- Bulk sends are few; those that were stopped are looked for by user.
create index messages_bulk_stopped on messages (created_at) where audience <> 'users' and status = 'stopped';
