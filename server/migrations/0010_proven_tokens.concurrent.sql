-- Whether any token of a provider, or of a platform of it, was accepted: the guards ask it before they believe others.
create index concurrently if not exists mobile_devices_proven on mobile_devices (provider, platform)
  where is_proven and removed_at is null;
