import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const PASSWORD_FILE = 'postgres-password'

/** The password of the cluster of `dataDir`; undefined when there is none yet. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  const kept = await readFile(join(dataDir, PASSWORD_FILE), 'utf8').catch(() => '')
  return kept.trim() || undefined
}

/** The password of the cluster of `dataDir`, made once and readable by its owner alone. */
export async function keptPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, PASSWORD_FILE)
  const kept = await readPassword(dataDir)
  if (kept !== undefined) return kept
  const password = randomBytes(24).toString('hex')
  await writeFile(file, `${password}\n`, { mode: 0o600 })
  return password
}

/** The address of a database of the server on `port`. */
export function toDatabaseUrl(port: number, password: string, database: string): string {
  return `postgres://swapbell:${password}@127.0.0.1:${port}/${database}`
}
