import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeSettings } from './config.ts'
import { unknownSettings } from './unknown.ts'

test.for([
  ['PUSH_RATE_PER_SECONDS', 'PUSH_RATE_PER_SECOND'],
  ['TRUSTED_PROXY', ''],
  ['TRUSTED_NETWORKS', ''],
  ['TRUSTED_PROXIE', 'TRUSTED_PROXIES'],
  ['JWT_SECRETS', 'JWT_SECRET'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['NODE_ENVS', 'NODE_ENV'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['EXPO_TOKEN', ''],
  ['EXPO_URL', ''],
  ['RATE_LIMIT', ''],
  ['PUSH_RATE', ''],
  ['PUSH_RETRIES', ''],
  ['PUSH_TIMEOUT', ''],
  ['RECEIPT_WAIT', ''],
  ['METRICS_ADDRESS', ''],
  ['METRICS_PROT', 'METRICS_PORT'],
  ['LOOP_SECONDS', ''],
  ['RETENTION_SESSION_DAYS', ''],
  ['FIREBASE_URL', ''],
  ['SUBSCRIPTION_SECRET', ''],
  ['LOG_LEVELS', 'LOG_LEVEL'],
  ['LIMIT_FILE', 'LIMITS_FILE'],
  ['SWAPBELL_PORT', 'PORT'],
  ['SWAPBELL_PUSH_RATE_PER_SECONDS', 'PUSH_RATE_PER_SECOND'],
])('%s looks like a setting and is named', ([name = '', meant = '']) => {
  expect(unknownSettings({ [name]: 'a value' })).toEqual([expect.stringContaining(`${name} is not a setting`)])
  expect(unknownSettings({ [name]: 'a value' })[0]).toContain(meant)
  expect(unknownSettings({ [name]: 'a value' })[0]).not.toContain('a value')
})

test('every setting is named when it is misspelt at its end', () => {
  for (const { name } of describeSettings().filter((setting) => setting.name.length >= 6))
    expect(unknownSettings({ [`${name}X`]: 'a value' })).toEqual([
      `${name}X is not a setting and is ignored: ${name} is.`,
    ])
})

test('variables of other programs are not named', () => {
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'SIM_PORT',
    'NODE_OPTIONS',
    'NODE_VERSION',
    'npm_lifecycle_event',
    'LANG',
    'DEMO_LIFE',
    'LOG_FORMAT',
    'API_KEY',
    'STREAM_NAME',
    'OTEL_RESOURCE_ATTRIBUTES',
    'POSTGRES_PASSWORD',
    'DATABASE_SERVICE_HOST',
    'METRICS_PORT_9464_TCP_ADDR',
    'TZ',
  ]
  const known = ['PORT', 'HOST', 'JWT_SECRET', 'DATA_DIR']
  expect(unknownSettings(Object.fromEntries([...others, ...known].map((name) => [name, 'x'])))).toEqual([])
  expect(unknownSettings({ ['PUSH_'.repeat(5_000)]: 'x' })).toEqual([])
})

test('variables that compose.yaml takes from .env are not named, because its containers get them too', () => {
  const files = ['compose.yaml', 'deploy/citus/compose.yaml', 'deploy/trial.env']
  const text = files.map((file) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')).join('\n')
  const names = [...text.matchAll(/\$\{(\w+)|^(\w+)=/gm)].map(([, used = '', set = '']) => used || set)
  expect(names).toContain('DATABASE_PASSWORD')
  expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
})
