import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { findApnsFaults, type ApnsSettings } from './apns-settings.ts'

const SETTINGS: ApnsSettings = {
  app: 'swapbell',
  environment: 'production',
  team: 'TEAMID1234',
  key_id: 'KEYID12345',
  key_file: '/keys/AuthKey_KEYID12345.p8',
  topic: 'com.example.swapbell',
}

const pem = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

test('settings of Apple are right when the key, its name and the topic fit', () => {
  expect(findApnsFaults(SETTINGS, pem('P-256'))).toEqual([])
})

test.each([
  [{}, 'nonsense', /^must have the \.p8 file/],
  [{}, pem('P-384'), /^must have the \.p8 file/],
  [{ topic: 'com.example.swapbell.voip' }, pem('P-256'), /^must have the bundle id/],
  [{ team: 'KEYID12345' }, pem('P-256'), /^must have the id of the membership/],
  [{ key_id: 'OTHER12345' }, pem('P-256'), /^must have the key_id KEYID12345/],
])('settings with %o are refused, with what to do', (changes, key, fault) => {
  expect(findApnsFaults({ ...SETTINGS, ...changes }, key)).toEqual([expect.stringMatching(fault)])
})
