-- contract: locks writes for as long as an index takes: of the devices that were removed, which are few.
-- Devices that were removed, by time, and who registered a token after another; rows of registered devices are in neither
-- index, so a launch of the app writes as much as before.
create index mobile_devices_removed on mobile_devices (removed_at, id) include (removed_reason, provider)
  where removed_at is not null;
create index mobile_devices_removed_token on mobile_devices (token) where removed_at is not null;
-- When an administrator restored the device. Later answers about earlier pushes do not remove it again.
alter table mobile_devices add column restored_at timestamptz;

-- The request that started a message, as a W3C traceparent, where tracing is on and chose it (ADR 049).
alter table messages add column trace_context text;
