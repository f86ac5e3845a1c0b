-- Who halted a provider by hand, and why (ADR 048). The moment is breaker_since. Null: no halt by hand, or one by an
-- operator's command, which has a reason and no account. Processes of the version before leave both as they are.
alter table provider_state add column halted_by bigint references users on delete set null;
alter table provider_state add column halt_reason text;
