import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../server/src/platform/shared/errors.ts'
import { processStartedAt } from './process-identity.ts'

export const DATA_DIR_IN_USE = 'DATA_DIR_IN_USE'

/**
 * Locks the data directory for this process until `release`. The lock file names its holder, so the lock of a killed
 * process is taken over. Throws DATA_DIR_IN_USE when another live process holds it.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  const file = join(dataDir, 'lock')
  const mine = `${process.pid} ${await processStartedAt(process.pid)}\n`
  while (!(await createWhole(file, mine))) {
    const theirs = await readFile(file, 'utf8').catch(() => undefined)
    if (theirs === undefined) continue
    const pid = await findHolder(theirs)
    if (pid !== undefined) {
      const message = `The data directory ${dataDir} is in use by process ${pid}: stop it, or set DATA_DIR to another one.`
      throw Object.assign(new Error(message), { code: DATA_DIR_IN_USE })
    }
    await removeStale(file, theirs)
  }
  return {
    release: async () => {
      if ((await readFile(file, 'utf8').catch(() => undefined)) === mine) await rm(file, { force: true })
    },
  }
}

/** Whether a live process has the data directory. */
export async function isLocked(dataDir: string): Promise<boolean> {
  const content = await readFile(join(dataDir, 'lock'), 'utf8').catch(() => '')
  return (await findHolder(content)) !== undefined
}

/** Creates the file with its whole content at once; false when it already exists. */
async function createWhole(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, content)
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** The process that a lock file names, if it still runs. */
async function findHolder(content: string): Promise<number | undefined> {
  const [pid = '', ...startedAt] = content.trim().split(' ')
  const now = await processStartedAt(Number(pid))
  return now !== undefined && now === startedAt.join(' ') ? Number(pid) : undefined
}

/** Several processes may find the same stale lock. One moves it away; a lock that was renewed meanwhile is put back. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${process.pid}.stale`
  try {
    await rename(file, aside)
    if ((await readFile(aside, 'utf8')) !== stale) await link(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
  } finally {
    await rm(aside, { force: true })
  }
}
