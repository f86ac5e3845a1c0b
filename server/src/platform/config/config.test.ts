import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { configWith, describeSettings } from './config.ts'
import { readConfig } from './read-config.ts'

const SOUND = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://swapbell@db.internal/swapbell?sslmode=verify-full',
  EXPO_ACCESS_TOKEN: 'a token of the provider',
  JWT_SECRET: 'q7Zt0m3Rk9Xw2Vb8Nc5Ly1Hd6Sg4Pf0J',
  PUSH_PROVIDER: 'expo',
}

describe('the settings', () => {
  test('are in docs/operations.md, each with its default and its sentence, and no others', async () => {
    const page = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
    const [, section = ''] = /^## Settings$(.*?)^##/ms.exec(page) ?? []
    const rows = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    const documented = rows.flatMap(([, name = '', fallback, doc]) =>
      name.startsWith('`') ? [[name, fallback, doc]] : [],
    )
    const settings = describeSettings()
    expect(settings.length).toBeGreaterThan(20)
    expect(documented).toEqual(
      settings.map(({ name, fallback, doc }) => [`\`${name}\``, fallback === '' ? 'none' : `\`${fallback}\``, doc]),
    )
  })

  test('have their defaults where nothing is set, and an empty variable sets nothing', () => {
    const secret = { JWT_SECRET: SOUND.JWT_SECRET, EXPO_BASE_URL: 'http://127.0.0.1:3200' }
    expect(readConfig({ ...secret, PORT: '', ADMIN_EMAIL: '' })).toEqual({ config: configWith(secret) })
  })

  test('are read from their text: numbers, and lists without their blanks', () => {
    const env = {
      ...SOUND,
      PUSH_RETRY_DELAY_SECONDS: ' 0.5 ',
      LINK_SCHEMES: 'swapbell, https,',
      TRUSTED_PROXIES: '10.0.0.0/8,::1',
    }
    expect(readConfig(env)).toMatchObject({
      config: {
        PUSH_RETRY_DELAY_SECONDS: 0.5,
        LINK_SCHEMES: ['swapbell', 'https'],
        TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
      },
    })
  })
})

describe('settings that cannot be read', () => {
  const UNREADABLE = {
    ...SOUND,
    PROCESS: 'zqueue',
    PORT: 'zport',
    DATABASE_POOL: '1.5zz',
    PUSH_RATE_PER_SECOND: '-98765',
    PUSH_CONCURRENCY: '98.765',
    LOG_LEVEL: 'zloud',
  }

  test('are reported together with the unsafe ones', () => {
    expect(faultsOf({ ...SOUND, PORT: 'zport', JWT_SECRET: '' })).toHaveLength(2)
  })

  test('are all named together, and no value is shown', () => {
    const faults = faultsOf(UNREADABLE)
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'PROCESS',
      'PORT',
      'DATABASE_POOL',
      'PUSH_RATE_PER_SECOND',
      'PUSH_CONCURRENCY',
      'LOG_LEVEL',
    ])
    expect(faults.join('\n')).not.toMatch(/zqueue|zport|1\.5zz|98765|98\.765|zloud/)
  })
})

describe('settings that are unsafe', () => {
  test('are refused everywhere: a short secret, half an administrator, a proxy that is no network', () => {
    const env = {
      JWT_SECRET: 'zshort',
      JWT_PREVIOUS_SECRET: 'zolder',
      ADMIN_PASSWORD: 'zpass',
      TRUSTED_PROXIES: 'proxy.internal',
      RATE_LIMIT_OVERRIDES: 'login=zmany',
      LINK_SCHEMES: 'zswap:',
      PUSH_TIMEOUT_SECONDS: '20',
      PUSH_LEASE_SECONDS: '29',
    }
    const faults = faultsOf(env)
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'JWT_SECRET',
      'JWT_PREVIOUS_SECRET',
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
      'TRUSTED_PROXIES',
      'RATE_LIMIT_OVERRIDES',
      'LINK_SCHEMES',
      'PUSH_LEASE_SECONDS',
      'EXPO_BASE_URL',
    ])
    expect(faults.join('\n')).not.toMatch(/zshort|zolder|zpass|zmany|zswap|proxy\.internal/)
  })

  test('keep the metrics off the API’s port', () => {
    expect(faultsOf({ ...SOUND, PORT: '3000', METRICS_PORT: '3000' })).toEqual([
      expect.stringContaining('METRICS_PORT'),
    ])
    for (const fine of [{ METRICS_PORT: '9464' }, { METRICS_PORT: '3000', PROCESS: 'worker' }, {}])
      expect(readConfig({ ...SOUND, PORT: '3000', ...fine })).toHaveProperty('config')
  })

  test('need a scheme of the app’s own, to which the service’s pushes lead', () => {
    expect(faultsOf({ ...SOUND, LINK_SCHEMES: 'https' })).toEqual([expect.stringContaining('LINK_SCHEMES')])
    expect(readConfig({ ...SOUND, LINK_SCHEMES: 'https,swapbell' })).toHaveProperty('config')
  })

  test('are refused in production, all at once', () => {
    const faults = faultsOf({
      NODE_ENV: 'production',
      JWT_SECRET: 'please change me, I am an example secret',
      ADMIN_EMAIL: 'admin@swapbell.example',
      ADMIN_PASSWORD: 'admin12345678',
      EXPO_BASE_URL: 'http://exp.host',
      RATE_LIMITS: 'off',
      DEMO_DATA: 'on',
    })
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'PUSH_PROVIDER',
      'EXPO_BASE_URL',
      'RATE_LIMITS',
      'DEMO_DATA',
      'JWT_SECRET',
      'ADMIN_PASSWORD',
    ])
  })

  test('end the process with code 1 and their names, before it opens anything', async () => {
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      JWT_SECRET: 'zshort',
      DATABASE_URL: '',
      PUSH_PROVIDER: 'expo',
    }
    const service = spawn(process.execPath, [fileURLToPath(new URL('../../main.ts', import.meta.url))], { env })
    let said = ''
    for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    expect(await once(service, 'close')).toEqual([1, null])
    expect(said).toContain('JWT_SECRET')
    expect(said).toContain('DATABASE_URL')
    expect(said).not.toContain('zshort')
  })
})

test('a mistyped setting is named in the log at the start', async () => {
  const env = {
    PATH: process.env['PATH'],
    JWT_SECRET: SOUND.JWT_SECRET,
    EXPO_BASE_URL: 'http://127.0.0.1:1',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    DATABASE_WAIT_SECONDS: '0',
    PUSH_RATE_PER_SECONDS: 'zfast',
  }
  const service = spawn(process.execPath, [fileURLToPath(new URL('../../main.ts', import.meta.url))], { env })
  let said = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  expect(await once(service, 'close')).toEqual([1, null])
  expect(said).toContain('PUSH_RATE_PER_SECONDS is not a setting and is ignored: PUSH_RATE_PER_SECOND is.')
  expect(said).not.toContain('zfast')
})

function faultsOf(env: Record<string, string>): string[] {
  const read = readConfig(env)
  return 'faults' in read ? read.faults : []
}
