-- How long the oldest mark waits shows whether badges are counted. A constant default rewrites nothing.
alter table badge_marks add column marked_at timestamptz not null default now();
