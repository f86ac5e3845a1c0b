// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type QueryResultRow } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { processTable } from '../../server/test/support/process-table.ts'
import { DATA_DIR_IN_USE } from './data-lock.ts'
import { startEmbeddedPostgres, type EmbeddedOptions, type EmbeddedPostgres } from './embedded.ts'
import { processStartedAt } from './process-identity.ts'

const cleanUp: (() => Promise<unknown>)[] = []
const template = await mkdtemp(join(tmpdir(), 'swapbell-embedded-'))

beforeAll(async () => {
  const postgres = await startEmbeddedPostgres({ dataDir: template, log: () => undefined, settings: { fsync: 'off' } })
  await postgres.stop()
})

afterAll(() => rm(template, { recursive: true }))

afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step()
})

test('the first start makes a durable database on loopback, whose trigrams include letters of every script', async () => {
  const postgres = await start(await newFolder(), { settings: {} })
  await query(postgres.url, 'create extension pg_trgm')
  const [row] = await query(
    postgres.url,
    `select current_database() as name, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
       current_setting('listen_addresses') as address, current_setting('unix_socket_directories') as socket,
       upper('zoë') as upper, cardinality(show_trgm('zoë')) as trigrams, current_setting('server_version') as version`,
  )
  expect(row).toMatchObject({ name: 'swapbell', fsync: 'on', commit: 'on', address: '127.0.0.1', socket: '' })
  expect(row).toMatchObject({ upper: 'ZOË', trigrams: 4, version: expect.stringMatching(/^18\./) })
})

test('other users of the machine cannot connect without the password, and only the owner can read its file', async () => {
  const folder = await newCluster()
  const postgres = await start(folder)
  const guessed = postgres.url.replace(/:\w+@/, ':guessed@')
  await expect(query(guessed, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  expect((await stat(join(folder, 'postgres-password'))).mode & 0o777).toBe(0o600)
})

test('only the owner can open its directory, also if others could before', async () => {
  const folder = join(await newFolder(), 'made by the start')
  const first = await start(folder)
  // Where we are root, PostgreSQL's own account passes through, and sees nothing else.
  const closed = process.getuid?.() === 0 ? 0o701 : 0o700
  expect((await stat(folder)).mode & 0o777).toBe(closed)
  await first.stop()
  await chmod(folder, 0o755)
  await start(folder)
  expect((await stat(folder)).mode & 0o077).toBe(process.getuid?.() === 0 ? 0o011 : 0)
})

test('data survives a stop and a start, in a folder whose name has a space', async () => {
  const folder = await newCluster('my data')
  const first = await start(folder)
  await query(first.url, `create table kept as select 'yes' as answer`)
  await first.stop()
  const second = await start(folder)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 'yes' }])
})

test('a directory in use is refused, naming its holder, until the holder stops', async () => {
  const folder = await newCluster()
  const postgres = await start(folder)
  await expect(start(folder)).rejects.toMatchObject({
    code: DATA_DIR_IN_USE,
    message: expect.stringContaining(`process ${process.pid}`),
  })
  await postgres.stop()
  await start(folder)
})

test('when its process is killed, PostgreSQL stops and the directory is free', async () => {
  const folder = await newCluster()
  const holder = await startInAnotherProcess(folder)
  await expect(start(folder)).rejects.toMatchObject({ code: DATA_DIR_IN_USE })
  const postmaster = await postmasterPid(holder.data)
  holder.process.kill('SIGKILL')
  await waitUntil(async () => (await processStartedAt(postmaster)) === undefined)
  await start(folder)
})

test('a PostgreSQL left behind by a killed process is stopped, and what it had acknowledged is there', async () => {
  const folder = await newCluster()
  const holder = await startInAnotherProcess(folder)
  await query(holder.url, `create table kept as select 'yes' as answer`)
  const postmaster = await postmasterPid(holder.data)
  process.kill(findGuard(postmaster), 'SIGKILL')
  holder.process.kill('SIGKILL')
  await once(holder.process, 'exit')
  expect(await query(holder.url, 'select answer from kept')).toEqual([{ answer: 'yes' }])

  const lines: string[] = []
  const postgres = await start(folder, { log: (line) => lines.push(line) })
  expect(lines).toEqual([expect.stringContaining(`process ${postmaster}`)])
  expect(await query(postgres.url, 'select answer from kept')).toEqual([{ answer: 'yes' }])
})

