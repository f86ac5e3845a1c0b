import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { describeCluster, startCluster } from '../cluster.ts'
import {
  newFolder,
  ON_PLAIN_ALONE,
  removeFolder,
  startEnvironment,
  type Environment,
  type EnvironmentOptions,
  type Missing,
} from '../environment.ts'
import { startProcess } from '../processes.ts'

/** The folder of a checkout of the release before, with its packages: PREVIOUS_RELEASE. */
export function previousRelease(): string {
  return process.env['PREVIOUS_RELEASE'] ?? ''
}

/** Starts a server whose databases were migrated by the release before. */
export async function startBefore(options: EnvironmentOptions): Promise<Environment | Missing> {
  return (await missingRelease(options)) ?? startMigratedBefore(options)
}

/** Starts a plain environment where the release before is there too. */
export async function startAfter(options: EnvironmentOptions): Promise<Environment | Missing> {
  return (await missingRelease(options)) ?? startEnvironment(options)
}

async function missingRelease({ divided }: EnvironmentOptions): Promise<Missing | undefined> {
  if (divided) return ON_PLAIN_ALONE
  const missing = 'PREVIOUS_RELEASE names no checkout of the release before, with its packages'
  if (previousRelease() === '') return { missing }
  return access(join(previousRelease(), 'node_modules')).then(
    () => undefined,
    () => ({ missing }),
  )
}

async function startMigratedBefore({ programs }: EnvironmentOptions): Promise<Environment> {
  const folder = await newFolder()
  const cluster = await startCluster({ dataDir: join(folder, 'postgres'), programs })
  return {
    folder,
    server: await describeCluster(cluster),
    newDatabase: async (name) => {
      await cluster.query(`create database "${name}"`)
      const url = cluster.url(name)
      await migrateAsBefore(url, folder)
      return { url, direct: url }
    },
    close: async (keepFolder) => {
      await cluster.stop('fast')
      if (!keepFolder) await cluster.remove().then(() => removeFolder(folder))
    },
  }
}

/** A worker of the release before migrates the database when it starts. */
async function migrateAsBefore(url: string, folder: string): Promise<void> {
  const folders = { log: folder, release: previousRelease() }
  const worker = await startProcess('migrating', folders, {
    NODE_ENV: 'test',
    PROCESS: 'worker',
    JWT_SECRET: 'a signing key of the torture alone, 64 bytes of it or even more',
    DATABASE_URL: url,
    EXPO_BASE_URL: 'http://127.0.0.1:9',
  })
  await worker.terminate()
}
