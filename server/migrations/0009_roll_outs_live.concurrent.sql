-- Finds a phone by its fallback too. No two live phones have one token, in whichever column: that of a phone with two addresses
-- is here its fallback, and `mobile_devices_live_token` has the other.
create unique index concurrently if not exists mobile_devices_live_fallback on mobile_devices (coalesce(fallback_token, token))
  where removed_at is null;
