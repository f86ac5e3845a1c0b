import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig, readSettings } from '../../platform/config/read-config.ts'
import { unknownSettings } from '../../platform/config/unknown.ts'
import { AUTHORITY } from '../../../../simulator/src/http2/certificates.ts'
import { COMMON_SETTINGS } from './common-settings.ts'
import { readEntries } from './configured-providers.ts'
import { WEB_PUSH } from './web-push/web-push.ts'
import { ENVIRONMENTS, type Kind, type Provider, type ProviderGround } from './provider.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'swapbell-providers-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

const SECRET = 'the text of a key that must be told to nobody'
const CA_FILE = write('ca.pem', AUTHORITY)
const KEY_FILE = write('key.p8', SECRET)
const SOUND = { kind: 'apns', app: 'swapbell', environment: 'production', team: 'TEAM', key_file: KEY_FILE }

type Settings = { app: string; environment: string; team: string }
const KIND: Kind<Settings> = {
  kind: 'apns',
  settings: Type.Object(
    {
      ...COMMON_SETTINGS,
      environment: Type.Enum([...ENVIRONMENTS]),
      team: Type.String({ maxLength: 10 }),
      key_file: Type.Optional(Type.String()),
      key_variable: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  key: { file: 'key_file', variable: 'key_variable' },
  tokens: [],
  faults: ({ team }) => (team === 'OTHER' ? ['has a key of another team than OTHER: name the team of the key.'] : []),
  create: (settings, ground) => ({ settings, ground }) as unknown as Provider,
}

function write(name: string, content: string): string {
  const path = join(FOLDER, name)
  writeFileSync(path, content)
  return path
}

function settingsWith(providers: unknown, env: Record<string, string> = {}) {
  const text = typeof providers === 'string' ? providers : JSON.stringify({ providers })
  const settings = {
    JWT_SECRET: 'q'.repeat(40),
    PUSH_PROVIDER: 'expo',
    PUSH_PROVIDERS_FILE: write('providers.json', text),
    ...env,
  }
  return { settings, ...readSettings(settings) }
}

function read(providers: unknown, env: Record<string, string> = {}) {
  const { config, faults } = settingsWith(providers, env)
  const entries = readEntries(config, [KIND])
  return { instances: entries.instances, faults: [...faults, ...entries.faults] }
}

describe('the file of the providers', () => {
  test('makes a provider of each entry, with its key from a file or a variable', () => {
    const second = { ...SOUND, environment: 'sandbox', key_file: undefined, key_variable: 'MY_KEY', rate_per_second: 9 }
    const { instances, faults } = read([SOUND, { ...second, ca_file: CA_FILE }], { MY_KEY: ' of a variable ' })
    expect(faults).toEqual([])
    expect(instances).toMatchObject([
      { name: 'apns/swapbell/production', tokenType: 'apns', app: 'swapbell', environment: 'production' },
      { name: 'apns/swapbell/sandbox', environment: 'sandbox', ratePerSecond: 9 },
    ])
    expect(instances[0]?.ratePerSecond).toBe(500)
    const made = instances.map(({ create }) => create({} as ProviderGround))
    expect(made).toMatchObject([
      { settings: { team: 'TEAM' }, ground: { name: 'apns/swapbell/production', key: SECRET } },
      { ground: { name: 'apns/swapbell/sandbox', key: 'of a variable', ca: AUTHORITY } },
    ])
  })

  test('is one setting, absent by default, and its variables are not taken for misspelt settings', () => {
    const { settings, config } = settingsWith([{ ...SOUND, key_file: undefined, key_variable: 'PUSH_KEY' }], {
      PUSH_KEY: SECRET,
    })
    expect(unknownSettings(settings, config)).toEqual([])
    expect(unknownSettings(settings)).toEqual([expect.stringContaining('PUSH_KEY')])
    expect(readEntries(readSettings({}).config, [])).toEqual({ instances: [], faults: [] })
  })

  test.for<[what: string, providers: unknown, fault: RegExp]>([
    ['is not JSON', '{"providers": [', /^PUSH_PROVIDERS_FILE cannot be read: it is not JSON\.$/],
    ['has no list', '{}', /^PUSH_PROVIDERS_FILE must be a JSON object with the list "providers" alone\.$/],
    ['has other keys', '{"providers": [], "more": 1}', /with the list "providers" alone\.$/],
    ['has an entry that is no object', ['apns'], /must have objects as providers; the one at 0 is none\.$/],
    ['has an unknown kind', [{ ...SOUND, kind: 'hms' }], /the provider at 0 must have a kind: one of apns\.$/],
    ['lacks a setting', [{ ...SOUND, team: undefined }], /the provider at 0 has team that is required\.$/],
    ['has an unknown setting', [{ ...SOUND, colour: 'red' }], /has colour that is not a known field\.$/],
    ['has a bad app', [{ ...SOUND, app: 'Swap Bell' }], /has app that must be a name in small letters/],
    ['has no key', [{ ...SOUND, key_file: undefined }], /must name its key by one of key_file or key_variable\.$/],
    ['has two keys', [{ ...SOUND, key_variable: 'JWT_SECRET' }], /must name its key by one of/],
    ['names a file that is away', [{ ...SOUND, key_file: '/nowhere/key' }], /whose key_file cannot be read: ENOENT/],
    [
      'names a variable that is not set',
      [{ ...SOUND, key_file: undefined, key_variable: 'NO_SUCH' }],
      /whose key_variable names a variable that is not set\.$/,
    ],
    [
      'has the key itself in place of its variable',
      [{ ...SOUND, key_file: undefined, key_variable: SECRET }],
      /whose key_variable names a variable that is not set\.$/,
    ],
    [
      'has the key itself in place of its file',
      [{ ...SOUND, key_file: SECRET }],
      /whose key_file cannot be read: ENOENT/,
    ],
    ['has one provider twice', [SOUND, SOUND], /at 1 is the second one of the name apns\/swapbell\/production/],
    [
      'has what its kind refuses',
      [{ ...SOUND, team: 'OTHER' }],
      /^.*\(apns\/swapbell\/production\) has a key of another/,
    ],
    ['has an address without TLS', [{ ...SOUND, address: 'http://x' }], /has address that must begin with https/],
    ['has an address without a host', [{ ...SOUND, address: 'https://' }], /has address that is no address/],
    ['has a port that is none', [{ ...SOUND, address: 'https://x:99999' }], /has address that is no address/],
    ['has an address with a path', [{ ...SOUND, address: 'https://x/apns' }], /has address that is no address/],
    ['has no certificate in ca_file', [{ ...SOUND, ca_file: KEY_FILE }], /has ca_file that holds no certificate/],
  ])('that %s is refused with a sentence that says what is wrong', ([, providers, fault]) => {
    const { faults } = read(providers)
    expect(faults).toEqual([expect.stringMatching(fault)])
    expect(faults.join()).not.toContain(SECRET)
  })

  test('names no host of browsers with the usual port, which no address has', () => {
    const { config } = settingsWith([
      { kind: 'web', app: 'a', subject: 'mailto:a@b.example', hosts: ['a.example:443'] },
    ])
    expect(readEntries(config, [WEB_PUSH]).faults).toEqual([expect.stringContaining('must be a host such as')])
  })

  test('that cannot be read keeps the service from starting', () => {
    const settings = { JWT_SECRET: 'q'.repeat(40), PUSH_PROVIDER: 'expo', PUSH_PROVIDERS_FILE: '/nowhere/providers' }
    expect(readConfig(settings)).toEqual({
      faults: [expect.stringMatching(/^PUSH_PROVIDERS_FILE cannot be read: ENOENT/)],
    })
  })

  test('sends nowhere else in production, unless that risk is accepted', () => {
    const elsewhere = [{ ...SOUND, address: 'https://localhost:1', ca_file: CA_FILE }]
    const production = { NODE_ENV: 'production' }
    expect(read(elsewhere).instances).toHaveLength(1)
    expect(read(elsewhere, production).faults).toContainEqual(
      expect.stringMatching(/must not have address and ca_file in production, unless ACCEPTED_RISKS/),
    )
    expect(read(elsewhere, { ...production, ACCEPTED_RISKS: 'provider-elsewhere' }).instances).toHaveLength(1)
    expect(read([SOUND], production).instances).toHaveLength(1)
  })
})
