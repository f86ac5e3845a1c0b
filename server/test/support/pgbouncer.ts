import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { freePort } from '../../../local-postgres/src/free-port.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { untilItAnswers } from './until.ts'

export type PoolMode = 'session' | 'transaction'

/** A PgBouncer before a server of the tests. */
export type PgBouncer = {
  /** The address of a database, through it. */
  through(url: string): string
  /** Runs a command on its console, such as `reconnect`. */
  command(text: string): Promise<void>
  /** Ends it at once, with every connection, and starts it at the same address `awayMs` later. */
  restart(awayMs: number): Promise<void>
  close(): Promise<void>
}

const PROGRAM = 'pgbouncer'

/**
 * Starts PgBouncer before the server of `url`, on its own defaults but for the mode and `settings`, lines of its file.
 * As root it becomes `nobody`, because it refuses to run as root.
 */
export async function startPgBouncer(url: string, mode: PoolMode, settings: string[] = []): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  const ownPort = await freePort()
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ownPort}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    `admin_users = ${username}`,
    `pool_mode = ${mode}`,
    ...settings,
  ]
  await chmod(folder, 0o755)
  await writeFile(file, `${lines.join('\n')}\n`)
  await writeFile(users, `"${username}" "${password}"\n`)
  const through = (database: string) => Object.assign(new URL(database), { host: `127.0.0.1:${ownPort}` }).href
  const consoleUrl = Object.assign(new URL(through(url)), { pathname: '/pgbouncer' }).href
  const command = (text: string) => run(consoleUrl, text)
  const launch = async () => {
    const started = spawnGuarded(file)
    await untilItAnswers(() => command('show version'))
    return started
  }
  let bouncer = await launch()
  const restart = async (awayMs: number) => {
    await end(bouncer)
    await sleep(awayMs)
    bouncer = await launch()
  }
  const close = async () => {
    await end(bouncer)
    await rm(folder, { recursive: true })
  }
  return { through, command, restart, close }
}

/** A guard waits for the end of its standard input, which is the end of this process however it comes. */
function spawnGuarded(file: string): ChildProcess {
  const account = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const bouncer = spawn(PROGRAM, ['--quiet', ...account, file], { cwd: '/', stdio: 'ignore' })
  const script = 'read -r _; kill -QUIT "$1" 2>/dev/null'
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(bouncer.pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  bouncer.once('exit', () => guard.kill('SIGKILL'))
  return bouncer
}

/** SIGQUIT ends every version at once; since 1.23 SIGTERM waits until the last client has gone. */
async function end(bouncer: ChildProcess): Promise<void> {
  if (bouncer.exitCode !== null || bouncer.signalCode !== null) return
  const ended = once(bouncer, 'exit')
  bouncer.kill('SIGQUIT')
  await ended
}

async function run(url: string, command: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(command)
  await client.end()
}
