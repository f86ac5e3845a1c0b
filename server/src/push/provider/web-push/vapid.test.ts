import { expect, test } from 'vitest'
import { drawKey } from '../../../../test/support/web-push.ts'
import { createVapid, listVapidFaults } from './vapid.ts'

const subject = 'mailto:push@swapbell.example'

test('The signature names the push service, the operator and a time twelve hours from now', async () => {
  const now = Date.parse('2026-11-27T16:00:00Z')
  const ground = { clock: { now: () => now }, share: () => Promise.reject(new Error('It shares none.')) }
  const vapid = createVapid({ key: drawKey(), subject, hosts: ['*.push.apple.com'] }, ground)
  const header = await vapid(new URL('https://web.push.apple.com/a'))
  const [, head = '', claims = '', key = ''] = /^vapid t=([\w-]+)\.([\w-]+)\.[\w-]+, k=([\w-]+)$/.exec(header) ?? []
  expect(read(head)).toEqual({ alg: 'ES256', typ: 'JWT' })
  expect(read(claims)).toEqual({ aud: 'https://web.push.apple.com', exp: now / 1_000 + 43_200, sub: subject })
  expect(Buffer.from(key, 'base64url')).toHaveLength(65)
})

test('A wrong key or subject is named with what to do', () => {
  expect(listVapidFaults({ key: drawKey(), subject })).toEqual([])
  expect(listVapidFaults({ key: drawKey(), subject: 'https://swapbell.example/contact' })).toEqual([])
  for (const key of ['', 'a', drawKey('secp384r1')])
    expect(listVapidFaults({ key, subject })).toEqual([expect.stringMatching(/P-256.*openssl/)])
  for (const wrong of [
    'push@swapbell.example',
    'mailto: push@swapbell.example',
    'mailto:<push@swapbell.example>',
    'mailto:admin@localhost',
    'mailto:a@b.local',
    'http://swapbell.example',
    'https://localhost',
    '',
  ])
    expect(listVapidFaults({ key: drawKey(), subject: wrong })).toEqual([expect.stringMatching(/^subject .*mailto:/)])
})

function read(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
