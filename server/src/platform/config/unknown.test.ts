import { expect, test } from 'vitest'
import { unknownSettings } from './unknown.ts'

test.for([
  ['PUSH_RATE_PER_SECONDS', 'PUSH_RATE_PER_SECOND'],
  ['TRUSTED_PROXY', ''],
  ['TRUSTED_PROXIE', 'TRUSTED_PROXIES'],
  ['JWT_SECRETS', 'JWT_SECRET'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['NODE_ENVS', 'NODE_ENV'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['EXPO_TOKEN', ''],
  ['RATE_LIMIT', ''],
])('%s looks like a setting and is named', ([name = '', meant = '']) => {
  expect(unknownSettings({ [name]: 'a value' })).toEqual([expect.stringContaining(`${name} is not a setting`)])
  expect(unknownSettings({ [name]: 'a value' })[0]).toContain(meant)
  expect(unknownSettings({ [name]: 'a value' })[0]).not.toContain('a value')
})

test('what others set is not named', () => {
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'SIM_PORT',
    'NODE_OPTIONS',
    'NODE_VERSION',
    'npm_lifecycle_event',
    'LANG',
    'TZ',
  ]
  const known = ['PORT', 'HOST', 'JWT_SECRET', 'DATA_DIR']
  expect(unknownSettings(Object.fromEntries([...others, ...known].map((name) => [name, 'x'])))).toEqual([])
  expect(unknownSettings({ ['PUSH_'.repeat(5_000)]: 'x' })).toEqual([])
})
