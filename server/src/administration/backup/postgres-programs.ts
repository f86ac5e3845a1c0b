import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../platform/shared/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** `env`: what it finds in its environment; absent: what this process has. */
export type Program = { path: string; version: string; major: number; env?: Environment }

const TLS_MODES = { verified: 'verify-full', unverified: 'require', off: undefined }
// libpq and our driver read these alike.
const SHARED_OPTIONS = ['host', 'port', 'sslrootcert', 'sslcert', 'sslkey', 'options']
const SYSTEM_ROOTS_SINCE = 16

/** `path`: the name of a program in PATH, or its file. Throws a sentence when it is not there. */
export async function findProgram(path: string): Promise<Program> {
  const version = await readVersion(path).catch((error: unknown) => {
    const why = errorCode(error) === 'ENOENT' ? `There is no ${path} in PATH` : `${path} cannot be run`
    throw new Error(
      `${why}: install PostgreSQL's client programs of the server's version, or put their folder into PATH. The embedded PostgreSQL comes without them.`,
      { cause: error },
    )
  })
  return { path, version, major: parseMajor(version) }
}

export function parseMajor(version: string): number {
  return Number.parseInt(version, 10)
}

/** Gives the address in libpq's form, and the program with its password: no list of processes shows it, and no file
 * of it stays when this process is killed. */
export function toLibpq(
  { url, tls, env }: { url: string; tls: keyof typeof TLS_MODES; env: Environment },
  program: Program,
): { address: string; program: Program } {
  const address = URL.parse(url)
  if (address === null) throw new Error('pg_dump and pg_restore need an address that begins with postgres://.')
  const options = new URLSearchParams(
    SHARED_OPTIONS.flatMap((name) => address.searchParams.getAll(name).map((value): [string, string] => [name, value])),
  )
  const mode = TLS_MODES[tls]
  if (mode !== undefined) options.set('sslmode', mode)
  if (tls === 'verified' && !options.has('sslrootcert') && program.major >= SYSTEM_ROOTS_SINCE)
    options.set('sslrootcert', 'system')
  const secret = address.password === '' ? {} : { PGPASSWORD: decodeURIComponent(address.password) }
  address.password = ''
  address.search = options.toString().replaceAll('+', '%20')
  return { address: address.href, program: { ...program, env: { ...env, ...secret } } }
}

/** Runs a program to its end; the next part of its output is not read before `take` is done. Throws its error text
 * when it fails. */
export async function runProgram(
  { path, env }: Program,
  args: string[],
  { input, take }: { input?: Readable; take: (chunk: Buffer) => Promise<void> },
): Promise<void> {
  const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'pipe'], ...(env && { env }) })
  const closed = once(child, 'close')
  closed.catch(() => undefined)
  const message = text(child.stderr)
  // It may end before it has read everything: a list of contents is at the beginning.
  const fed = input ? pipeline(input, child.stdin).catch(() => undefined) : Promise.resolve(void child.stdin.end())
  try {
    for await (const chunk of child.stdout) await take(chunk as Buffer)
  } catch (error) {
    child.kill('SIGKILL')
    await closed.catch(() => undefined)
    throw error
  }
  await fed
  const [code] = (await closed) as [number | null]
  if (code === 0) return
  const lines = (await message).trim().split('\n')
  throw new Error(`${path} failed: ${lines.filter((line) => /error|fatal/i.test(line))[0] ?? lines.at(-1)}`)
}

export async function readOutput(program: Program, args: string[], input?: Readable): Promise<string> {
  const parts: Buffer[] = []
  await runProgram(program, args, { ...(input && { input }), take: async (chunk) => void parts.push(chunk) })
  return Buffer.concat(parts).toString()
}

async function readVersion(path: string): Promise<string> {
  const output = await readOutput({ path, version: '', major: 0 }, ['--version'])
  const [version] = /\d+(?:\.\d+)*\S*/.exec(output) ?? []
  if (version === undefined) throw new Error(`${path} does not tell its version.`)
  return version
}
