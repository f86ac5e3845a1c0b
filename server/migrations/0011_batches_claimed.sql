-- Batches are claimed from their own rows, in the order of their message and of when they are due (ADR 023). Processes of
-- the version before go on: to them a batch that was claimed here looks done, and one without a job looks lost.
alter table batches add column failures smallint not null default 0;
drop index batches_open;
create index batches_open on batches (message_id, due_at, batch_id) where status in ('queued', 'submitting', 'waiting');
