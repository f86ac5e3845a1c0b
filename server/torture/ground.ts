import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { connect } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { startQueue } from '../src/jobs/queue.ts'
import { createLog } from '../src/shared/log.ts'
import { startPostgres } from '../test/support/postgres.ts'

/** What all scenarios stand on: one PostgreSQL that can be restarted and killed, and a folder for what they write. */
export type Ground = {
  folder: string
  /** A migrated database of its own; its address. */
  newDatabase(name: string): Promise<string>
  /** Stops PostgreSQL, in order or at once, lets `awayMs` pass and starts it at the same address. */
  restart(how: 'fast' | 'immediate', awayMs: number): Promise<void>
  isUp(): Promise<boolean>
  /** Ends everything; the folder stays when asked to. */
  close(keepFolder: boolean): Promise<void>
}

// No setting that risks what was committed when a process of PostgreSQL dies; only the machine must not.
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200' }
const TEMPLATE = 'template'

export async function startGround(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-torture-'))
  const dataDir = join(folder, 'postgres')
  await mkdir(dataDir)
  const start = (port?: number) => startPostgres({ dataDir, settings: SETTINGS, ...(port && { port }) })
  let postgres = await start()
  const address = (database: string) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href
  await prepareTemplate(postgres.url, address(TEMPLATE))

  const restart = async (how: 'fast' | 'immediate', awayMs: number) => {
    const port = Number(new URL(postgres.url).port)
    if (how === 'immediate') {
      process.kill(await postmasterOf(postgres.data), 'SIGQUIT')
      await postgres.exited
    }
    await postgres.stop()
    await new Promise((resolve) => setTimeout(resolve, awayMs))
    postgres = await start(port)
  }
  return {
    folder,
    newDatabase: async (name) => {
      await run(postgres.url, `create database "${name}" template ${TEMPLATE}`)
      return address(name)
    },
    restart,
    isUp: async () =>
      run(postgres.url, 'select 1').then(
        () => true,
        () => false,
      ),
    close: async (keepFolder) => {
      await postgres.stop()
      if (!keepFolder) await postgres.remove().then(() => rm(folder, { recursive: true, force: true }))
    },
  }
}

async function prepareTemplate(admin: string, template: string): Promise<void> {
  await run(admin, `create database ${TEMPLATE}`)
  const log = createLog('silent')
  const pool = connect(template, { max: 1, log })
  await migrate(pool, log)
  await pool.end()
  const queue = await startQueue({ url: template, works: false, log })
  await queue.close()
}

async function postmasterOf(data: string): Promise<number> {
  return Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client(url)
  // A server that is killed on purpose ends connections.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(statement)
  await client.end()
}
