import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'
import { IS_READ_ONLY } from './session.ts'

export const MIGRATIONS = new URL('../../../migrations/', import.meta.url)

const ANEW = 'Begin with an empty database: name another in DATABASE_URL, or for a trial another folder in DATA_DIR.'
const OF_0 = 'was made by Swapbell 0.3 or earlier, which this version cannot take over.'

/** Comments may be edited: the hash leaves out their lines. */
export type Migration = { name: string; text: string; hash: string }

/** They are in the order in which they run. */
export async function readMigrations(folder = MIGRATIONS): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames(folder)).map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      const statements = text.replaceAll(/^ *--.*\n/gm, '')
      return { name, text, hash: createHash('sha256').update(statements).digest('hex') }
    }),
  )
}

export async function isReady(pool: Pool): Promise<boolean> {
  const names = await migrationNames()
  const { rows } = await pool.query<{ n: number; isReadOnly: boolean }>(
    `select count(*)::int as n, ${IS_READ_ONLY} as "isReadOnly" from schema_migrations where name = any($1)`,
    [names],
  )
  return rows[0]?.n === names.length && !rows[0].isReadOnly
}

/** Throws when the database cannot be taken over. */
export async function nextMissing(client: PoolClient, migrations: Migration[]): Promise<Migration | undefined> {
  const applied = await appliedHashes(client)
  const why = describeStrangeness(applied, migrations)
  if (why !== undefined) throw new Error(`${why} ${ANEW}`)
  return migrations.find(({ name }) => !applied.has(name))
}

/** `later`: migrations of a later release ran, with which this one works. */
export type Version = { fault: string | undefined; later: string[] }

export async function readVersion(pool: Pool): Promise<Version> {
  const applied = await appliedHashes(pool)
  const migrations = await readMigrations()
  const names = migrations.map(({ name }) => name)
  const why = describeStrangeness(applied, migrations)
  return {
    fault: why === undefined ? describeIncompleteness(applied, names) : `${why} ${ANEW}`,
    later: [...applied.keys()].filter((name) => !names.includes(name)).toSorted(),
  }
}

/** Why the database cannot be taken over. */
export async function findStrangeness(pool: Pool): Promise<string | undefined> {
  return describeStrangeness(await appliedHashes(pool), await readMigrations())
}

/** Throws when a backup, which names its migrations, cannot be taken over. */
export async function expectRestorableMigrations(names: string[]): Promise<void> {
  const [first] = await migrationNames()
  if (first !== undefined && !names.includes(first)) throw new Error(`The backup is of a database that ${OF_0}`)
}

function describeStrangeness(applied: Map<string, string>, migrations: Migration[]): string | undefined {
  const [first] = migrations
  if (applied.size > 0 && first !== undefined && !applied.has(first.name)) return `This database ${OF_0}`
  const edited = migrations.find(({ name, hash }) => applied.has(name) && applied.get(name) !== hash)
  return edited && `This database was made with another ${edited.name}, which this version cannot take over.`
}

function describeIncompleteness(applied: Map<string, string>, names: string[]): string | undefined {
  if (applied.size === 0)
    return 'The database has no tables of Swapbell. Run `manage migrate` to make them, or check DATABASE_URL.'
  const missing = names.filter((name) => !applied.has(name))
  return missing.length === 0
    ? undefined
    : `The database is of an earlier version: ${missing.join(', ')} did not run there. Run \`manage migrate\`, or use the commands of that version.`
}

/** The keys are the names of the migrations. A database without tables has none. */
async function appliedHashes(on: Pool | PoolClient): Promise<Map<string, string>> {
  const { rows: tables } = await on.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  )
  if (tables[0]?.found !== true) return new Map()
  const { rows } = await on.query<{ name: string; hash: string }>('select name, hash from schema_migrations')
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

async function migrationNames(folder = MIGRATIONS): Promise<string[]> {
  const files = await readdir(folder)
  return files.filter((file) => file.endsWith('.sql')).toSorted()
}
