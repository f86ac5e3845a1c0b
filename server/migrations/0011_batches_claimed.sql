-- Batches are claimed from their own rows, in the order of their message and due time (ADR 023). Processes of the version
-- before can run beside this: they skip a batch that was claimed here, and make a job for one without a job.
alter table batches add column failures smallint not null default 0;
drop index batches_open;
create index batches_open on batches (message_id, due_at, batch_id) where status in ('queued', 'submitting', 'waiting');
