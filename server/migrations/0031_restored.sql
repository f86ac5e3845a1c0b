-- When the database was restored from a backup in which the message was unfinished. Some of it may have been sent after that
-- backup, so its next pushes are possible duplicates (ADR 050). Processes of the version before do not read it.
alter table messages add column restored_at timestamptz;
