-- The first migration of an empty database of a Citus ends with this, in its transaction (ADR 2). HOMES is a number.
set local citus.multi_shard_modify_mode = 'sequential';
select create_distributed_table('batches', 'home', colocate_with => 'none', shard_count => HOMES);
select create_distributed_table(attrelid, 'home', colocate_with => 'batches')
  from pg_attribute join pg_class c on c.oid = attrelid
  where attname = 'home' and relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'batches';
update division set homes = HOMES;

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
    'messages', 'mobile_devices', 'chat_sides', 'idempotency_keys', 'alerts', 'badge_nodes', 'push_preferences',
    'roll_outs', 'held_recounts', 'lettings_go'] loop
    execute format('create trigger %s_in_two_phases after insert or update or delete on %s
      for each statement execute function commit_in_two_phases()', name, name);
  end loop;
end $do$;
