import { execFile } from 'node:child_process'
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Place } from './embedded-place.ts'

/**
 * Makes the cluster of `place`, with its superuser `swapbell`. Made under another name and renamed when whole. `volatile`: without
 * waiting for the disk. Letters of every language need a UTF-8 LC_CTYPE: under C, pg_trgm
 * leaves out all but ASCII ones (seen on PostgreSQL 18.4: show_trgm('Zoë') had no ë), whatever the builtin locale says.
 */
export async function createCluster(place: Place, password: string, volatile: boolean): Promise<void> {
  const draft = `${place.data}.new`
  const passwordFile = join(draft, '..', 'postgres-password.new')
  const fixed = `--username=swapbell --auth=scram-sha-256 --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C`
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    if (place.account) await chown(passwordFile, place.account.uid, place.account.gid)
    for (const ctype of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
      await rm(draft, { recursive: true, force: true })
      await mkdir(draft, { mode: 0o700 })
      if (place.account) await chown(draft, place.account.uid, place.account.gid)
      const args = [...fixed.split(' '), `--lc-ctype=${ctype}`, `--pwfile=${passwordFile}`, `--pgdata=${draft}`]
      if (volatile) args.push('--no-sync')
      const failure = await initialise(place, args)
      if (failure === undefined) break
      if (ctype === 'C' || !failure.includes('invalid locale name')) throw new Error(`initdb failed: ${failure.trim()}`)
    }
    await rename(draft, place.data)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** Gives what initdb complained about, undefined when it made the cluster. */
async function initialise(place: Place, args: string[]): Promise<string | undefined> {
  const run = promisify(execFile)
  return run(join(place.bin, 'initdb'), args, { ...place.account, cwd: '/', env: { LC_ALL: 'C' } }).then(
    () => undefined,
    (error: Error & { stderr?: string }) => `${error.message}\n${error.stderr ?? ''}`,
  )
}
