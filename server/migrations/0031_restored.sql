-- When the database was restored from a backup in which the message was not over. What was sent of it since that backup
-- nobody knows, so its next pushes are possible duplicates (ADR 050). Processes of the version before do not read it.
alter table messages add column restored_at timestamptz;
