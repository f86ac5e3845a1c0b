-- Who made an account, or gave it a password, an address, a role or its activity back. For a week neither of the two approves a
-- request of the other, because they may be one person.
create table account_powers (
  actor_id   bigint not null references users on delete cascade,
  subject_id bigint not null references users on delete cascade,
  used_at    timestamptz not null,
  primary key (actor_id, subject_id)
);
create index account_powers_subject on account_powers (subject_id);
