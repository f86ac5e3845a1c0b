// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { startEmbeddedPostgres } from '../local-postgres/src/embedded.ts'
import { processStartedAt } from '../local-postgres/src/process-identity.ts'
import { withPool } from '../server/src/platform/db/connect.ts'
import { createLog } from '../server/src/platform/shared/log.ts'
import { COMPILED } from '../server/test/support/environment.ts'
import { listDescendants, type ProcessRow } from '../server/test/support/process-table.ts'
import { isInstalled } from '../server/test/support/programs.ts'
import { waitUntilFree } from './port.ts'
import { readTrialSettings } from './trial-settings.ts'

// Ends only what hangs.
const LIMIT_MS = 600_000
const folder = await mkdtemp(join(tmpdir(), 'swapbell-trial-'))
// Where we are root, PostgreSQL runs as another account: it must get through.
await chmod(folder, 0o711)
const dataDir = join(folder, 'the data')
const hasCurl = isInstalled('curl')

afterAll(() => rm(folder, { recursive: true, force: true }))

test.skipIf(!hasCurl)('the commands that a trial prints work, and SIGTERM ends all processes', async () => {
  const trial = await startTrial()
  const commands = trial.output.match(/^(?:API|TOKEN|curl).*$/gm) ?? []
  expect(commands).toHaveLength(4)
  const { stdout } = await promisify(execFile)('sh', ['-c', commands.join('\n')])
  const [sent, listed] = stdout.trim().split('\n')
  expect(JSON.parse(sent ?? '')).toMatchObject({ success: true, data: { notification_id: expect.any(Number) } })
  expect(JSON.parse(listed ?? '')).toMatchObject({ success: true, data: [{ title: 'Hello' }] })

  const parts = listDescendants(trial.process.pid ?? 0)
  expect(parts.length).toBeGreaterThan(3)
  trial.process.kill('SIGTERM')
  expect(await once(trial.process, 'exit')).toEqual([0, null])
  await haveEnded(parts)
})

test('a second start keeps data and password, ten phones sign in, and if the server dies the trial logs it and ends with code 1', async () => {
  const secrets = await readFile(join(dataDir, 'trial.json'), 'utf8')
  expect((await stat(join(dataDir, 'trial.json'))).mode & 0o777).toBe(0o600)
  const trial = await startTrial()
  expect(await readFile(join(dataDir, 'trial.json'), 'utf8')).toBe(secrets)

  const wall = /Wall of phones +(\S+)/.exec(trial.output)?.[1]
  await vi.waitFor(async () => {
    const { phones } = (await (await fetch(`${wall}/simulator/phones`)).json()) as {
      phones: { user: unknown; kind: string }[]
    }
    const signedIn = phones.filter(({ user }) => user !== null)
    expect(signedIn).toHaveLength(10)
    expect(new Set(signedIn.map(({ kind }) => kind))).toEqual(new Set(['expo', 'apns', 'apns-sandbox', 'fcm', 'web']))
  }, LIMIT_MS)

  const parts = listDescendants(trial.process.pid ?? 0)
  const server = parts.find(({ command }) => command.includes('server/src/main.ts'))
  process.kill(server?.pid ?? 0, 'SIGKILL')
  expect(await once(trial.process, 'exit')).toEqual([1, null])
  expect(trial.said()).toContain('The server has ended (signal SIGKILL)')
  await haveEnded(parts)
})

test.each([
  { killed: 'the trial', command: 'exec "$@"' },
  { killed: 'npm', command: '"$@"; true' },
])('when $killed is killed, its parts end by themselves', async ({ command }) => {
  const trial = await startTrial(command)
  const parts = listDescendants(trial.process.pid ?? 0)
  trial.process.kill('SIGKILL')
  await haveEnded(parts)
})

