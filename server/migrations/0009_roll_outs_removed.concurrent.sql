-- Who registered a fallback after another, as `mobile_devices_removed_token` finds tokens.
create index concurrently if not exists mobile_devices_removed_fallback on mobile_devices (fallback_token)
  where removed_at is not null and fallback_token is not null;