test('a stale pid file does not end another process that has its id now', async () => {
  const folder = await newCluster()
  const first = await start(folder)
  await query(first.url, `create table kept as select 'yes' as answer`)
  const file = join(first.data, 'postmaster.pid')
  const pidFile = await readFile(file, 'utf8')
  const { uid, gid } = await stat(first.data)
  await first.stop()
  const innocent = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {})
  cleanUp.push(async () => innocent.kill())
  await writeFile(file, pidFile.replace(/^\d+/, String(innocent.pid)))

  const second = await start(folder)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 'yes' }])
  expect(innocent.exitCode ?? innocent.signalCode).toBeNull()
})

test('an interrupted initialisation is repeated', async () => {
  const folder = await newCluster()
  const first = await start(folder)
  await first.stop()
  await rm(join(first.data, 'PG_VERSION'))
  execFileSync('mv', [first.data, `${first.data}.new`])
  const second = await start(folder)
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.skipIf(process.getuid?.() !== 0)(
  'started by root in a folder that only root may enter, the data is stored elsewhere and found again',
  async () => {
    const closed = await newFolder()
    await chmod(closed, 0o700)
    const folder = join(closed, 'data')
    const first = await start(folder)
    expect(first.data.startsWith(closed)).toBe(false)
    expect(await readFile(join(folder, 'postgres-location'), 'utf8')).toBe(`${join(first.data, '..')}\n`)
    await query(first.url, `create table kept as select 'yes' as answer`)
    process.kill(await postmasterPid(first.data), 'SIGKILL')
    await first.stop()

    const second = await start(folder)
    expect(second.data).toBe(first.data)
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 'yes' }])
    await second.remove()
    await expect(stat(second.data)).rejects.toMatchObject({ code: 'ENOENT' })
  },
)

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-embedded-'))
  await chmod(folder, 0o711)
  cleanUp.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with a stopped cluster of its own in it. */
async function newCluster(name = 'data'): Promise<string> {
  const folder = join(await newFolder(), name)
  execFileSync('cp', ['-a', template, folder])
  return folder
}

/** Fsync is off unless told otherwise: these tests kill processes, not the machine. */
async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => undefined,
    settings: { fsync: 'off' },
    ...options,
  })
  cleanUp.push(() => postgres.stop())
  return postgres
}

async function query(url: string, sql: string): Promise<QueryResultRow[]> {
  const client = new Client({ connectionString: url })
  // A server that is killed on purpose ends connections.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<QueryResultRow>(sql)
    return rows
  } finally {
    await client.end()
  }
}

async function startInAnotherProcess(dataDir: string): Promise<{ process: ChildProcess; url: string; data: string }> {
  const program = `
    const { startEmbeddedPostgres } = await import(process.argv[1])
    const { url, data } = await startEmbeddedPostgres({ dataDir: process.argv[2], log: () => undefined })
    process.send({ url, data })
    setInterval(() => undefined, 1000)`
  const args = ['--input-type=module', '-e', program, new URL('embedded.ts', import.meta.url).href, dataDir]
  const holder = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  cleanUp.push(async () => holder.kill('SIGKILL'))
  const [started] = await once(holder, 'message')
  return { process: holder, url: String(started.url), data: String(started.data) }
}

async function postmasterPid(data: string): Promise<number> {
  return Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** The process that would stop this PostgreSQL when its parent is gone. */
function findGuard(postmaster: number): number {
  const guard = processTable().find(
    ({ command }) => command.includes('read -r _') && command.endsWith(` ${postmaster}`),
  )
  return guard?.pid ?? Number.NaN
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds).toBe(true)
}
