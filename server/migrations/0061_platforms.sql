-- The latest results of a platform (ios, android, unknown) with a provider, in two halves, as the provider's own are counted.
-- The credentials of Apple and of Google are different ones, so one platform pauses alone. `people`: users of the present half
-- whose results were faults, up to ten: no act of one user pauses a platform.
create table provider_platforms (
  provider           text not null,
  platform           text not null,
  results            integer not null default 0,
  refused            integer not null default 0,
  mismatched         integer not null default 0,
  earlier_results    integer not null default 0,
  earlier_refused    integer not null default 0,
  earlier_mismatched integer not null default 0,
  people             bigint[] not null default '{}',
  paused_since       timestamptz,
  paused_code        text,
  primary key (provider, platform)
) with (fillfactor = 50);
