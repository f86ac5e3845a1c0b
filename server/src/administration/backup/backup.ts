import type { Db } from '../../platform/db/connect.ts'
import { writeBackup, type BackupFacts } from './backup-file.ts'
import { takeSnapshot } from './backup.queries.ts'
import { parseMajor, runProgram, type Program } from './postgres-programs.ts'

/** One consistent snapshot, while the service runs. `address` is libpq's. Throws before it begins when pg_dump is
 * older than the server. */
export async function takeBackup(
  { db, address, pgDump, appVersion }: { db: Db; address: string; pgDump: Program; appVersion: string },
  path: string,
): Promise<{ facts: BackupFacts; bytes: number }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const { snapshot, ...found } = await takeSnapshot(tx)
      refuseOlder(pgDump, found.server_version)
      const facts: BackupFacts = { format: 1, app_version: appVersion, client_version: pgDump.version, ...found }
      const args = ['--format=custom', '--no-password', '--lock-wait-timeout=60s']
      const bytes = await writeBackup(path, facts, (write) =>
        runProgram(pgDump, [...args, `--snapshot=${snapshot}`, `--dbname=${address}`], { take: write }),
      )
      return { facts, bytes }
    })
}

function refuseOlder({ version, major }: Program, serverVersion: string): void {
  const needed = parseMajor(serverVersion)
  if (major < needed)
    throw new Error(
      `pg_dump ${version} cannot read PostgreSQL ${serverVersion}: install the client programs of version ${needed}, or put their folder into PATH.`,
    )
}
