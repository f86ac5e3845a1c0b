import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openArchivedServer, type ArchivedServer } from './server.ts'

type DrillReport = {
  /** Rows of users and marks before the accident, and after the recovery to the moment before it. */
  before: { users: number; marks: number }
  recovered: { users: number; marks: number }
  /** Marks that were written after that moment, which must be gone. */
  marksAfterTheMoment: number
  isSendingHalted: boolean
  /** What the collector tells Prometheus. */
  metrics: string
  /** The time from the loss of the server until its successor accepts writes. */
  secondsToRecover: number
}

const USERS = 2_000
const MARKS = 200
const JWT_SECRET = 'only-for-a-drill-on-one-machine-0123456789'

const MANAGE = fileURLToPath(new URL('../../server/src/commands/manage.ts', import.meta.url))
const execute = promisify(execFile)

/**
 * Backs up a server of its own, writes on, drops the table of users, loses the server, and recovers it to the moment
 * before the accident.
 */
export async function drillRecovery(say: (line: string) => void): Promise<DrillReport> {
  const server = await openArchivedServer()
  try {
    await fill(server)
    say(`${USERS} users are in the database.`)
    await server.backrest('--type=full', 'backup')
    say('A full backup, encrypted, is in the repository.')
    // pgBackRest notes the end by the second, and takes a backup only for a target in a later one.
    const backedUpAt = await server.number('select extract(epoch from clock_timestamp())')
    await server.until(`(extract(epoch from clock_timestamp()) >= ${Math.floor(backedUpAt) + 1})`)
    const before = await mark(server)
    const moment = await server.withClient('swapbell', async (client) => {
      const { rows } = await client.query<{ moment: string }>('select clock_timestamp()::text as moment')
      return rows[0]!.moment
    })
    const later = await mark(server)
    await server.withClient('swapbell', (client) => client.query('drop table users cascade'))
    say(`The table of users was dropped after ${moment}.`)
    await archiveAll(server)
    const lostAt = performance.now()
    await server.lose()
    say('The server is lost.')
    await server.backrest('--type=time', `--target=${moment}`, '--target-action=promote', 'restore')
    await server.start()
    await server.until('not pg_is_in_recovery()')
    const secondsToRecover = (performance.now() - lostAt) / 1_000
    const recovered = await count(server)
    say(await manage(server, 'after-recovery'))
    await server.buildStandby()
    say('A new standby reads what is written.')
    return {
      before,
      recovered,
      marksAfterTheMoment: later.marks - before.marks,
      isSendingHalted: (await server.number("select count(*) from provider_state where breaker <> 'halted'")) === 0,
      metrics: await server.collect(),
      secondsToRecover,
    }
  } finally {
    await server.close()
  }
}

async function fill(server: ArchivedServer): Promise<void> {
  await server.initialize()
  await server.start()
  await server.backrest('stanza-create')
  await server.backrest('check')
  await server.withClient('postgres', (client) => client.query('create database swapbell'))
  await manage(server, 'migrate')
  await manage(server, 'generate-load', '--users', String(USERS), '--activity', String(USERS * 10))
  await server.withClient('swapbell', (client) => client.query('create table marks (id bigserial primary key)'))
}

/** Each mark is a transaction of its own. */
async function mark(server: ArchivedServer) {
  await server.withClient('swapbell', async (client) => {
    for (let n = 0; n < MARKS; n++) await client.query('insert into marks default values')
  })
  return count(server)
}

async function count(server: ArchivedServer) {
  return {
    users: await server.number('select count(*) from users'),
    marks: await server.number('select count(*) from marks'),
  }
}

async function archiveAll(server: ArchivedServer): Promise<void> {
  const segment = await server.withClient('swapbell', async (client) => {
    const { rows } = await client.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment')
    return rows[0]!.segment
  })
  await server.until(`(select last_archived_wal >= '${segment}' from pg_stat_archiver)`)
}

async function manage(server: ArchivedServer, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: server.url('swapbell'), JWT_SECRET }
  const { stdout } = await execute(process.execPath, [MANAGE, ...args], { env })
  return stdout.trim()
}
