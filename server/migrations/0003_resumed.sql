-- When an administrator last resumed sending. Answers to pushes that left before it halt nothing again.
alter table provider_state add column resumed_at timestamptz not null default 'epoch';
