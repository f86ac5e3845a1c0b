import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ProviderEntry } from '../src/platform/config/providers-file.ts'
import { REASONS } from '../src/push/provider/apns/apns-reasons.ts'
import { APNS } from '../src/push/provider/apns/apns.ts'
import { readEntries } from '../src/push/provider/configured-providers.ts'
import { FCM } from '../src/push/provider/fcm/fcm.ts'
import { WEB_PUSH } from '../src/push/provider/web-push/web-push.ts'

const PAGE = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8')
const KINDS = [APNS, FCM, WEB_PUSH]

/** The text below a heading. */
function findSection(heading: string): string {
  const [, part = ''] = new RegExp(`^## ${heading}\n([^]*?)(?=^## )`, 'm').exec(PAGE) ?? []
  return part
}

test('the example of docs/providers.md is a file that can be used', () => {
  const [, json = ''] = /```json\n([^]*?)```/.exec(PAGE) ?? []
  const { providers } = JSON.parse(json) as { providers: Record<string, unknown>[] }
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const account = { type: 'service_account', project_id: 'swapbell', client_email: 'a@example.com', private_key: rsa }
  const texts = { key_file: String(p256), credentials_file: JSON.stringify(account) }
  const entries = providers.map((settings): ProviderEntry => {
    const named = Object.entries(texts).filter(([name]) => name in settings)
    return { settings, texts: Object.fromEntries(named) }
  })
  const config = { PUSH_PROVIDERS_FILE: entries, PUSH_RATE_PER_SECOND: 500, ACCEPTED_RISKS: [] }
  const { instances, faults } = readEntries({ ...config, NODE_ENV: 'production' }, KINDS)
  expect(faults).toEqual([])
  const names = instances.map(({ name }) => name)
  expect(names).toEqual(['apns/swapbell/production', 'apns/swapbell/sandbox', 'fcm/swapbell', 'web/swapbell'])
})

test('docs/providers.md explains every setting of every kind', () => {
  const rows = findSection('The file')
    .split('\n')
    .map((line) => line.split('|').slice(1))
  for (const { kind, settings } of KINDS)
    for (const name of Object.keys(settings.properties)) {
      const [, kinds] = rows.find(([named = '']) => named.includes(`\`${name}\``)) ?? []
      const isNamed = new RegExp(`^ all |\`${kind}\``).test(kinds ?? '')
      expect([name, isNamed]).toEqual([name, true])
    }
})

test('docs/providers.md says what becomes of a push at every reason of Apple', () => {
  const rows = findSection('What they answer').split('\n')
  for (const [reason, { status, kind, code }] of Object.entries(REASONS)) {
    const [, answer = '', outcome = ''] = rows.find((line) => line.includes(`\`${reason}\``))?.split('|') ?? []
    const wanted = kind === 'unknown' ? 'unknown' : `\`${code}\``
    expect([reason, answer.includes(`${status}`), outcome.includes(wanted)]).toEqual([reason, true, true])
  }
})
