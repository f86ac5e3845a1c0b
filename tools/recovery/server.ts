import { randomBytes } from 'node:crypto'
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { freePort } from '../../local-postgres/src/free-port.ts'
import { openPrograms } from './programs.ts'

/** A PostgreSQL that archives by the files of deploy/pgbackrest, in a folder of its own. */
export type ArchivedServer = Awaited<ReturnType<typeof openArchivedServer>>

const DEPLOY = fileURLToPath(new URL('../../deploy/pgbackrest/', import.meta.url))
const HANGS_AFTER_MS = 2 * 60_000

export async function openArchivedServer() {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-recovery-'))
  const [primary, standby, config] = [join(folder, 'primary'), join(folder, 'standby'), join(folder, 'pgbackrest.conf')]
  const { run, owner } = openPrograms({ PGBACKREST_CONFIG: config, PGBACKREST_LOCK_PATH: join(folder, 'lock') })
  const port = await freePort()
  const password = randomBytes(24).toString('hex')
  const give = async (path: string) => {
    if (owner) await chown(path, owner.uid, owner.gid)
  }
  const write = async (path: string, text: string) => {
    await writeFile(path, text, { mode: 0o600 })
    await give(path)
  }
  await chmod(folder, 0o700)
  await give(folder)
  for (const name of ['repo', 'spool', 'log', 'lock']) {
    await mkdir(join(folder, name), { mode: 0o700 })
    await give(join(folder, name))
  }
  await write(config, placed(await readFile(`${DEPLOY}pgbackrest.conf`, 'utf8'), folder, port))

  const initialize = async () => {
    await write(join(folder, 'password'), password)
    const how = ['--auth-local=peer', '--auth-host=scram-sha-256', `--pwfile=${join(folder, 'password')}`]
    await run('initdb', ['-D', primary, '-U', 'postgres', '--data-checksums', '--encoding=UTF8', ...how])
    const own = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\n`
    await appendFile(join(primary, 'postgresql.conf'), own + (await readFile(`${DEPLOY}archiving.conf`, 'utf8')))
  }
  const url = (database: string, at = port) => `postgres://postgres:${password}@127.0.0.1:${at}/${database}`
  const withClient = async <T>(database: string, work: (client: Client) => Promise<T>, at = port): Promise<T> => {
    const client = new Client(url(database, at))
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  const number = async (statement: string, at = port) =>
    withClient(
      'swapbell',
      async (client) => {
        const { rows } = await client.query<Record<string, unknown>>(statement)
        return Number(Object.values(rows[0] ?? {})[0])
      },
      at,
    )
  const until = async (statement: string, at = port) => {
    const deadline = performance.now() + HANGS_AFTER_MS
    while ((await number(`select (${statement})::int`, at)) !== 1) {
      if (performance.now() > deadline) throw new Error(`It never became true: ${statement}`)
      await sleep(100)
    }
  }
  const control = async (data: string, ...args: string[]) => run('pg_ctl', ['-D', data, '-w', '-t', '120', ...args])
  return {
    folder,
    url,
    withClient,
    number,
    backrest: async (...args: string[]) => run('pgbackrest', ['--stanza=swapbell', ...args]),
    collect: async () => {
      const target = join(folder, 'swapbell-backup.prom')
      await run(join(DEPLOY, 'backup-metrics'), [target])
      return readFile(target, 'utf8')
    },
    initialize,
    start: async () => control(primary, '-l', join(folder, 'log/server.log'), 'start'),
    until,
    /** Builds a standby as docs/recovery.md says, which must stay one when it reads what is written later. */
    buildStandby: async () => {
      await run('sed', ['-i', '/^recovery_target/d', join(primary, 'postgresql.auto.conf')])
      await run('pg_basebackup', ['-D', standby, '-R', '-c', 'fast', '-d', url('postgres')])
      const own = await freePort()
      await control(standby, '-o', `-p ${own}`, '-l', join(folder, 'log/standby.log'), 'start')
      await withClient('swapbell', (client) => client.query('create table written_later ()'))
      await until("pg_is_in_recovery() and to_regclass('written_later') is not null", own)
    },
    /** The machine counts as lost: nothing of it is used again. */
    lose: async () => {
      await control(primary, '-m', 'immediate', 'stop')
      await rename(primary, join(folder, 'lost'))
    },
    close: async () => {
      for (const data of [standby, primary]) await control(data, '-m', 'immediate', 'stop').catch(() => undefined)
      // A process that archives beside the server outlives it for a moment, and may write while its folder is removed.
      await rm(folder, { recursive: true, maxRetries: 20 })
    },
  }
}

/** The configuration of deploy/pgbackrest with the folders of this server. */
function placed(text: string, folder: string, port: number): string {
  return text
    .replace('/srv/swapbell/primary', `${folder}/primary`)
    .replace('/srv/swapbell', folder)
    .replace('/var/lib/pgbackrest', `${folder}/repo`)
    .replace('/var/spool/pgbackrest', `${folder}/spool`)
    .replace('/var/log/pgbackrest', `${folder}/log`)
    .replace('pg1-port=5442', `pg1-port=${port}`)
    .replace('PUT-YOURS-HERE', randomBytes(48).toString('base64'))
}
