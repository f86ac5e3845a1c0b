import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program of `npm start` in its own process. */
export type Part = {
  name: string
  /** Its address once it is ready; rejects when it ends before. On a slow machine it may take minutes. */
  ready: Promise<string>
  /** The address of its mail server, when it has one; known once it is ready. */
  mail: Promise<string | undefined>
  /** What PUSH_PROVIDERS_FILE names, when it has such a file; known once it is ready. */
  providers: Promise<string | undefined>
  /** Settles with a sentence that says how it ended. */
  ended: Promise<string>
  /** Sends it a message over IPC. */
  tell(message: object): void
  /** Asks it to end and waits at most 20 seconds. */
  stop(): Promise<void>
  kill(): void
}

const STOP_MS = 20_000
const LAST_LINES = 15

/**
 * Starts `file`, which sends `{ ready: true, url }` over IPC when it serves, ends on SIGTERM, and ends by itself when
 * this process is gone. Its output goes to `logFile`. It has its own process group, because `npm start` handles Ctrl-C
 * and stops the parts in order.
 */
export function startPart(name: string, file: string, env: NodeJS.ProcessEnv, logFile: string): Part {
  const log = openSync(logFile, 'w', 0o600)
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', log, log, 'ipc'], detached: true })
  closeSync(log)

  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`))
  })
  const ended = gone.then(async (how) => `The ${name} has ended (${how}).${await lastLines(logFile)}`)
  type Answer = { url: string; mail: string | undefined; providers: string | undefined }
  const answered = new Promise<Answer>((resolve) => {
    child.on('message', (message) => {
      if (typeof message !== 'object' || !('ready' in message) || !('url' in message)) return
      const read = (field: 'mail' | 'providers') => {
        const value: unknown = Reflect.get(message, field)
        return typeof value === 'string' ? value : undefined
      }
      resolve({ url: String(message.url), mail: read('mail'), providers: read('providers') })
    })
  })
  const rejects = async () => Promise.reject(new Error(await ended))
  const result = Promise.race([answered, rejects()])
  const ready = result.then(({ url }) => url)
  const mail = result.then(({ mail: address }) => address)
  const providers = result.then(({ providers: path }) => path)
  for (const promise of [ready, mail, providers]) promise.catch(() => undefined)

  const kill = () => void child.kill('SIGKILL')
  const stop = async () => {
    child.kill('SIGTERM')
    const outcome = await Promise.race([gone, sleep(STOP_MS, undefined, { ref: false })])
    if (outcome === undefined) kill()
    await gone
  }
  const tell = (message: object) => void child.send(message, () => undefined)
  return { name, ready, mail, providers, ended, tell, stop, kill }
}

async function lastLines(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n').slice(-LAST_LINES)
  return lines[0] === '' ? '' : ` The end of ${logFile}:\n${lines.map((line) => `  ${line}`).join('\n')}`
}
