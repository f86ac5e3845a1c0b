// Slow: processes that are started and stopped.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { COMPILED } from '../../../test/support/environment.ts'
import { configWith, describeSettings } from './config.ts'
import { readConfig } from './read-config.ts'
import { FILE_LIMITS, PROVIDER_SETTINGS, VARIABLES } from './settings.ts'

const SOUND = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://swapbell@db.internal/swapbell?sslmode=verify-full',
  EXPO_ACCESS_TOKEN: 'a token of the provider',
  JWT_SECRET: 'q7Zt0m3Rk9Xw2Vb8Nc5Ly1Hd6Sg4Pf0J',
  PUSH_PROVIDER: 'expo',
}

const OF_LOGIN =
  'RATE_LIMIT_OVERRIDES must give "login" {"calls": 0 to 9999999, "seconds": 1 to 999999}, in whole numbers.'

describe('the settings', () => {
  test('that are limits are in docs/operations.md, each with its default and its sentence, and no others', async () => {
    const page = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
    const [, section = ''] = /^## Settings$(.*?)^### Settings that are refused$/ms.exec(page) ?? []
    const rows = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    const documented = rows.flatMap(([, name = '', fallback, doc]) =>
      name.startsWith('`') ? [[name, fallback, doc]] : [],
    )
    const limits = describeSettings(FILE_LIMITS)
    const ofProviders = Object.keys(PROVIDER_SETTINGS)
    expect(describeSettings(VARIABLES).length - ofProviders.length).toBeLessThanOrEqual(38)
    expect(documented).toEqual(
      limits.map(({ name, fallback, doc }) => [`\`${name}\``, fallback === '' ? 'none' : `\`${fallback}\``, doc]),
    )
  })

  test('have their defaults where nothing is set, and an empty variable sets nothing', () => {
    const secret = { JWT_SECRET: SOUND.JWT_SECRET, EXPO_BASE_URL: 'http://127.0.0.1:3200' }
    expect(readConfig({ ...secret, PORT: '', ADMIN_EMAIL: '', PUSH_RATE_PER_SECOND: ' ' })).toEqual({
      config: configWith(secret),
    })
  })

  test('are read from their text: numbers, and lists without their blanks', () => {
    const env = {
      ...SOUND,
      PORT: ' 8080 ',
      LINK_SCHEMES: 'swapbell, https,',
      TRUSTED_PROXIES: '10.0.0.0/8,::1',
    }
    expect(readConfig(env)).toMatchObject({
      config: {
        PORT: 8080,
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
    LOG_LEVEL: 'zloud',
  }

  test('are reported together with the unsafe ones', () => {
    expect(toFaults({ ...SOUND, PORT: 'zport', JWT_SECRET: '' })).toHaveLength(2)
  })

  test('are all named together, and no value is shown', () => {
    const faults = toFaults(UNREADABLE)
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['PROCESS', 'PORT', 'LOG_LEVEL'])
    expect(faults.join('\n')).not.toMatch(/zqueue|zport|zloud/)
  })
})

describe('the file of the limits', () => {
  const RATE = '{"calls": 30, "seconds": 60}'

  test('replaces the defaults that it names, in every unit of a number', () => {
    const text = `{"DATABASE_POOL": 8, "PUSH_TIMEOUT_SECONDS": 0.5, "RATE_LIMIT_OVERRIDES": {"register": ${RATE}}}`
    expect(readConfig({ ...SOUND, LIMITS_FILE: limitsFile(text) })).toMatchObject({
      config: {
        DATABASE_POOL: 8,
        PUSH_TIMEOUT_SECONDS: 0.5,
        RATE_LIMIT_OVERRIDES: { register: { calls: 30, seconds: 60 } },
        RETENTION_DAYS: 90,
      },
    })
  })

  test.for([
    ['{"RETENTON_DAYS": 30}', 'LIMITS_FILE has the unknown key "RETENTON_DAYS".'],
    ['{"PORT": 30}', 'LIMITS_FILE has the unknown key "PORT".'],
    ['{"RETENTION_DAYS": 30}', 'RETENTION_DAYS must be a number from 31 to 36500.'],
    ['{"RETENTION_DAYS": "90"}', 'RETENTION_DAYS must be a number from 31 to 36500.'],
    ['{"RETENTION_DAYS": null}', 'RETENTION_DAYS must be a number from 31 to 36500.'],
    ['{"DATABASE_POOL": 8.5}', 'DATABASE_POOL must be a whole number.'],
    ['{"RATE_LIMIT_OVERRIDES": 3}', 'RATE_LIMIT_OVERRIDES must be an object with a request limit in each key.'],
    [`{"RATE_LIMIT_OVERRIDES": {"logn": ${RATE}}}`, 'RATE_LIMIT_OVERRIDES has the unknown key "logn".'],
    ['{"RATE_LIMIT_OVERRIDES": {"login": {"calls": 30}}}', OF_LOGIN],
    ['{"RATE_LIMIT_OVERRIDES": {"login": {"calls": -1, "seconds": 60}}}', OF_LOGIN],
    ['{"RATE_LIMIT_OVERRIDES": {"login": {"calls": 30, "seconds": 60, "by": "ip"}}}', OF_LOGIN],
    ['[]', 'LIMITS_FILE cannot be read: it is not a JSON object.'],
    ['JWT_SECRET=zsecret', 'LIMITS_FILE cannot be read: it is not JSON.'],
  ] as const)('%s is refused by a sentence that names the key', ([text, fault]) => {
    expect(toFaults({ ...SOUND, LIMITS_FILE: limitsFile(text) })).toEqual([fault])
  })

  test('must be there', () => {
    expect(toFaults({ ...SOUND, LIMITS_FILE: '/nowhere/limits.json' })).toEqual([
      expect.stringMatching(/^LIMITS_FILE cannot be read: ENOENT/),
    ])
  })

  test('gives way to a variable of the same name', () => {
    const file = limitsFile('{"RETENTION_DAYS": 400, "PUSH_RETRY_LIMIT": 5}')
    const read = readConfig({ ...SOUND, LIMITS_FILE: file, RETENTION_DAYS: '500' })
    expect(read).toMatchObject({ config: { RETENTION_DAYS: 500, PUSH_RETRY_LIMIT: 5 } })
    expect(toFaults({ ...SOUND, RATE_LIMIT_OVERRIDES: 'secret' })).toEqual([
      'RATE_LIMIT_OVERRIDES must be an object with a request limit in each key.',
    ])
  })
})

describe('settings that are unsafe', () => {
  test('are refused everywhere: a short secret, half an administrator, a proxy that is no network', () => {
    const env = {
      JWT_SECRET: 'zshort',
      JWT_PREVIOUS_SECRET: 'zolder',
      ADMIN_PASSWORD: 'zpass',
      TRUSTED_PROXIES: 'proxy.internal',
      ACCEPTED_RISKS: 'zrisk',
      LINK_SCHEMES: 'zswap:',
      LIMITS_FILE: limitsFile('{"PUSH_TIMEOUT_SECONDS": 20, "PUSH_LEASE_SECONDS": 29}'),
    }
    const faults = toFaults(env)
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'JWT_SECRET',
      'JWT_PREVIOUS_SECRET',
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
      'TRUSTED_PROXIES',
      'ACCEPTED_RISKS',
      'LINK_SCHEMES',
      'PUSH_LEASE_SECONDS',
      'EXPO_BASE_URL',
    ])
    expect(faults.join('\n')).not.toMatch(/zshort|zolder|zpass|zrisk|zswap|proxy\.internal/)
  })

  test('keep the metrics off the API’s port', () => {
    expect(toFaults({ ...SOUND, PORT: '3000', METRICS_PORT: '3000' })).toEqual([
      expect.stringContaining('METRICS_PORT'),
    ])
    for (const fine of [{ METRICS_PORT: '9464' }, { METRICS_PORT: '3000', PROCESS: 'worker' }, {}])
      expect(readConfig({ ...SOUND, PORT: '3000', ...fine })).toHaveProperty('config')
  })

  test('need a scheme of the app’s own, to which the service’s pushes lead', () => {
    expect(toFaults({ ...SOUND, LINK_SCHEMES: 'https' })).toEqual([expect.stringContaining('LINK_SCHEMES')])
    expect(readConfig({ ...SOUND, LINK_SCHEMES: 'https,swapbell' })).toHaveProperty('config')
  })

  test('are refused in production, all at once', () => {
    const faults = toFaults({
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
      ...COMPILED,
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
    ...COMPILED,
    PATH: process.env['PATH'],
    JWT_SECRET: SOUND.JWT_SECRET,
    EXPO_BASE_URL: 'http://127.0.0.1:1',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    PUSH_RATE_PER_SECONDS: 'zfast',
  }
  const service = spawn(process.execPath, [fileURLToPath(new URL('../../main.ts', import.meta.url))], { env })
  let said = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  await expect
    .poll(() => said)
    .toContain('PUSH_RATE_PER_SECONDS is not a setting and is ignored: PUSH_RATE_PER_SECOND is.')
  service.kill('SIGKILL')
  await once(service, 'close')
  expect(said).not.toContain('zfast')
})

function limitsFile(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'limits-')), 'limits.json')
  writeFileSync(file, text)
  return file
}

function toFaults(env: Record<string, string>): string[] {
  const read = readConfig(env)
  return 'faults' in read ? read.faults : []
}
