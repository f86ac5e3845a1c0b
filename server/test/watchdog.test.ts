// For CI: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { environmentWith } from './support/environment.ts'
import { cloneTemplate } from './support/service.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const SECONDS = 4

/** Loaded before the service: on this signal its event loop is blocked for ever. */
const BLOCKING = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  function standStill() { writeSync(1, 'it is blocked\\n'); for (;;); }
  process.on('SIGUSR2', standStill)
`)}`

/** The service as it is started in production, once it is ready. */
async function startedAs(part: 'web' | 'worker'): Promise<{ child: ChildProcess; logged: () => string; url: string }> {
  const database = await cloneTemplate()
  const settings = {
    PROCESS: part,
    PORT: '0',
    DATABASE_URL: database.url,
    JWT_SECRET: 'a key for signing that only this test knows, 64 bytes or so',
    EXPO_BASE_URL: 'http://127.0.0.1:1',
    WATCHDOG_SECONDS: String(SECONDS),
  }
  const environment = await environmentWith(settings, await mkdtemp(join(tmpdir(), 'limits-')))
  const child = spawn(process.execPath, ['--import', BLOCKING, MAIN], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await database.drop()
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ url?: string } | number]
  if (typeof message !== 'object') throw new Error(`The process ended with ${message}: ${output}`)
  return { child, logged: () => output, url: message.url ?? '' }
}

test.for(['web', 'worker'] as const)(
  'a %s process whose event loop is blocked ends itself and says where',
  async (part) => {
    const { child, logged } = await startedAs(part)
    const from = performance.now()
    child.kill('SIGUSR2')
    await expect.poll(logged).toContain('it is blocked')
    // It is deaf to this.
    child.kill('SIGTERM')
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    expect([code, signal]).toEqual([null, 'SIGKILL'])
    expect(performance.now() - from).toBeGreaterThan(SECONDS * 1_000)
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes('the event loop is blocked'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'fatal',
      time: expect.stringMatching(/Z$/) as string,
      seconds: SECONDS,
      at: expect.arrayContaining([expect.stringMatching(/^standStill /)]) as string[],
    })
  },
)

test('a process that was stopped, as by a sleeping machine, continues where it was', async () => {
  const { child, logged, url } = await startedAs('web')
  child.kill('SIGSTOP')
  await sleep(SECONDS * 1_500)
  child.kill('SIGCONT')
  await sleep(SECONDS * 1_000)
  expect(logged()).not.toContain('is blocked')
  expect([child.exitCode, child.signalCode]).toEqual([null, null])
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(logged()).not.toContain('is blocked')
})
