import { Client } from 'pg'
import { until } from '../../server/test/support/until.ts'
import type { World } from './world.ts'

/**
 * Statements at which a worker can be stopped. Triggers in the database wait for a lock of ours, so the worker's code
 * is unchanged and it stops exactly before that statement.
 */
const STATEMENTS = {
  'the coordinator, a page written and not committed': `before update on messages for each row
    when (new.cursor_user_id <> old.cursor_user_id)`,
  'transaction 1, copies written and not committed': `before update on batches for each row
    when (length(new.facts) > length(old.facts))`,
  // Pace is taken from an estimate before the claim; the unused rest is given back between claim and call.
  'after the claim, before the call': `before update on provider_state for each row
    when (new.pace_free_at < old.pace_free_at)`,
  // Only batches with tickets count. A batch without tickets waits for its next attempt: on a busy machine the lease
  // may nearly be over before the call, and then no request is made.
  'transaction 2, tickets written and not committed': `before update on batches for each row
    when (length(new.facts) = length(old.facts) and new.tickets <> old.tickets)`,
  'the breaker’s report, written and not committed': `before update on provider_state for each row
    when (new.window_requests > old.window_requests)`,
  // The tenth plane of the facts says when copies were settled.
  'receipts fetched, not stored': `before update on batches for each row
    when (new.tickets = old.tickets and substring(new.facts from 9 * cardinality(new.device_ids) + 1 for cardinality(new.device_ids))
      <> substring(old.facts from 9 * cardinality(old.device_ids) + 1 for cardinality(old.device_ids)))`,
}
export type Statement = keyof typeof STATEMENTS

export type Hold = {
  /** Settles when a process has stopped there. */
  reached(withinMs?: number): Promise<void>
  release(): Promise<void>
}

const REACH_MS = 20_000
const LONGEST_S = 40

/** Stops every process that reaches this statement, until released. */
export async function holdAt(world: World, statement: Statement): Promise<Hold> {
  const client = await connect(world)
  const lock = Object.keys(STATEMENTS).indexOf(statement)
  await client.query('select pg_advisory_lock($1)', [lock])
  await client.query(`
    create or replace function stand_still() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint); return new; end $$`)
  // The trigger stays: dropping it would wait for every transaction on the table, also of a frozen process.
  await client.query(
    `create or replace trigger stand_still_${lock} ${STATEMENTS[statement]} execute function stand_still(${lock})`,
  )
  return held(world, client, {
    undo: `select pg_advisory_unlock(${lock})`,
    stands: `l.locktype = 'advisory' and l.objid = ${lock}`,
  })
}

// How the statement of a worker that reads the table begins.
const READS = {
  messages: '%select message_id, status from messages%',
  provider_state: 'select * from "provider_state"%',
}

/** Stops every process that reads or writes this table, until released. */
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
  // The connection ends with the database when a scenario fails.
  client.on('error', () => undefined)
  await client.connect()
  // A failed scenario may leave the lock; reading the rows afterwards must not wait for ever.
  await client.query(
    `set idle_in_transaction_session_timeout = '${LONGEST_S}s'; set idle_session_timeout = '${LONGEST_S}s'; set statement_timeout = '60s'`,
  )
  return client
}

function held({ pool }: World, client: Client, { undo, stands }: { undo: string; stands: string }): Hold {
  return {
    reached: (withinMs = REACH_MS) =>
      until('a worker stopped there', withinMs, async () => {
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
