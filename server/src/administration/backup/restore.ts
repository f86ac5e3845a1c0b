import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../platform/db/connect.ts'
import { expectRestorableMigrations } from '../../platform/db/migrations.ts'
import { openArchive, type BackupFacts } from './backup-file.ts'
import { findTarget } from './backup.queries.ts'
import { parseMajor, readOutput, runProgram, type Program } from './postgres-programs.ts'

// Its pg_dump and pg_restore set transaction_timeout, which older servers do not know.
const TRANSACTION_TIMEOUT_SINCE = 17
// No process of the service starts on a database without its rows.
const LAST = /^\d+; \d+ \d+ TABLE DATA public schema_migrations /

/** Throws a sentence when the database is not empty, or backup, server or programs are too old. */
export async function expectRestorable(
  { db, pgRestore }: { db: Db; pgRestore: Program },
  facts: BackupFacts,
): Promise<void> {
  await expectRestorableMigrations(facts.migrations)
  const { server_version: version, relations } = await findTarget(db)
  if (relations > 0)
    throw new Error(
      `The database is not empty: it has ${relations} tables and other relations. Restore into a new one.`,
    )
  const [server, from, client] = [version, facts.server_version, facts.client_version].map(parseMajor) as [
    number,
    number,
    number,
  ]
  if (server < from)
    throw new Error(`The backup is of PostgreSQL ${facts.server_version}, and this server is older: ${version}.`)
  if (pgRestore.major < client)
    throw new Error(
      `pg_restore ${pgRestore.version} cannot read what pg_dump ${facts.client_version} wrote: install the client programs of version ${client}, or put their folder into PATH.`,
    )
  if (pgRestore.major >= TRANSACTION_TIMEOUT_SINCE && server < TRANSACTION_TIMEOUT_SINCE)
    throw new Error(
      `pg_restore ${pgRestore.version} cannot restore into PostgreSQL ${version}: put the folder of client programs of version ${server} first into PATH.`,
    )
}

/** Restores all or nothing. `before` is called when everything but the list of migrations is there: without it no
 * process of the service starts. */
export async function restoreArchive(
  path: string,
  { pgRestore, address }: { pgRestore: Program; address: string },
  before: () => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-restore-'))
  try {
    const contents = await listContents(path, pgRestore)
    const run = async (name: string, lines: string[]) => {
      const list = join(folder, name)
      await writeFile(list, `${lines.join('\n')}\n`)
      const how = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error', '--no-password']
      const args = [...how, `--use-list=${list}`, `--dbname=${address}`]
      await runProgram(pgRestore, args, { input: openArchive(path), take: async () => undefined })
    }
    const last = contents.filter((line) => LAST.test(line))
    if (last.length !== 1) throw new Error('The archive of the backup has no list of migrations.')
    await run(
      'most',
      contents.filter((line) => !LAST.test(line)),
    )
    await before()
    await run('last', last)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function listContents(path: string, pgRestore: Program): Promise<string[]> {
  const contents = await readOutput(pgRestore, ['--list'], openArchive(path))
  return contents.split('\n').filter((line) => line !== '' && !line.startsWith(';'))
}