test('PUSH_PROVIDER=expo sends to Expo, and nothing of the demonstration', async () => {
  const asked: string[] = []
  const expo = createHttpServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('content-type', 'application/json').end('{"data":[{"status":"ok","id":"ticket-1"}]}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void expo.close())
  await once(expo, 'listening')
  const { port } = expo.address() as AddressInfo
  const trial = await startTrial('exec "$@"', {
    PUSH_PROVIDER: 'expo',
    EXPO_BASE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: join(folder, 'expo'),
  })
  expect(trial.output).toContain('Push provider    Expo')
  const api = /API +(http\S+)/.exec(trial.output)?.[1] ?? ''
  const [, email, password] = /Sign in with +(\S+)\s+Password +(\S+)/.exec(trial.output) ?? []
  const post = async (path: string, body: unknown, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as { data: Record<string, unknown> } }
  }
  const { token } = (await post('/api/admin/v1/login', { email, password })).body.data as { token: string }
  const phone = { token: 'ExponentPushToken[of-a-real-phone]', device_id: 'mine', platform: 'ios' }
  expect((await post('/api/user/save-phone-token', phone, token)).status).toBeLessThan(300)
  const words = { title: 'Hello', text: 'From the trial', user_ids: [1] }
  expect((await post('/api/admin/send-system-notification', words, token)).status).toBeLessThan(300)
  await vi.waitFor(
    () => expect(asked.filter((url) => url.startsWith('/--/api/v2/push/send'))).toHaveLength(1),
    LIMIT_MS,
  )
  trial.process.kill('SIGTERM')
  await once(trial.process, 'exit')
})

test('the data of a version before 1.0 are refused, with the folder to remove', async () => {
  const old = join(folder, 'old')
  const postgres = await startEmbeddedPostgres({ dataDir: old, log: () => undefined })
  await withPool(postgres.url, { max: 1, log: createLog('silent') }, (pool) =>
    pool.query(`create table schema_migrations (name text, hash text);
      insert into schema_migrations values ('0001_accounts.sql', 'of then')`),
  )
  await postgres.stop()
  await expect(startTrial('exec "$@"', { DATA_DIR: old })).rejects.toThrow(
    `made by Swapbell 0.3 or earlier, which this version cannot take over. To begin anew, remove the folder ${old},`,
  )
})

test('a port that is taken is refused, naming the setting and, on Linux, the process', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const holder = process.platform === 'linux' ? `process ${process.pid} (` : 'another program'
  const refusal = waitUntilFree('PORT', '127.0.0.1', port, 0)
  await expect(refusal).rejects.toThrow(`Port ${port} is taken by ${holder}`)
  await expect(refusal).rejects.toThrow(`PORT=${port + 1} npm start`)
  other.close()
  await once(other, 'close')
  await waitUntilFree('PORT', '127.0.0.1', port, 0)
})

test('an invalid port is refused with the name of its setting', () => {
  expect(() => readTrialSettings({ PORT: 'http' })).toThrow('PORT must be a port number (0 to 65535), not "http".')
  expect(() => readTrialSettings({ SIM_PORT: '70000' })).toThrow('SIM_PORT')
})

/** Through a shell, as npm does it. Whatever becomes of the test, nothing of the trial is left. */
async function startTrial(command = 'exec "$@"', env: NodeJS.ProcessEnv = {}) {
  const own = {
    ...COMPILED,
    PORT: '0',
    SIM_PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    HOST: '',
    npm_lifecycle_event: 'start',
  }
  const program = [process.execPath, fileURLToPath(new URL('start.ts', import.meta.url))]
  const trial = spawn('sh', ['-c', command, 'sh', ...program], {
    env: { ...process.env, ...own, NODE_OPTIONS: '', ...env },
  })
  const parts: ProcessRow[] = []
  const findParts = () => parts.push(...listDescendants(trial.pid ?? 0))
  onTestFinished(async () => {
    findParts()
    trial.kill('SIGKILL')
    for (const { pid } of parts) kill(pid)
    await haveEnded(parts)
  })
  let output = ''
  for (const stream of [trial.stdout, trial.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const isReady = () => {
    if (trial.exitCode !== null) throw new Error(`The trial has ended: ${output}`)
    return output.includes('Ctrl-C stops everything')
  }
  await vi.waitUntil(isReady, { timeout: LIMIT_MS })
  findParts()
  return { process: trial, output, said: () => output }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

async function haveEnded(processes: ProcessRow[]): Promise<void> {
  for (const { pid } of processes)
    await vi.waitUntil(async () => (await processStartedAt(pid)) === undefined, { timeout: LIMIT_MS })
}
