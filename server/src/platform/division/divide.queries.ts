import type { Pool, PoolClient } from 'pg'

/**
 * They are written in one transaction with rows of a home, and stay on the coordinator. Citus knows nothing of them, so it would commit
 * the server of that home first, and a crash would leave half (`two-phases.test.ts` finds them).
 */
export const BESIDE_HOMES = [
  'mobile_devices',
  'chat_sides',
  'idempotency_keys',
  'alerts',
  'badge_nodes',
  'push_preferences',
  'roll_outs',
]

export const NOT_DIVIDED =
  'The database has the extension citus and is not divided: only an empty one is, when it is made (docs/divided.md).'

const HOMES = 32
const HOW = 'See docs/divided.md.'

export async function hasCitus(on: Pool | PoolClient): Promise<boolean> {
  return ((await on.query(`select from pg_extension where extname = 'citus'`)).rowCount ?? 0) > 0
}

/** An empty database of a Citus is divided when it is made. Throws when its servers are not ready for that. */
export async function isToBeDivided(client: PoolClient): Promise<boolean> {
  if (!(await hasCitus(client))) return false
  const { rows: nodes } = await client.query<{ isCoordinator: boolean; holders: number }>(`
    select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      count(*) filter (where shouldhaveshards)::int as holders from pg_dist_node`)
  if (nodes[0]?.isCoordinator !== true)
    throw new Error(`This is a worker of a Citus: name its coordinator in DATABASE_URL. ${HOW}`)
  if (nodes[0].holders === 0)
    throw new Error(`The extension citus knows no workers: add them before the first migration, or drop it. ${HOW}`)
  return true
}

/** In the transaction that makes the tables, so that there is never one half divided. */
export async function divide(client: PoolClient, homes = HOMES): Promise<void> {
  await client.query(`
    set local citus.multi_shard_modify_mode = 'sequential';
    select create_distributed_table('batches', 'home', colocate_with => 'none', shard_count => ${homes});
    select create_distributed_table(attrelid, 'home', colocate_with => 'batches')
      from pg_attribute join pg_class c on c.oid = attrelid
      where attname = 'home' and relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'batches';
    update division set homes = ${homes}`)
  await client.query(MESSAGES_EVERYWHERE)
  await client.query(TWO_PHASES)
}

// A table that is everywhere can have no such key to one of the coordinator: a trigger does what the keys did.
const MESSAGES_EVERYWHERE = `
  alter table messages drop constraint messages_sender_id_fkey, drop constraint messages_recipient_id_fkey;
  select create_reference_table('messages');
  create function leave_messages() returns trigger language plpgsql as $$ begin
    update messages set sender_id = null where sender_id = any(array(select user_id from gone));
    update messages set recipient_id = null where recipient_id = any(array(select user_id from gone));
    return null;
  end $$;
  create trigger users_leave_messages after delete on users
    referencing old table as gone for each statement execute function leave_messages()`

// What Citus knows makes it commit in two phases, also when no row of it is written: this table stays empty.
const TWO_PHASES = `
  create table two_phases (only_row boolean primary key);
  select citus_add_local_table_to_metadata('two_phases');
  create function commit_in_two_phases() returns trigger language plpgsql as $$ begin
    delete from two_phases;
    return null;
  end $$;
  ${BESIDE_HOMES.map(
    (name) => `create trigger ${name}_in_two_phases after insert or update or delete on ${name}
      for each statement execute function commit_in_two_phases();`,
  ).join('\n')}`
