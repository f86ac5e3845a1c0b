import { describe, expect, test } from 'vitest'
import { encodePushes } from '../expo/expo-protocol.ts'
import type { Push, PushContent } from '../provider.ts'
import { toTicketId } from '../each-push.ts'
import { encodePush, payloadBytes, preparePayload } from './apns-protocol.ts'
import { APNS_TOKENS, isDeviceToken } from './apns-tokens.ts'

const CONTENT: PushContent = {
  title: 'Hallo "Müller"',
  body: 'Ein Tausch wartet 🎁',
  data: { event: 'swap_status', transaction_id: 7 },
  urgent: true,
  mergeKey: 'swap-7',
}

describe('a push for Apple', () => {
  test('has the headers of its copy', () => {
    expect(encode({}).path).toBe(`/3/device/${'ab'.repeat(32)}`)
    expect(encode({}).headers).toEqual({
      authorization: 'bearer a.b.c',
      'apns-topic': 'com.example.swapbell',
      'apns-push-type': 'alert',
      'apns-id': toTicketId('apns', 12),
      'apns-collapse-id': 'swap-7',
      'apns-expiration': '1800000000',
      'apns-priority': '10',
    })
    expect(encode({}, { urgent: false }).headers['apns-priority']).toBe('5')
  })

  test('has the keys of Apple in aps, and its data where the app reads it', () => {
    expect(readBody(encode({ badge: 0 }))).toEqual({
      aps: {
        alert: { title: CONTENT.title, body: CONTENT.body },
        sound: 'default',
        'interruption-level': 'time-sensitive',
        'thread-id': 'swap_status',
        badge: 0,
      },
      body: { event: 'swap_status', transaction_id: 7, notification_id: 12 },
    })
    expect(readBody(encode({}, { data: null, urgent: false }))).toEqual({
      aps: { alert: expect.anything(), sound: 'default', 'interruption-level': 'active' },
      body: { notification_id: 12 },
    })
    expect(readBody(encode({}, { data: { notification_id: 1 } })).body).toEqual({ notification_id: 12 })
  })

  test.each([{ mergeKey: 'chat-9' }, { mergeKey: null }])('has the banner that Expo would give it (%o)', (content) => {
    const [expo] = JSON.parse(encodePushes([{ ...push({}, content), to: 'ExponentPushToken[a]' }])) as {
      collapseId: string
    }[]
    expect(encode({}, content).headers['apns-collapse-id']).toBe(expo?.collapseId)
  })

  test('is measured as it is sent', () => {
    for (const badge of [{}, { badge: 3 }])
      expect(payloadBytes(push(badge))).toBe(Buffer.byteLength(encode(badge).body))
  })

  test('has an id of its own, the same on every attempt, in the form that Apple asks for', () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => toTicketId('apns', n))
    expect(new Set(ids).size).toBe(10_000)
    expect(ids.filter((id) => !/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toEqual([])
    expect(toTicketId('apns', 12)).toBe(toTicketId('apns', 12))
  })
})

describe('a token of Apple', () => {
  test.each(['ab'.repeat(32), 'AB'.repeat(32), '0f'.repeat(100)])('is %s', (token) => {
    expect(isDeviceToken(token)).toBe(true)
  })

  test.each(['', 'ab', 'xy'.repeat(32), 'a'.repeat(65), `${'ab'.repeat(32)}/../../x`, 'ExponentPushToken[a]'])(
    'is not %s',
    (token) => {
      expect(isDeviceToken(token)).toBe(false)
    },
  )

  test('is left out of a line of the log', () => {
    const line = `{"path":"/3/device/${'aB'.repeat(32)}","trace_id":"${'ab'.repeat(16)}"}`
    const left = APNS_TOKENS.reduce((text, form) => text.replace(form, '[push token]'), line)
    expect(left).toBe(`{"path":"/3/device/[push token]","trace_id":"${'ab'.repeat(16)}"}`)
  })

  test.for(['\n', '\r', '\t', '\b', '\f', '\\', '"'])('leaves no token in the log after %j', (before) => {
    const line = JSON.stringify({ msg: `said:${before}${'ab'.repeat(32)}` })
    const left = APNS_TOKENS.reduce((text, form) => text.replace(form, '[push token]'), line)
    expect(JSON.parse(left)).toEqual({ msg: `said:${before}[push token]` })
  })
})

function encode(changes: Partial<Push>, content: Partial<PushContent> = {}) {
  const one = push(changes, content)
  const about = { topic: 'com.example.swapbell', ticketId: toTicketId('apns', 12), jwt: 'a.b.c' }
  return encodePush(one, { ...about, prepared: preparePayload(one.content) })
}

function readBody({ body }: { body: string }) {
  return JSON.parse(body) as Record<string, unknown>
}

function push(changes: Partial<Push>, content: Partial<PushContent> = {}): Push {
  return {
    to: 'AB'.repeat(32),
    platform: 'ios',
    notificationId: 12,
    content: { ...CONTENT, ...content },
    expiresAt: new Date(1_800_000_000_900),
    isProven: true,
    ...changes,
  }
}
