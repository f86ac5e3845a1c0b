-- Passkeys of administrators: public keys alone (ADR 062). sign_count is the last number that the authenticator counted; 0: it counts none.
create table passkeys (
  passkey_id    bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  credential_id bytea not null unique,
  public_key    bytea not null,
  sign_count    bigint not null,
  transports    text[] not null,
  name          text not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What the browser of a signed-in account must sign next, as its hash: to add a passkey, or to show one again.
create table passkey_challenges (
  user_id        bigint not null references users on delete cascade,
  purpose        text not null check (purpose in ('add', 'prove')),
  challenge_hash bytea not null,
  expires_at     timestamptz not null,
  primary key (user_id, purpose)
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);

-- The hash of the challenge that a passkey must sign to continue the sign-in; null: there is none, or it was used.
alter table pending_sign_ins add column challenge_hash bytea;
