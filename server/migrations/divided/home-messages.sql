-- Messages stay on the coordinator, which alone changes them. This table has what the home of a person needs of one, written
-- with its batches (server/src/push/records/home-messages.queries.ts).
create table home_messages as
  select 0::smallint as home, message_id, type, origin, audience, lane, needs_opt_in, recipient_id, title, body, data, event, about,
    merge_key, is_chat, is_end, is_inbox_only, subject, created_at, started_at, completed_at, expires_at, restored_at
  from messages with no data;
alter table home_messages add primary key (home, message_id);
create index home_messages_recipient on home_messages (home, recipient_id, subject) where recipient_id is not null;
create index home_messages_merged on home_messages (home, recipient_id, merge_key, started_at) where merge_key is not null;
-- How far the people of each home have their batches, so that one whose server is away holds up no other.
alter table messages add home_cursors bigint[];
-- People whose home was away when a line of a chat to them was written or read: they are counted when it is back.
create table held_recounts (user_id bigint primary key references users on delete cascade);
-- Entries that are not in the audit log yet: those of committed transactions are appended by id (ADR 12).
create table audit_waiting (
  waiting_id bigint generated always as identity primary key,
  entry      text not null,
  key_id     text not null,
  mac        text not null
);
do $do$
declare
  plain text := pg_get_viewdef('notifications');
  divided text := replace(plain, 'JOIN messages m ON ((m.message_id = b.message_id))',
    'JOIN home_messages m ON (((m.home = b.home) AND (m.message_id = b.message_id)))');
begin
  if divided = plain then raise exception 'The view of notifications does not read messages as this file expects.'; end if;
  execute 'create or replace view notifications as ' || divided;
end $do$;
