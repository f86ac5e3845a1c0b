-- What runs in the background says when it last came further, and how often it was begun (ADR 060). `progress_at` null: it was not
-- begun, or by a process of the version before.
alter table exports add column progress_at timestamptz, add column attempts integer not null default 0;
alter table bulk_changes add column progress_at timestamptz, add column attempts integer not null default 0;
