import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './read-config.ts'
import { LIMITS } from './request-limits.ts'

const SOUND = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://swapbell@db.internal/swapbell?sslmode=verify-full',
  JWT_SECRET: 'q7Zt0m3Rk9Xw2Vb8Nc5Ly1Hd6Sg4Pf0J',
  PUSH_PROVIDER: 'expo',
  EXPO_ACCESS_TOKEN: 'a token of the provider',
  ADMIN_EMAIL: 'root@swapbell.example',
  ADMIN_PASSWORD: 'k3vq-8m2x-t7ph-wz4n',
}

const OTHER = 'Zr8w1Qm5Xk2Tv9Lb4Nc7Hd0Sg3Pf6JyA'

type Env = Record<string, string>

const MAIL = { MAIL_FROM: 'Swapbell <no-reply@swapbell.example>', MAIL_LINK_BASE: 'https://panel.example' }

describe('Production', () => {
  test('accepts safe settings', () => {
    expect(toFaults({})).toEqual([])
    expect(toFaults({ PANEL_ORIGIN: 'https://panel.example.com:8443' })).toEqual([])
  })

  test.for<[name: string, value: string, also?: Env]>([
    ['DATABASE_URL', ''],
    ['RATE_LIMITS', 'off'],
    ['DEMO_DATA', 'on'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
    ['TRUSTED_PROXIES', '0.0.0.0/1,128.0.0.0/1'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,0.0.0.0/2,64.0.0.0/2'],
    ['TRUSTED_PROXIES', '::ffff:0.0.0.0/96'],
    ['TRUSTED_PROXIES', '::/64'],
    ['TRUSTED_PROXIES', '2000::/3'],
    ['TRUSTED_PROXIES', '2002::/16'],
    ['TRUSTED_PROXIES', '2600::/12'],
    ['TRUSTED_PROXIES', '64:ff9b::/96'],
    ['TRUSTED_PROXIES', Array.from({ length: 32 }, (_, n) => `${n * 8}.0.0.0/8`).join()],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://panel.example.com,*'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'panel.swapbell.example'],
    ['CORS_ORIGINS', 'https://panel.example.com/'],
    ['PANEL_ORIGIN', 'https://panel.example.com/'],
    ['PANEL_ORIGIN', 'http://panel.example.com'],
    ['PANEL_ORIGIN', 'https://192.0.2.1'],
    ['PANEL_ORIGIN', 'https://[::1]'],
    ['PANEL_ORIGIN', 'panel.swapbell.example'],
    ['LINK_SCHEMES', 'javascript,https'],
    ['LINK_SCHEMES', 'swapbell,JavaScript'],
    ['LINK_SCHEMES', 'data'],
    ['LINK_SCHEMES', 'file'],
    ['LINK_SCHEMES', 'vbscript'],
    ['LINK_SCHEMES', 'intent'],
    ['JWT_SECRET', 'a'.repeat(48)],
    ['JWT_SECRET', 'abcd'.repeat(12)],
    ['JWT_SECRET', '0123456789abcdef0123456789abcdef'],
    ['JWT_SECRET', 'keyboard cat keyboard cat keyboard cat'],
    ['JWT_SECRET', 'your-256-bit-secret-your-256-bit-secret'],
    ['JWT_SECRET', 'swapbellswapbellswapbellswapbell'],
    ['JWT_SECRET', 'swapbell-production-jwt-signing-key-v1'],
    ['JWT_SECRET', 'qazwsxedcrfvtgbyhnujmikolpqazwsxedcrfv'],
    ['JWT_SECRET', 'replace-this-with-a-random-string-of-32-bytes'],
    ['SUBSCRIPTION_WEBHOOK_SECRET', 'a'.repeat(40)],
    ['SUBSCRIPTION_WEBHOOK_SECRET', 'change-me-change-me-change-me-change-me'],
    ['SUBSCRIPTION_WEBHOOK_SECRET', `${OTHER},${'webhook-secret-'.repeat(3)}`],
    ['SUBSCRIPTION_WEBHOOK_SECRET', SOUND.JWT_SECRET],
    ['SUBSCRIPTION_WEBHOOK_SECRET', `${OTHER},${OTHER}`],
    ['AUDIT_SECRET', SOUND.JWT_SECRET],
    ['SECOND_FACTOR_SECRET', OTHER, { AUDIT_SECRET: OTHER }],
    ['JWT_PREVIOUS_SECRET', SOUND.JWT_SECRET],
    ['JWT_PREVIOUS_SECRET', 'b'.repeat(32)],
    ['AUDIT_SECRET', 'xyz'.repeat(12)],
    ['AUDIT_PREVIOUS_SECRET', '1'.repeat(40)],
    ['AUDIT_SECRET', 'short'],
    ['JWT_SECRET', `${SOUND.JWT_SECRET}|${OTHER}`],
    ['AUDIT_SECRET', `${OTHER}|`],
    ['SECOND_FACTOR_SECRET', `|${OTHER}`],
    ['APPROVALS', 'sends'],
    ['APPROVALS', 'sends,bulk-changes'],
    ['APPROVALS', 'roles,everything'],
    ['ADMIN_PASSWORD', 'aaaaaaaaaaaa'],
    ['ADMIN_PASSWORD', 'abcabcabcabc'],
    ['ADMIN_PASSWORD', '123456789012'],
    ['ADMIN_PASSWORD', 'qwertyuiopas'],
    ['ADMIN_PASSWORD', 'Passw0rd1234'],
    ['ADMIN_PASSWORD', SOUND.ADMIN_EMAIL],
    ['ADMIN_PASSWORD', 'Swapbell1234'],
    ['ADMIN_EMAIL', 'admİn@swapbell.example'],
    ['EXPO_ACCESS_TOKEN', ''],
    ['FIREBASE_DATABASE_URL', 'http://127.0.0.1:9000'],
    ['FIREBASE_DATABASE_URL', 'https://collector.example', { FIREBASE_SERVICE_ACCOUNT: '/key.json' }],
    ['FIREBASE_SERVICE_ACCOUNT', '{}', { FIREBASE_DATABASE_URL: 'https://a-default-rtdb.firebaseio.com' }],
    ['MAIL_URL', 'https://mail.example', MAIL],
    ['MAIL_URL', 'smtp://user@mail.example', MAIL],
    ['MAIL_FROM', 'Swapbell', { ...MAIL, MAIL_URL: 'smtps://mail.example' }],
    ['MAIL_LINK_BASE', 'http://panel.example', { ...MAIL, MAIL_URL: 'smtps://mail.example' }],
    ['MAIL_LINK_BASE', 'https://panel.example/?next=', { ...MAIL, MAIL_URL: 'smtps://mail.example' }],
    ['MAIL_LINK_BASE', 'javascript:alert', { ...MAIL, MAIL_URL: 'smtps://mail.example' }],
    ['EXPO_BASE_URL', 'http://exp.host'],
    ['EXPO_BASE_URL', 'https://exp.host.evil.example'],
    ['EXPO_BASE_URL', 'https://user@exp.host'],
    ['EXPO_BASE_URL', 'https://collector.example'],
    ['EXPO_BASE_URL', 'http://collector.example', { ACCEPTED_RISKS: 'provider-elsewhere' }],
    ['DATABASE_URL', 'postgres://swapbell@db.internal/swapbell'],
    ['DATABASE_URL', 'postgres://swapbell@db.internal/swapbell?sslmode=disable'],
    ['DATABASE_URL', 'postgres://swapbell@db.internal/swapbell?sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://swapbell@db.internal/swapbell?sslmode=require&uselibpqcompat=true'],
    ['DATABASE_URL', 'postgres://swapbell@db.internal/swapbell?sslmode=verify-full&sslmode=disable'],
    ['DATABASE_URL', 'postgres://swapbell@/swapbell?host=db.internal'],
    ['DATABASE_URL', 'postgres://swapbell@db.internal/swapbell', { ACCEPTED_RISKS: 'database-unverified' }],
  ])('refuses %s=%s by name, and never tells the value', ([name, value, also = {}]) => {
    const faults = toFaults({ ...also, [name]: value })
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} `))])
    // Short ones may be words of the sentence.
    if (value.length > 12) expect(faults[0]).not.toContain(value)
  })

  test.for<[name: string, value: string, also?: Env]>([
    ['TRUSTED_PROXIES', '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,127.0.0.1,::1'],
    ['CORS_ORIGINS', 'https://panel.example.com,http://localhost:5173'],
    ['LINK_SCHEMES', 'swapbell,https,com.swapbell.app'],
    ['APPROVALS', 'roles'],
    ['APPROVALS', 'sends,bulk-changes,roles'],
    ['EXPO_BASE_URL', 'https://exp.host/'],
    ['EXPO_BASE_URL', 'https://push-proxy.internal', { ACCEPTED_RISKS: 'provider-elsewhere' }],
    ['EXPO_BASE_URL', 'http://127.0.0.1:3200', { ACCEPTED_RISKS: 'provider-elsewhere' }],
    ['DATABASE_URL', 'postgres://swapbell@127.0.0.1/swapbell'],
    ['DATABASE_URL', 'postgres://swapbell@localhost:6432/swapbell'],
    ['DATABASE_URL', 'postgres://swapbell@/swapbell?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://swapbell@db.internal/swapbell?sslmode=require'],
    ['DATABASE_URL', 'postgres://swapbell@db.internal/swapbell?ssl=true'],
    [
      'DATABASE_URL',
      'postgres://swapbell@db.internal/swapbell?sslmode=no-verify',
      { ACCEPTED_RISKS: 'database-unverified' },
    ],
    [
      'DATABASE_URL',
      'postgres://swapbell@db.internal/swapbell',
      { ACCEPTED_RISKS: 'open-outside-production,database-plain' },
    ],
    ['HOST', '0.0.0.0'],
    ['MAIL_URL', 'smtps://user:secret%20word@mail.example:465', MAIL],
    ['MAIL_LINK_BASE', 'swapbell://', { ...MAIL, MAIL_URL: 'smtp://[::1]:25' }],
    ['TRUSTED_PROXIES', '104.16.0.0/13,172.64.0.0/13,2400:cb00::/32,2a06:98c0::/29'],
    ['AUDIT_SECRET', OTHER],
    ['AUDIT_PREVIOUS_SECRET', SOUND.JWT_SECRET, { AUDIT_SECRET: OTHER }],
  ])('takes %s=%s', ([name, value, also = {}]) => {
    expect(toFaults({ ...also, [name]: value })).toEqual([])
  })

  test.for<[overrides: Record<string, [calls: number, seconds: number]>, faults: number]>([
    [{ login: [9_999_999, 1] }, 1],
    [{ register: [30, 60], 'login-failures': [10, 1] }, 1],
    [{ anonymous: [9_999_999, 60] }, 1],
    [{ register: [30, 60], 'bulk-send': [20, 3_600], login: [600, 60] }, 0],
  ])('refuses request limits that limit nothing: %j', ([overrides, faults]) => {
    expect(toFaults({ LIMITS_FILE: overridesFile(overrides) })).toEqual(
      Array(faults).fill(expect.stringMatching(/^RATE_LIMIT_OVERRIDES must not raise/)),
    )
  })

  test('takes every secret that was made at random', () => {
    for (let n = 0; n < 25; n++) {
      expect(toFaults({ JWT_SECRET: randomBytes(48).toString('base64') })).toEqual([])
      expect(toFaults({ JWT_SECRET: randomBytes(16).toString('hex') })).toEqual([])
    }
  })

  test('names all that is wrong at once', () => {
    const faults = toFaults({
      TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1',
      CORS_ORIGINS: '*',
      LINK_SCHEMES: 'javascript,https',
      JWT_SECRET: 'a'.repeat(32),
      LIMITS_FILE: overridesFile(Object.fromEntries(Object.keys(LIMITS).map((name) => [name, [9_999_999, 1]]))),
      ADMIN_PASSWORD: 'aaaaaaaaaaaa',
      EXPO_BASE_URL: 'https://collector.example',
      EXPO_ACCESS_TOKEN: '',
      DATABASE_URL: 'postgres://swapbell@db.internal/swapbell',
    })
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'EXPO_ACCESS_TOKEN',
      'EXPO_BASE_URL',
      'TRUSTED_PROXIES',
      'CORS_ORIGINS',
      'LINK_SCHEMES',
      'RATE_LIMIT_OVERRIDES',
      'JWT_SECRET',
      'ADMIN_PASSWORD',
    ])
  })
})

describe('Everywhere', () => {
  test.for([
    'postgres://one:5432,two:5432/swapbell',
    'postgres://user@one,two/swapbell',
    'postgres://user@/swapbell?host=one,two',
    'postgres://user@one/swapbell?target_session_attrs=read-write',
    'postgres://user@one/swapbell?load_balance_hosts=random',
    'mysql://one/swapbell',
    'postgres://user@[one/swapbell',
  ])('an address of a database is refused that would not be followed: %s', (url) => {
    const faults = toFaults({ NODE_ENV: 'development', DATABASE_URL: url })
    expect(faults).toEqual([expect.stringMatching(/^DATABASE_URL must|^DATABASE_URL cannot be read/)])
  })

  test('several database hosts are refused, with a sentence that says what works', () => {
    const [fault] = toFaults({ DATABASE_URL: 'postgres://a:1,b:2/x' })
    expect(fault).toContain('one address that follows the primary')
  })
})

describe('Outside production', () => {
  const FORGOTTEN = { NODE_ENV: '' }

  test.for(['0.0.0.0', '::', '192.0.2.7', 'api.internal'])('HOST=%s needs an accepted risk', (HOST) => {
    expect(toFaults({ ...FORGOTTEN, HOST })).toEqual([expect.stringMatching(/^HOST .*NODE_ENV=production/)])
    expect(toFaults({ ...FORGOTTEN, HOST, ACCEPTED_RISKS: 'open-outside-production' })).toEqual([])
    expect(toFaults({ ...FORGOTTEN, HOST, PROCESS: 'worker' })).toEqual([])
  })

  test.for(['127.0.0.1', 'localhost', '::1', '127.8.8.8'])('HOST=%s needs nothing more', (HOST) => {
    expect(toFaults({ ...FORGOTTEN, HOST })).toEqual([])
  })
})

function overridesFile(overrides: Record<string, [calls: number, seconds: number]>): string {
  const file = join(mkdtempSync(join(tmpdir(), 'limits-')), 'limits.json')
  const rates = Object.entries(overrides).map(([name, [calls, seconds]]) => [name, { calls, seconds }])
  writeFileSync(file, JSON.stringify({ RATE_LIMIT_OVERRIDES: Object.fromEntries(rates) }))
  return file
}

function toFaults(env: Env): string[] {
  const read = readConfig({ ...SOUND, ...env })
  return 'faults' in read ? read.faults : []
}
