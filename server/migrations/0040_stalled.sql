-- Background work stores when it last made progress, and how often it was begun (ADR 060). `progress_at` null: it was not begun,
-- or a process of the version before began it.
alter table exports add column progress_at timestamptz, add column attempts integer not null default 0;
alter table bulk_changes add column progress_at timestamptz, add column attempts integer not null default 0;
