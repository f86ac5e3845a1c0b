import { appendFile, readFile } from 'node:fs/promises'
import { runSql } from './run-sql.ts'

type Database = { url: string; drop(): Promise<void> }

/**
 * From now on each committed transaction leaves what it did to rows, as `update:users`, by whatever: a statement, a
 * trigger, a key. It is added to the file before the database is dropped.
 */
export async function recordWrites({ url, drop }: Database, file: string): Promise<Database> {
  await runSql(url, RECORDER)
  const keep = async () => {
    const rows = await runSql(url, COMBINATIONS)
    await appendFile(file, rows.map((row) => `${String(row['names'])}\n`).join(''))
    await drop()
  }
  return { url, drop: keep }
}

/** What each transaction of the file wrote, each combination once. */
export async function readWrittenTogether(file: string): Promise<string[][]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return [...new Set(lines)].map((line) => line.split(' '))
}

const RECORDER = `do $do$ declare name text; begin
  create table writes (transaction xid8, name text, primary key (transaction, name));
  create function note_write() returns trigger language plpgsql as $$ begin
    insert into public.writes values (pg_current_xact_id(), lower(tg_op) || ':' || tg_table_name) on conflict do nothing;
    return null;
  end $$;
  for name in select oid::regclass from pg_class where relkind = 'r'
    and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relname <> 'writes' loop
    execute format('create trigger is_noted after insert or update or delete on %s
      for each row execute function public.note_write()', name);
  end loop;
end $do$`

const COMBINATIONS = `select distinct names from (
  select string_agg(name, ' ' order by name) as names from writes group by transaction) of_transactions`
