-- Whether the file of an export hides addresses and phone numbers; null: made by a version that hid nothing, or not yet made.
alter table exports add column masked boolean;

-- The second factor of administrators: a secret shared with their app, sealed under a key of the settings. It counts once it is
-- confirmed. No code of a step up to last_step is accepted again.
create table second_factors (
  user_id      bigint primary key references users on delete cascade,
  key_id       text not null,
  sealed       bytea not null,
  created_at   timestamptz not null,
  confirmed_at timestamptz,
  last_step    bigint
);

-- Codes that replace the app, each once; only their hashes.
create table recovery_codes (
  user_id   bigint not null references users on delete cascade,
  code_hash bytea not null,
  used_at   timestamptz,
  primary key (user_id, code_hash)
);

-- Sign-ins whose password was right and whose code is awaited. The token is stored as its hash. password_mark changes with the
-- password, so that a new password ends them.
create table pending_sign_ins (
  token_hash    bytea primary key,
  user_id       bigint not null references users on delete cascade,
  password_mark bytea not null,
  expires_at    timestamptz not null
);
create index pending_sign_ins_user on pending_sign_ins (user_id);
create index pending_sign_ins_expiry on pending_sign_ins (expires_at);

-- When a session was opened, or continued, with a second factor.
alter table sessions add column second_factor_at timestamptz;
