import { Client } from 'pg'
import { until } from './until.ts'
import type { World } from './world.ts'

/**
 * Where a worker can be made to stand still, by triggers in the database that wait for a lock of ours: its own code is
 * untouched, and it stands exactly before that statement.
 */
const STATEMENTS = {
  'the coordinator, a page written and not committed': `before update on messages for each row
    when (new.cursor_user_id <> old.cursor_user_id)`,
  'transaction 1, all written and not committed': `before update on batches for each row
    when (new.status = 'submitting' and old.status <> 'submitting')`,
  // The pace takes an estimate before the claim, and gives back what it did not need between claim and call.
  'after the claim, before the call': `before update on provider_state for each row
    when (new.pace_free_at < old.pace_free_at)`,
  // A batch without tickets waits for its next attempt: on a busy machine the lease may be nearly over before the call, and
  // then the request is not made.
  'transaction 2, tickets written and not committed': `before update on batches for each row
    when (old.status = 'submitting' and new.status = 'done')`,
  'the breaker’s report, written and not committed': `before update on provider_state for each row
    when (new.window_requests > old.window_requests)`,
  'receipts fetched, not stored': `before update on notifications for each row
    when (new.is_delivered and old.is_delivered is null)`,
}
export type Statement = keyof typeof STATEMENTS

export type Hold = {
  /** Settles when a process stands there. */
  reached(withinMs?: number): Promise<void>
  release(): Promise<void>
}

const REACH_MS = 20_000
const LONGEST_S = 40

/** From now on, and until released, whoever comes to this statement stands still. */
export async function holdAt(world: World, statement: Statement): Promise<Hold> {
  const client = await connect(world)
  const lock = Object.keys(STATEMENTS).indexOf(statement)
  await client.query('select pg_advisory_lock($1)', [lock])
  await client.query(`
    create or replace function stand_still() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint); return new; end $$`)
  // It stays: to drop it would wait for every transaction on the table, those of a frozen process too.
  await client.query(
    `create or replace trigger stand_still_${lock} ${STATEMENTS[statement]} execute function stand_still(${lock})`,
  )
  return held(world, client, {
    undo: `select pg_advisory_unlock(${lock})`,
    stands: `l.locktype = 'advisory' and l.objid = ${lock}`,
  })
}

// The statement that stands there, among those of a worker that read the table.
const READS = {
  messages: '%select "message_id", "status" from "messages"%',
  provider_state: 'select * from "provider_state"%',
}

/** From now on, and until released, whoever reads or writes this table stands still. */
export async function holdTable(world: World, table: keyof typeof READS): Promise<Hold> {
  const client = await connect(world)
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return held(world, client, {
    undo: 'rollback',
    stands: `l.locktype = 'relation' and l.relation = '${table}'::regclass and a.query like '${READS[table]}'`,
  })
}

async function connect({ pool }: World): Promise<Client> {
  const client = new Client({ ...pool.options })
  // It is ended with the database when a scenario fails.
  client.on('error', () => undefined)
  await client.connect()
  // A scenario that fails may leave it: what then reads the rows must not wait for ever.
  await client.query(
    `set idle_in_transaction_session_timeout = '${LONGEST_S}s'; set idle_session_timeout = '${LONGEST_S}s'; set statement_timeout = '60s'`,
  )
  return client
}

function held({ pool }: World, client: Client, { undo, stands }: { undo: string; stands: string }): Hold {
  return {
    reached: (withinMs = REACH_MS) =>
      until('a worker stood still there', withinMs, async () => {
        const { rowCount } = await pool.query(
          `select from pg_stat_activity a join pg_locks l using (pid)
           where a.datname = current_database() and a.application_name like 'worker%' and not l.granted and ${stands}`,
        )
        return rowCount !== 0
      }),
    release: async () => {
      await client.query(undo)
      await client.end()
    },
  }
}
