import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledService } from './bundled.ts'
import { environmentWith } from '../../server/test/support/environment.ts'

/** A process of the service, started as in production. */
export type Process = {
  name: string
  /** The API's address; empty for a worker. */
  url: string
  pid: number
  isRunning(): boolean
  /** kill -9; waits for the end. */
  kill(): Promise<void>
  /** SIGTERM; waits for the end. `lastWords`: the last line of its log. */
  terminate(): Promise<{ code: number | null; ms: number; lastWords: string }>
  /** SIGSTOP and SIGCONT. */
  freeze(): void
  thaw(): void
}

const READY_MS = 300_000
// A stop gives up long before; but Node itself may wait for its own threads for ever as it exits (nodejs/node#54918).
const STOPPED_MS = 120_000
/** The checkout that this runs in. */
export const OWN_RELEASE = fileURLToPath(new URL('../..', import.meta.url))

/** The folder for the log of a process; `release` is the checkout whose server it runs. */
export type Folders = { log: string; release?: string }

/** Starts the service with only these settings, and returns it once it is ready. Its log goes to a file. */
export async function startProcess(name: string, folders: Folders, env: Record<string, string>): Promise<Process> {
  const logPath = join(folders.log, `${name}.log`)
  const log = await open(logPath, 'a')
  const { release = OWN_RELEASE } = folders
  const main = release === OWN_RELEASE ? await bundledService(release) : join(release, 'server/src/main.ts')
  const environment = await environmentWith(env, folders.log)
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  await log.close()
  const url = await readyUrl(child, name)
  const exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve([])
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const kill = async () => {
    if (isRunning()) child.kill('SIGKILL')
    await exited
  }
  const terminate = async () => {
    const from = performance.now()
    if (isRunning()) child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), STOPPED_MS)
    await exited
    clearTimeout(late)
    const ms = Math.round(performance.now() - from)
    const lastWords = (await readFile(logPath, 'utf8')).trimEnd().split('\n').at(-1) ?? ''
    return { code: child.exitCode, ms, lastWords }
  }
  return {
    name,
    url,
    pid: child.pid ?? 0,
    isRunning,
    kill,
    terminate,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  }
}

async function readyUrl(child: ChildProcess, name: string): Promise<string> {
  const late = setTimeout(() => child.kill('SIGKILL'), READY_MS)
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${name} ended before it was ready, or was not ready within ${READY_MS} ms`)
  })
  try {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ url?: string }]
    return message.url ?? ''
  } finally {
    clearTimeout(late)
  }
}
