-- The subscription of a browser is longer than a phone's token.
-- contract: changes the type of a column: a longer varchar rewrites no row, and programs of the version before read it.
alter table mobile_devices alter column token type varchar(2048);
alter table mobile_devices drop constraint mobile_devices_platform_check;
-- Rows from before are right, and need no check.
alter table mobile_devices add constraint mobile_devices_platform_check
  check (platform in ('ios', 'android', 'web', 'unknown')) not valid;
-- Whether the provider accepted the token, and did not refuse it last; only kept for providers that ask for it.
alter table mobile_devices add column is_proven boolean not null default false;

-- What one process signed for all with the key of a provider, sealed. `name`: the kind, and a hash of the key.
create table provider_tokens (
  name      text primary key,
  sealed    bytea not null,
  signed_at timestamptz not null
);
