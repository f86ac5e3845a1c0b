import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../local-postgres/src/embedded.ts'
import { otherPrograms } from '../../server/test/support/postgres.ts'
import { CITUS_SETTINGS } from '../torture/environments/divided.ts'
import { readPostmaster } from '../../server/test/support/process-table.ts'
import { makeDataDir, type Nodes } from './nodes.ts'

const PAGE = new URL('../../docs/divided.md', import.meta.url)
const WORKERS = 2

/** A coordinator and two workers from the folder in TEST_POSTGRES, in which the extension is installed. */
export async function startCitus(): Promise<Nodes> {
  const programs = otherPrograms()
  if (programs === undefined) throw new Error('TEST_POSTGRES must name the folder of a PostgreSQL with Citus.')
  const servers: EmbeddedPostgres[] = []
  for (let n = 0; n <= WORKERS; n++) {
    const dataDir = await makeDataDir()
    const server = await startEmbeddedPostgres({ dataDir, programs, settings: CITUS_SETTINGS, log: () => undefined })
    // The servers have no passwords for each other.
    await writeFile(join(server.data, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
    await run(server.url, ['select pg_reload_conf()', 'create extension citus'])
    servers.push(server)
  }
  const [coordinator = '', ...workers] = servers.map(({ url }) => url)
  await run(coordinator, [
    `select citus_set_coordinator_host(${toAddress(coordinator)})`,
    ...workers.map((url) => `select citus_add_node(${toAddress(url)})`),
  ])
  return {
    url: coordinator,
    postmasters: await Promise.all(servers.map(readPostmaster)),
    evenOut: async () => run(coordinator, await readEveningOut()),
    remove: async () => {
      for (const server of servers) await server.remove()
    },
  }
}

function toAddress(url: string): string {
  return `'127.0.0.1', ${new URL(url).port}`
}

/** The statements of the page, one by one: Citus moves homes in transactions of its own. */
async function readEveningOut(): Promise<string[]> {
  const [, block] = /<<'SQL'\n(create function homes_of_shard[\s\S]*?)\nSQL\n/.exec(await readFile(PAGE, 'utf8')) ?? []
  if (block === undefined) throw new Error('docs/divided.md does not say how homes are evened out.')
  return block.split(/;\n/)
}

async function run(url: string, statements: string[]): Promise<void> {
  const client = new Client(url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
