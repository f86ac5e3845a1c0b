import { sql } from 'kysely'
import type { Db, Tx } from '../../server/src/platform/db/connect.ts'
import { FILLED } from './bulk.queries.ts'

/** A statement that a load has left to do. Tasks of one stage can run beside each other; `effort` compares their time. */
export type LoadTask = { place: number; stage: number; statement: string; effort: number }

const STAGES = { vacuum: 1, index: 2, key: 3, analyze: 4 }

// They keep row by row what `insertListings` and `countExits` write at once.
const TRIGGERS = {
  users: 'users_are_counted_out',
  likes: 'likes_are_counted',
  products: 'products_get_listings, products_move_listings',
}

/**
 * Takes indexes, foreign keys and some triggers off the tables that are filled. Primary keys and unique constraints
 * stay, but for the key of days, which nothing looks up. What puts indexes back is written down in `load_tasks`.
 */
export async function setAside(tx: Tx): Promise<{ putBack: string[] }> {
  await sql`create table load_tasks (
    place integer generated always as identity, stage integer not null, filled regclass not null, weight real not null, statement text not null)`.execute(
    tx,
  )
  await sql`
    insert into load_tasks (stage, filled, weight, statement)
    select s.stage, t, 1, format('%s %s', s.word, t) from unnest(${FILLED}::regclass[]) t,
      (values (${STAGES.vacuum}::integer, 'vacuum'), (${STAGES.analyze}::integer, 'analyze')) s(stage, word)
    union all
    select ${STAGES.index}, indrelid, case when pg_get_indexdef(indexrelid) like '%USING gin%' then 8 else 1 end, pg_get_indexdef(indexrelid)
    from pg_index where indrelid = any(${FILLED}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)
    union all
    select ${STAGES.index}, conrelid, 1, format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where contype = 'p' and conrelid = 'user_activity_day'::regclass
    union all
    select ${STAGES.key}, conrelid, 1, format('alter table %s %s', conrelid::regclass, string_agg(format('validate constraint %I', conname), ', '))
    from pg_constraint where contype = 'f' and conrelid = any(${FILLED}::regclass[]) group by conrelid`.execute(tx)
  const keys = await sql<{ drop: string; create: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s not valid', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where contype = 'f' and conrelid = any(${FILLED}::regclass[])`.execute(tx)
  const indexes = await sql<{ drop: string }>`
    select format('drop index %s', indexrelid::regclass) as drop from pg_index where indrelid = any(${FILLED}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)
    union all select 'alter table user_activity_day drop constraint ' || quote_ident(conname)
    from pg_constraint where contype = 'p' and conrelid = 'user_activity_day'::regclass`.execute(tx)
  await runAll(tx, [
    ...keys.rows.map((row) => row.drop),
    ...indexes.rows.map((row) => row.drop),
    ...triggers('disable'),
  ])
  return { putBack: [...keys.rows.map((row) => row.create), ...triggers('enable')] }
}

/** Puts triggers back, and foreign keys, which hold from now on; that they hold for what was filled is a task. */
export async function putBack(tx: Tx, aside: { putBack: string[] }): Promise<void> {
  await runAll(tx, aside.putBack)
}

/** True when a load has filled the database and has tasks left. */
export async function hasTasks(db: Db | Tx): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select to_regclass('load_tasks') is not null as is`.execute(db)
  return rows[0]!.is
}

/** What is left to do, by stage, the longest first. */
export async function listTasks(db: Db): Promise<LoadTask[]> {
  const { rows } = await sql<LoadTask>`
    select place, stage, statement, weight * (8192 + pg_relation_size(filled)) as effort
    from load_tasks order by stage, effort desc, place`.execute(db)
  return rows
}

/** Does a task and strikes it off; when another process has done so, nothing. */
export async function doTask(tx: Tx, { place, statement }: LoadTask): Promise<void> {
  const { rows } = await sql`delete from load_tasks where place = ${place} returning place`.execute(tx)
  if (rows.length > 0) await sql.raw(statement).execute(tx)
}

/** Does a task that does not run in a transaction. */
export async function doAlone(db: Db, { place, statement }: LoadTask): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    await sql.raw(statement).execute(connection)
    await sql`select set_config('statement_timeout', ${rows[0]!.statement_timeout}, false)`.execute(connection)
    await sql`delete from load_tasks where place = ${place}`.execute(connection)
  })
}

export function runsAlone({ stage }: LoadTask): boolean {
  return stage === STAGES.vacuum
}

export async function dropTasks(db: Db): Promise<void> {
  await sql`drop table if exists load_tasks`.execute(db)
}

function triggers(what: 'enable' | 'disable'): string[] {
  return Object.entries(TRIGGERS).flatMap(([table, names]) =>
    names.split(', ').map((name) => `alter table ${table} ${what} trigger ${name}`),
  )
}

async function runAll(tx: Tx, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}
