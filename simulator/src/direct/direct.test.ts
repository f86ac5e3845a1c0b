// Slow: keys are made.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, send, simulatorFor } from '../../test/simulator.ts'
import { fetchWall } from '../../test/wall.ts'
import { AUTHORITY } from '../http2/certificates.ts'
import type { Simulator } from '../server.ts'
import { startSimulator } from '../server.ts'
import { LISTENERS } from './kept.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-direct-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'providers')
}

async function readFolder(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder)
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
}

async function startIn(folder: string, providersPort?: number): Promise<Simulator> {
  return startSimulator({ port: 0, providersFolder: folder, ...(providersPort !== undefined && { providersPort }) })
}

/** One push without a signature to Apple's double: its status. */
async function askApple({ direct }: Simulator): Promise<number> {
  const session = connect(direct?.apple.production.url ?? '', { ca: AUTHORITY })
  const stream = session.request({ ':method': 'POST', ':path': `/3/device/${'ab'.repeat(32)}` })
  stream.end('{}')
  const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
  session.destroy()
  return headers[':status']
}

describe('the doubles beside Expo’s service', () => {
  it('keep keys, ports and addresses in a folder that only the owner reads', async () => {
    const folder = await makeFolder()
    const first = await startIn(folder)
    const before = await readFolder(folder)
    expect(Object.keys(before).toSorted()).toEqual([
      'AuthKey_SWAPBELL01.p8',
      'browsers.pem',
      'google.json',
      'ports.json',
      'providers.json',
    ])
    expect((await stat(folder)).mode & 0o077).toBe(0)
    expect(first.providersFile).toBe(join(folder, 'providers.json'))
    const { providers } = JSON.parse(before['providers.json'] ?? '') as { providers: { kind: string }[] }
    expect(providers.map(({ kind }) => kind)).toEqual(['apns', 'apns', 'fcm', 'web'])
    expect(before['providers.json']).not.toContain('PRIVATE KEY')
    await first.close()
    const second = await startIn(folder)
    expect(await readFolder(folder)).toEqual(before)
    await second.close()
  })

  it('take other ports when theirs are taken, but not in place of those that were given', async () => {
    const folder = await makeFolder()
    const first = await startIn(folder)
    onTestFinished(() => first.close())
    const before = JSON.parse((await readFolder(folder))['ports.json'] ?? '') as Record<string, number>
    const second = await startIn(folder)
    onTestFinished(() => second.close())
    const after = JSON.parse((await readFolder(folder))['ports.json'] ?? '') as Record<string, number>
    for (const name of LISTENERS) expect(after[name]).not.toBe(before[name])
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    await expect(startIn(await makeFolder(), (other.address() as AddressInfo).port)).rejects.toThrow('EADDRINUSE')
  })

  it('are told every mode, and forget it with the script', async () => {
    const simulator = await simulatorFor({ providersFolder: await makeFolder() })
    const mode = async (name: string) => call(`${simulator.url}/simulator/mode`, 'POST', { mode: name })
    await mode('refuses-credentials')
    expect(await askApple(simulator)).toBe(403)
    await mode('lost-answer')
    await send(simulator, { to: 'ExponentPushToken[a]', title: 'A' })
    expect((await fetchWall(simulator)).mode).toBe('lost-answer')
    await call(`${simulator.url}/simulator/script`, 'DELETE')
    expect((await fetchWall(simulator)).mode).toBe('works')
    expect(await askApple(simulator)).toBe(403)
    expect((await fetchWall(simulator)).traffic.at(-1)).toMatchObject({ provider: 'apns', answer: 403, refused: 1 })
    expect(simulator.state()).toMatchObject({ directRequests: 2, directRefused: 2, acceptedMessages: 1 })
    await call(`${simulator.url}/simulator/reset`, 'POST')
    expect(simulator.state()).toMatchObject({ directRequests: 0, directRefused: 0, acceptedMessages: 0 })
  })
})
