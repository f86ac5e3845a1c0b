import { sql } from 'kysely'
import type { Db, Tx } from '../../server/src/platform/db/connect.ts'
import { FILLED } from './bulk.queries.ts'
import type { Dataset, Range } from './dataset.ts'
import type { Step } from './fill.ts'

/**
 * Something that a load has left to do: a range of a work, or a statement. Tasks of one stage can run beside each
 * other; `effort` compares their time within a step.
 */
export type LoadTask = { place: number; stage: number; effort: number } & (
  ({ work: string; statement: null } & Range) | { work: null; statement: string }
)

/** Ranges of a work, before anything is filled. */
export type PlannedWork = { step: Step; stage: number; work: string; ranges: Range[] }

const LAST = 'indexes and keys' satisfies Step
const STAGES = { putBack: 1, vacuum: 2, index: 3, key: 4, analyze: 5 }

// They keep row by row what `insertListings` and `countExits` write at once.
const TRIGGERS = [
  ['users', 'users_are_counted_out'],
  ['likes', 'likes_are_counted'],
  ['products', 'products_get_listings'],
  ['products', 'products_move_listings'],
] as const

/** Stores all steps of a load and the dataset, so that a later run continues with the same. */
export async function planTasks(tx: Tx, dataset: Dataset, works: PlannedWork[]): Promise<void> {
  await sql`create table load_datasets (dataset jsonb not null)`.execute(tx)
  await sql`insert into load_datasets values (${JSON.stringify(dataset)}::jsonb)`.execute(tx)
  await sql`create table load_tasks (
    place integer generated always as identity primary key, step text not null, stage integer not null, work text,
      first bigint, last bigint,
    filled regclass, weight real not null default 1, statement text)`.execute(tx)
  for (const { step, stage, work, ranges } of works)
    await sql`insert into load_tasks (step, stage, work, first, last)
      select ${step}, ${stage}, ${work}, * from unnest(${ranges.map(({ first }) => first)}::bigint[],
        ${ranges.map(({ last }) => last)}::bigint[])`.execute(tx)
}

/**
 * Takes indexes, foreign keys and some triggers off the tables that are filled, and plans to put them back. Primary
 * keys and unique constraints stay, but for the key of days, which nothing looks up.
 */
export async function setAside(tx: Tx): Promise<void> {
  const enable = TRIGGERS.map(([table, name]) => `; ${switching(table, name, 'enable')}`).join('')
  await sql`
    insert into load_tasks (step, stage, filled, weight, statement)
    select ${LAST}, ${STAGES.putBack}, 'users'::regclass, 0.1,
      string_agg(format('alter table %s add constraint %I %s not valid', conrelid::regclass, conname,
        pg_get_constraintdef(oid)), '; ') || ${enable}
    from pg_constraint where contype = 'f' and conrelid = any(${FILLED}::regclass[])
    union all
    select ${LAST}, s.stage, t, s.weight, format('%s %s', s.word, t) from unnest(${FILLED}::regclass[]) t,
      (values (${STAGES.vacuum}::integer, 'vacuum', 0.4::real),
        (${STAGES.analyze}::integer, 'analyze', 0.1::real)) s(stage, word, weight)
    union all
    select ${LAST}, ${STAGES.index}, indrelid, case when pg_get_indexdef(indexrelid) like '%USING gin%' then 15 else 1
      end, pg_get_indexdef(indexrelid) || coalesce((
        select string_agg(format('; alter index %s alter column %s set statistics %s', attrelid::regclass, attnum,
          attstattarget), '')
        from pg_attribute where attrelid = indexrelid and attstattarget >= 0), '')
    from pg_index where indrelid = any(${FILLED}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)
    union all
    select ${LAST}, ${STAGES.index}, conrelid, 1, format('alter table %s add constraint %I %s', conrelid::regclass,
      conname, pg_get_constraintdef(oid))
    from pg_constraint where contype = 'p' and conrelid = 'user_activity_day'::regclass
    union all
    select ${LAST}, ${STAGES.key}, conrelid, 0.5, format('alter table %s %s', conrelid::regclass,
      string_agg(format('validate constraint %I', conname), ', '))
    from pg_constraint where contype = 'f' and conrelid = any(${FILLED}::regclass[]) group by conrelid`.execute(tx)
  const taken = await sql<{ statement: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
    where conrelid = any(${FILLED}::regclass[])
      and (contype = 'f' or contype = 'p' and conrelid = 'user_activity_day'::regclass)
    union all
    select format('drop index %s', indexrelid::regclass) from pg_index where indrelid = any(${FILLED}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)`.execute(tx)
  for (const { statement } of taken.rows) await sql.raw(statement).execute(tx)
  await switchTriggers(tx, 'disable')
}

export async function switchTriggers(tx: Tx, to: 'enable' | 'disable'): Promise<void> {
  for (const [table, name] of TRIGGERS) await sql.raw(switching(table, name, to)).execute(tx)
}

function switching(table: string, trigger: string, to: 'enable' | 'disable'): string {
  return `alter table ${table} ${to} trigger ${trigger}`
}

/** The dataset of a load that has tasks left; undefined: there is none. */
export async function findDataset(db: Db): Promise<Dataset | undefined> {
  const known = await sql<{ is: boolean }>`select to_regclass('load_datasets') is not null as is`.execute(db)
  if (!known.rows[0]!.is) return undefined
  const { rows } = await sql<{ dataset: Dataset }>`select dataset from load_datasets`.execute(db)
  const { dataset } = rows[0]!
  return { ...dataset, year: { ...dataset.year, now: new Date(dataset.year.now) } }
}

/** What a step has left to do, by stage; those that take longest come first, so that connections end together. */
export async function listTasks(db: Db, step: Step): Promise<LoadTask[]> {
  const { rows } = await sql<LoadTask>`
    select place, stage, work, first, last, statement,
      case when statement is null then last - first + 1 else weight * (8192 + pg_relation_size(filled)) end as effort
    from load_tasks where step = ${step} order by stage, statement is null or statement !~ 'USING gin', effort desc,
      place`.execute(db)
  return rows
}

/** Deletes a finished task. */
export async function strikeOff(db: Db | Tx, { place }: LoadTask): Promise<void> {
  await sql`delete from load_tasks where place = ${place}`.execute(db)
}

export async function runStatement(db: Db | Tx, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

/** Vacuums a table as a statement says, which no transaction can do. */
export async function runVacuum(db: Db, statement: string): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    await runStatement(connection, statement)
    await sql`select set_config('statement_timeout', ${rows[0]!.statement_timeout}, false)`.execute(connection)
  })
}

/** Deletes the tasks of a load. */
export async function dropTasks(db: Db): Promise<void> {
  await sql`drop table load_tasks, load_datasets`.execute(db)
}

/** Runs `work` while no other process fills the database; undefined: one does. */
export async function alone<T>(db: Db, work: () => Promise<T>): Promise<T | undefined> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ is: boolean }>`select pg_try_advisory_lock(7261990003) as is`.execute(connection)
    if (!rows[0]!.is) return undefined
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(7261990003)`.execute(connection)
    }
  })
}
