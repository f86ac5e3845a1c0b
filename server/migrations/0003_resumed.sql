-- When an administrator last resumed sending: what left before says nothing about the time since.
alter table provider_state add column resumed_at timestamptz not null default 'epoch';
