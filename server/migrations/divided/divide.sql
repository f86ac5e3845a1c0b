-- The first migration of an empty database of a Citus ends with this, in its transaction (ADR 2). HOMES is a number.
set local citus.multi_shard_modify_mode = 'sequential';
select create_distributed_table('batches', 'home', colocate_with => 'none', shard_count => HOMES);
select create_distributed_table(attrelid, 'home', colocate_with => 'batches')
  from pg_attribute join pg_class c on c.oid = attrelid
  where attname = 'home' and relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'batches';
update division set homes = HOMES;

-- A table that is everywhere can have no such keys to one of the coordinator: a trigger does what they did.
alter table messages drop constraint messages_sender_id_fkey, drop constraint messages_recipient_id_fkey;
select create_reference_table('messages');
-- What they were before stays on the disk of the coordinator, where no purge finds it.
select truncate_local_data_after_distributing_table('messages');
create function leave_messages() returns trigger language plpgsql as $$
declare
  people bigint[] := array(select user_id from gone);
begin
  update messages set sender_id = null where sender_id = any(people);
  update messages set recipient_id = null where recipient_id = any(people);
  return null;
end $$;
create trigger users_leave_messages after delete on users
  referencing old table as gone for each statement execute function leave_messages();

-- What Citus knows makes it commit in two phases, also when no row of it is written: this table stays empty.
create table two_phases (only_row boolean primary key);
select citus_add_local_table_to_metadata('two_phases');
create function commit_in_two_phases() returns trigger language plpgsql as $$ begin
  delete from two_phases;
  return null;
end $$;
-- They are written in one transaction with rows of a home, and stay on the coordinator. Citus knows nothing of them,
-- so it would commit the server of that home first, and a crash would leave half (server/test/two-phases.test.ts).
do $do$ declare name text; begin
  foreach name in array array[
    'mobile_devices', 'chat_sides', 'idempotency_keys', 'alerts', 'badge_nodes', 'push_preferences', 'roll_outs'] loop
    execute format('create trigger %s_in_two_phases after insert or update or delete on %s
      for each statement execute function commit_in_two_phases()', name, name);
  end loop;
end $do$;
