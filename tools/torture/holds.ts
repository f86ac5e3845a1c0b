import { Client } from 'pg'
import { until } from '../../server/test/support/until.ts'
import type { World } from './world.ts'

/**
 * Statements at which a worker can be stopped. Triggers in the database wait for a lock of ours, so the worker's code
 * is unchanged and it stops exactly before that statement.
 */
const STATEMENTS = {
  'the coordinator, a page written and not committed': ['messages', 'new.cursor_user_id <> old.cursor_user_id'],
  'transaction 1, copies written and not committed': ['batches', 'length(new.facts) > length(old.facts)'],
  // Pace is taken from an estimate before the claim; the unused rest is given back between claim and call.
  'after the claim, before the call': ['provider_state', 'new.pace_free_at < old.pace_free_at'],
  // Only batches with tickets count. A batch without tickets waits for its next attempt: on a busy machine the lease
  // may nearly be over before the call, and then no request is made.
  'transaction 2, tickets written and not committed': [
    'batches',
    'length(new.facts) = length(old.facts) and new.tickets <> old.tickets',
  ],
  'the breaker’s report, written and not committed': ['provider_state', 'new.window_requests > old.window_requests'],
  // The tenth plane of the facts says when copies were settled.
  'receipts fetched, not stored': [
    'batches',
    `new.tickets = old.tickets and substring(new.facts from 9 * cardinality(new.device_ids) + 1 for cardinality(new.device_ids))
      <> substring(old.facts from 9 * cardinality(old.device_ids) + 1 for cardinality(old.device_ids))`,
  ],
} as const
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
  const lock = Object.keys(STATEMENTS).indexOf(statement)
  const [table, condition] = STATEMENTS[statement]
  await world.pool.query(`
    create or replace function stand_still() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint); return new; end $$`)
  const isDivided = table !== 'provider_state' && world.workerUrls.length > 0
  const places = isDivided ? world.workerUrls : [undefined]
  const holds = await Promise.all(
    places.map(async (url) => {
      const client = await connect(world, url)
      await client.query('select pg_advisory_lock($1)', [lock])
      // The trigger stays: dropping it would wait for every transaction on the table, also of a frozen process.
      for (const name of isDivided ? await listShards(client, table) : [table])
        await client.query(
          `create or replace trigger stand_still_${lock} before update on ${name} for each row when (${condition})
             execute function stand_still(${lock})`,
        )
      return held(world, client, {
        undo: `select pg_advisory_unlock(${lock})`,
        stands: `l.locktype = 'advisory' and l.objid = ${lock}`,
        by: isDivided ? '%' : 'worker%',
      })
    }),
  )
  return {
    reached: (withinMs) => Promise.any(holds.map((hold) => hold.reached(withinMs))),
    release: async () => {
      for (const hold of holds) await hold.release()
    },
  }
}

/** The parts of a table that a worker of a Citus has, which it shows to nobody by itself. */
async function listShards(client: Client, table: string): Promise<string[]> {
  await client.query('set citus.override_table_visibility = off')
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relname ~ $1`,
    [`^${table}_[0-9]+$`],
  )
  return rows.map(({ name }) => name)
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
    by: 'worker%',
  })
}

async function connect({ pool }: World, url?: string): Promise<Client> {
  const client = new Client(url ?? { ...pool.options })
  // The connection ends with the database when a scenario fails.
  client.on('error', () => undefined)
  await client.connect()
  // A failed scenario may leave the lock; reading the rows afterwards must not wait for ever.
  await client.query(
    `set idle_in_transaction_session_timeout = '${LONGEST_S}s'; set idle_session_timeout = '${LONGEST_S}s'; set statement_timeout = '60s'`,
  )
  return client
}

/** `by`: the name of the sessions that stand there. */
function held(
  { pool }: World,
  client: Client,
  { undo, stands, by }: { undo: string; stands: string; by: string },
): Hold {
  return {
    reached: (withinMs = REACH_MS) =>
      until('a worker stopped there', withinMs, async () => {
        const { rowCount } = await (by === '%' ? client : pool).query(
          `select from pg_stat_activity a join pg_locks l using (pid)
           where a.datname = current_database() and a.application_name like '${by}' and not l.granted and ${stands}`,
        )
        return rowCount !== 0
      }),
    release: async () => {
      await client.query(undo)
      await client.end()
    },
  }
}
