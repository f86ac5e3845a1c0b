-- What the app knows of a person beside the account: in which language and time zone pushes reach them.
alter table users
  add column language  text not null default 'en',
  add column time_zone text not null default 'UTC';

-- Who does not want to meet whom. A block works both ways: neither sees, writes to, or is told of the other.
create table user_blocks (
  blocker_id bigint not null references users on delete cascade,
  blocked_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index user_blocks_blocked on user_blocks (blocked_id, blocker_id);
