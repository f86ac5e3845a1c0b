import { execFile } from 'node:child_process'
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Place } from './embedded-place.ts'

const PACKAGED_LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
// PostgreSQL 15 and 16 have no builtin locale, so they get a linguistic order, as most installations have.
const OTHER_LOCALE = ['--locale-provider=icu', '--icu-locale=en-US', '--locale=C']

/**
 * Creates the cluster of `place` with its superuser `swapbell`, under a temporary name until it is complete.
 * `isVolatile`: initdb does not sync to disk. `isPackaged`: the programs are those in node_modules. LC_CTYPE must be
 * UTF-8: under C, pg_trgm drops non-ASCII letters (PostgreSQL 18.4: show_trgm('Zoë') had no ë), whatever the builtin
 * locale.
 */
export async function createCluster(
  place: Place,
  password: string,
  { isVolatile, isPackaged }: { isVolatile: boolean; isPackaged: boolean },
): Promise<void> {
  const draft = `${place.data}.new`
  const passwordFile = join(draft, '..', 'postgres-password.new')
  const fixed = ['--username=swapbell', '--auth=scram-sha-256', '--encoding=UTF8']
  const locale = isPackaged ? PACKAGED_LOCALE : OTHER_LOCALE
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    if (place.account) await chown(passwordFile, place.account.uid, place.account.gid)
    for (const ctype of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
      await rm(draft, { recursive: true, force: true })
      await mkdir(draft, { mode: 0o700 })
      if (place.account) await chown(draft, place.account.uid, place.account.gid)
      const args = [...fixed, ...locale, `--lc-ctype=${ctype}`, `--pwfile=${passwordFile}`, `--pgdata=${draft}`]
      if (isVolatile) args.push('--no-sync')
      const failure = await initialise(place, args)
      if (failure === undefined) break
      if (ctype === 'C' || !failure.includes('invalid locale name')) throw new Error(`initdb failed: ${failure.trim()}`)
    }
    await rename(draft, place.data)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** Returns what initdb complained about, or undefined when it created the cluster. */
async function initialise(place: Place, args: string[]): Promise<string | undefined> {
  const run = promisify(execFile)
  return run(join(place.bin, 'initdb'), args, { ...place.account, cwd: '/', env: { LC_ALL: 'C' } }).then(
    () => undefined,
    (error: Error & { stderr?: string }) => `${error.message}\n${error.stderr ?? ''}`,
  )
}
