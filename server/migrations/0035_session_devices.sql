-- How a person recognises a session (ADR 052): the kind of device, the network (IPv4 /24, IPv6 /48) from which it was
-- opened, and when it was last used, to a quarter of an hour.
alter table sessions
  add column device       text,
  add column network      text,
  add column last_seen_at timestamptz;
