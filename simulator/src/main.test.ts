// Slow: processes that are started and stopped.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { send } from '../test/simulator.ts'
import { readSettings } from './settings.ts'

const ENTRY = new URL('main.ts', import.meta.url)

/** The simulator as a process of its own, on a free port, unless the environment says otherwise. */
function run(env: Record<string, string>): ChildProcess {
  const child = fork(ENTRY, { env: { ...process.env, SIM_PORT: '0', ...env }, silent: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe('the process', () => {
  it('prints one line, tells its parent the address, serves, and exits 0 on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const child = run({ SIM_ACCESS_TOKEN: 'secret' })
      let output = ''
      child.stdout?.on('data', (chunk) => (output += chunk))
      const [ready] = await once(child, 'message')
      expect(ready).toEqual({ ready: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
      expect((await send(ready, { to: 'ExponentPushToken[a]' })).status).toBe(401)
      child.kill(signal)
      expect(await once(child, 'exit')).toEqual([0, null])
      expect(output).toBe(`Expo push simulator at ${ready.url} (phones: ${ready.url}/)\n`)
    }
  })

  it('tells its parent what PUSH_PROVIDERS_FILE names, if it has the doubles', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'swapbell-main-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [ready] = await once(run({ SIM_PROVIDERS_FOLDER: folder }), 'message')
    expect(ready).toMatchObject({ ready: true, providers: join(folder, 'providers.json') })
  })

  it('exits when its parent is gone', async () => {
    const child = run({})
    await once(child, 'message')
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('names every fault of its settings and exits 1', async () => {
    const child = run({ SIM_PORT: 'x', SIM_RATE_PER_SECOND: '-1' })
    let output = ''
    child.stderr?.on('data', (chunk) => (output += chunk))
    expect(await once(child, 'exit')).toEqual([1, null])
    expect(output).toContain('SIM_PORT must be a whole number')
    expect(output).toContain('SIM_RATE_PER_SECOND must be a whole number')
  })

  it('says so when the port is taken and exits 1', async () => {
    const first = run({})
    const [{ url }] = await once(first, 'message')
    const second = run({ SIM_PORT: new URL(url).port })
    let output = ''
    second.stderr?.on('data', (chunk) => (output += chunk))
    expect(await once(second, 'exit')).toEqual([1, null])
    expect(output).toContain('EADDRINUSE')
  })
})

describe('settings', () => {
  it('reads every variable', () => {
    const env = {
      SIM_PORT: '1',
      SIM_HOST: '::1',
      SIM_HOSTNAMES: 'simulator, Sim.Example',
      SIM_BROWSER_HOSTS: 'push.example, *.push.example',
      SIM_ACCESS_TOKEN: 'a',
      SIM_RATE_PER_SECOND: '0',
      SIM_RECEIPT_DELAY_MS: '2',
      SIM_RECEIPT_TTL_MS: '3',
      SIM_LATENCY_MS: '4',
      SIM_PROVIDERS_FOLDER: 'p',
      SIM_PROVIDERS_PORT: '5',
      SIM_LOG_FILE: 'f',
    }
    expect(readSettings(env)).toEqual({
      faults: [],
      options: {
        port: 1,
        host: '::1',
        hostNames: ['simulator', 'Sim.Example'],
        browserHosts: ['push.example', '*.push.example'],
        accessToken: 'a',
        ratePerSecond: 0,
        receiptDelayMs: 2,
        receiptTtlMs: 3,
        latencyMs: 4,
        providersFolder: 'p',
        providersPort: 5,
        logFile: 'f',
      },
    })
  })
})
