import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLocked } from './data-lock.ts'
import { findCluster } from './embedded-place.ts'
import { toDatabaseUrl, readPassword } from './embedded-access.ts'

// https://www.postgresql.org/docs/18/storage-file-layout.html: postmaster.pid has a line for each of pid, data
// directory, start, port, socket, address, shared memory and status.
const PORT_LINE = 3

/**
 * The address of the PostgreSQL that another process runs on `dataDir` now, to use it beside that process; undefined
 * when none runs there.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  if (!(await isLocked(dataDir))) return undefined
  const password = await readPassword(dataDir)
  const lines = (await readFile(join(await findCluster(dataDir), 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const port = Number(lines[PORT_LINE])
  return password === undefined || !(port > 0) ? undefined : toDatabaseUrl(port, password, 'swapbell')
}
