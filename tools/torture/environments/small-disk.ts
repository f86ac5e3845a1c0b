import { execFile, spawn } from 'node:child_process'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeCluster, startCluster, type Cluster } from '../cluster.ts'
import {
  cloneTemplate,
  newFolder,
  ON_PLAIN_ALONE,
  prepareTemplate,
  removeFolder,
  type Environment,
  type EnvironmentOptions,
  type Missing,
} from '../environment.ts'

/** A server on a small disk that can be filled. */
export type SmallDiskEnvironment = Environment & {
  cluster: Cluster
  disk: string
  /** Takes all free space, and takes newly freed space too, until `free` is called. */
  fill(): Promise<{ free(): Promise<void> }>
}

const SIZE_MB = 500
const PIECE = Buffer.alloc(1_048_576)
const LOOK_AGAIN_MS = 20

/** Mounts a disk in memory and starts a server on it. Needs Linux and the right to mount. */
export async function startOnSmallDisk({
  programs,
  divided,
}: EnvironmentOptions): Promise<SmallDiskEnvironment | Missing> {
  if (divided) return ON_PLAIN_ALONE
  const folder = await newFolder()
  const disk = join(folder, 'small-disk')
  await mkdir(disk)
  const unmount = await mountMemory(disk)
  if ('missing' in unmount) {
    await removeFolder(folder)
    return unmount
  }
  const cluster = await startCluster({ dataDir: join(disk, 'data'), programs })
  await prepareTemplate(cluster)
  return {
    folder,
    cluster,
    disk,
    server: `${await describeCluster(cluster)}, on a disk of ${SIZE_MB} MB`,
    newDatabase: async (name) => {
      const url = await cloneTemplate(cluster, name)
      return { url, direct: url }
    },
    fill: () => fill(disk),
    close: async (keepFolder) => {
      await (keepFolder ? cluster.stop('fast') : cluster.remove())
      await unmount.now()
      if (!keepFolder) await removeFolder(folder)
    },
  }
}

type Unmount = { now(): Promise<void> }

/** A guard unmounts the disk when this process ends for any reason. */
export async function mountMemory(disk: string): Promise<Unmount | Missing> {
  const run = promisify(execFile)
  if (process.platform !== 'linux') return { missing: 'a disk in memory (tmpfs) takes Linux' }
  const failure = await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${SIZE_MB}m,mode=0711`,
    'swapbell-torture',
    disk,
  ]).then(
    () => undefined,
    (error: Error) => error.message.split('\n').at(-2) ?? error.message,
  )
  if (failure !== undefined) return { missing: `a disk in memory (tmpfs) could not be mounted: ${failure}` }
  const guard = spawn('/bin/sh', ['-c', 'read -r _; umount -l "$1"', 'sh', disk], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  return {
    now: async () => {
      guard.kill('SIGKILL')
      await run('umount', ['-l', disk])
    },
  }
}

/** Takes all free space of a disk until it is freed. */
export async function fill(disk: string): Promise<{ free(): Promise<void> }> {
  const path = join(disk, 'ballast')
  const ballast = await open(path, 'w')
  const ending = new AbortController()
  const full = Promise.withResolvers<void>()
  const loop = async () => {
    while (!ending.signal.aborted) {
      const { bavail, bsize } = await statfs(disk)
      const free = Math.min(bavail * bsize, PIECE.length)
      const isTaken = free > 0 && (await ballast.write(PIECE, 0, free).catch(() => undefined)) !== undefined
      if (isTaken) continue
      full.resolve()
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    }
  }
  const looping = loop()
  await full.promise
  return {
    free: async () => {
      ending.abort()
      await looping
      await ballast.close()
      await rm(path)
    },
  }
}
