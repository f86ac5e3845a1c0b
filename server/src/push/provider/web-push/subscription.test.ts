import { createECDH } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openWebPush } from '../../../../test/support/web-push.ts'
import { normalizeSubscription, PUSH_HOSTS, readSubscription, WEB_PUSH_TOKENS } from './subscription.ts'

const ENDPOINTS = [
  'https://fcm.googleapis.com/fcm/send/dQw4w9WgXcQ:APA91b',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABl',
  'https://web.push.apple.com/QGuQyavXutnMH',
  'https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB%2b',
]

describe('the token of a browser', () => {
  test('is the JSON of its subscription, in one form', () => {
    for (const endpoint of ENDPOINTS) {
      const { keys } = subscription()
      const normal = JSON.stringify({ endpoint, keys })
      const asSent = JSON.stringify(
        { keys: { auth: keys.auth, p256dh: `${keys.p256dh}=` }, expirationTime: null, endpoint },
        null,
        2,
      )
      expect(normalizeSubscription(normal, PUSH_HOSTS)).toBe(normal)
      expect(normalizeSubscription(asSent, PUSH_HOSTS)).toBe(normal)
      expect(readSubscription(normal)?.endpoint.href).toBe(endpoint)
    }
  })

  test('has no point in the hybrid form, which would be a second token of the same browser', () => {
    const { endpoint, keys } = subscription()
    const point = Buffer.from(keys.p256dh, 'base64url')
    point[0] = 6 + (point[64]! % 2)
    const token = JSON.stringify({ endpoint, keys: { ...keys, p256dh: point.toString('base64url') } })
    expect(normalizeSubscription(token, PUSH_HOSTS)).toBeUndefined()
  })

  test.for([
    'http://fcm.googleapis.com/a',
    'https://fcm.googleapis.com:8443/a',
    'https://fcm.googleapis.com.evil.example/a',
    'https://evil.example/fcm.googleapis.com',
    'https://fcm.googleapis.com@evil.example/a',
    'https://user:word@fcm.googleapis.com/a',
    'https://push.apple.com.evil.example/a',
    'https://xpush.apple.com/a',
    'https://api.push.apple.com/3/device/a',
    'https://api.sandbox.push.apple.com/3/device/a',
    'https://10.0.0.1/a',
    'https://[::1]/a',
    'https://localhost/a',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    '//fcm.googleapis.com/a',
    'https://fcm.googleapis.com/a#1',
    'https://fcm.googleapis.com/a#',
    'fcm.googleapis.com',
    '',
  ])('names no other server than a listed push service: %s', (endpoint) => {
    expect(normalizeSubscription(JSON.stringify(subscription({ endpoint })), PUSH_HOSTS)).toBeUndefined()
  })

  test('may name another port where the setting does', () => {
    const token = JSON.stringify(subscription({ endpoint: 'https://localhost:8443/push/a' }))
    expect(normalizeSubscription(token, ['localhost:8443'])).toBe(token)
    expect(normalizeSubscription(token, ['localhost', '*.localhost:8443'])).toBeUndefined()
  })

  test('is none where a key is missing, has another length or is no point of the curve, or the text is too long', () => {
    const { keys, endpoint } = subscription()
    const wrong = [
      { endpoint },
      { endpoint, keys: { p256dh: keys.p256dh } },
      { endpoint, keys: { ...keys, auth: 'AAAA' } },
      { endpoint, keys: { ...keys, p256dh: keys.p256dh.slice(0, -4) } },
      { endpoint, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
      { endpoint, keys: { ...keys, p256dh: `${keys.p256dh.slice(0, -2)}\0\0` } },
      { endpoint: 7, keys },
      { keys },
      { endpoint: `${endpoint}${'a'.repeat(2_000)}`, keys },
      [],
      null,
      'a',
    ]
    for (const value of wrong) expect(normalizeSubscription(JSON.stringify(value), PUSH_HOSTS)).toBeUndefined()
    expect(normalizeSubscription('{', PUSH_HOSTS)).toBeUndefined()
  })

  test('is known by its form', () => {
    const { owns } = openWebPush({ hosts: [...PUSH_HOSTS] })
    expect([JSON.stringify(subscription()), 'a'].map((token) => owns(token))).toEqual([true, false])
  })

  test('is removed from the log, as a whole, in parts and quoted twice', () => {
    for (const endpoint of ENDPOINTS) {
      const { keys } = subscription()
      const token = JSON.stringify({ endpoint, keys })
      for (const text of [
        token,
        JSON.stringify({ token }),
        JSON.stringify({ text: JSON.stringify({ token }) }),
        `at ${endpoint} `,
      ]) {
        const left = strip(text)
        for (const secret of [endpoint.slice(-8), keys.auth, keys.p256dh]) expect(left).not.toContain(secret)
        expect(left).toContain('[push token]')
        if (text.startsWith('{')) expect(() => JSON.parse(left) as unknown).not.toThrow()
      }
    }
  })
})

function subscription({ endpoint = ENDPOINTS[0]! } = {}) {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const keys = { p256dh: pair.getPublicKey().toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') }
  return { endpoint, keys }
}

function strip(text: string): string {
  return WEB_PUSH_TOKENS.reduce((line, form) => line.replace(form, '[push token]'), text)
}
