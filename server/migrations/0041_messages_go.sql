-- Transactional messages are deleted a year after their notifications and batches (ADR 061). For each, this key would read all batches,
-- because only open ones are indexed by message. Batches are never older than their message, and are deleted long before it.
alter table batches drop constraint batches_message_id_fkey;
