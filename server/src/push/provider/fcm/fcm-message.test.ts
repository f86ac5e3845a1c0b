import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMessage, type Message } from '../../../../../simulator/src/fcm/message.ts'
import type { Push } from '../provider.ts'
import { anyPush } from '../../../../test/support/any-push.ts'
import { encodeMessage, payloadBytes } from './fcm-message.ts'
import { isFcmToken } from './fcm-tokens.ts'

const NOW = Date.parse('2026-11-27T12:00:00Z')
const TOKEN = `cPhone-1_aBcDeFgHiJkLm:APA91b${'x'.repeat(134)}`
const INSTALLATION = 'cPhone-1_aBcDeFgHiJkLm'

const pushes = anyPush({ to: fc.constantFrom(TOKEN, INSTALLATION), platform: fc.constant('android' as const) })

describe('a message for Google', () => {
  test('says what the push says, in the fields that expo-notifications reads', () => {
    fc.assert(
      fc.property(pushes, (push) => {
        const { content: said, notificationId, badge } = push
        const { data, priority, to, label, validateOnly } = read(encodeMessage(push, NOW))
        const { body = '', ...shown } = data
        expect({ to, priority, label, validateOnly }).toEqual({
          to: push.to,
          priority: said.urgent ? 'HIGH' : 'NORMAL',
          label: said.urgent ? 'transactional' : 'campaign',
          validateOnly: false,
        })
        expect(shown).toEqual({
          title: said.title,
          message: said.body,
          channelId: 'default',
          tag: said.mergeKey ?? `n${notificationId}`,
          ...(badge !== undefined && { badge: String(badge) }),
        })
        const theirs = JSON.parse(JSON.stringify({ ...said.data, notification_id: notificationId })) as unknown
        expect(JSON.parse(body)).toEqual(theirs)
      }),
    )
  })

  test('has the same text of its content for every push with it, and its own identity', () => {
    const one = { title: 'a', body: 'b', data: { link: 'swapbell://x' }, urgent: true, mergeKey: null }
    const heads = new Map()
    const texts = [1, 2].map((id) => encodeMessage(pushOf(one, id), NOW, heads))
    expect(texts.map((text) => read(text).data['tag'])).toEqual(['n1', 'n2'])
    expect(heads.size).toBe(1)
    expect(texts[0]).toBe(encodeMessage(pushOf(one, 1), NOW))
  })

  test('names a phone by `token`, and an installation by `fid`', () => {
    const targets = [TOKEN, INSTALLATION].map((to) => Object.keys(sentOf(pushOf(CONTENT, 1, to)).message)[0])
    expect(targets).toEqual(['token', 'fid'])
  })

  test('lives until the push expires, now or never where it has, and four weeks at most', () => {
    const lives = ['2026-11-27T13:00:00.900Z', '2026-11-27T11:00:00Z', '2027-11-27T12:00:00Z'].map(
      (expiresAt) => sentOf({ ...pushOf(CONTENT, 1), expiresAt: new Date(expiresAt) }).message.android.ttl,
    )
    expect(lives).toEqual(['3600s', '0s', '2419200s'])
  })

  test('may have data with names that Google keeps to itself', () => {
    const data = { from: 'me', 'gcm.n.e': '1', google: 'x', message_type: 'y', title: 'theirs' }
    const { data: sent } = read(encodeMessage(pushOf({ ...CONTENT, data }, 5), NOW))
    expect(JSON.parse(sent['body'] ?? '')).toEqual({ ...data, notification_id: 5 })
    expect(sent['title']).toBe('a')
  })

  test('is measured as its data is sent, which Google finds no longer than that', () => {
    fc.assert(
      fc.property(pushes, (push) => {
        const { data } = sentOf(push).message
        const asGoogle = Object.entries(data)
          .flat()
          .map((part) => Buffer.byteLength(part))
        expect(payloadBytes(push)).toBeGreaterThanOrEqual(asGoogle.reduce((sum, bytes) => sum + bytes, 0))
        expect(encodeMessage(push, NOW)).toContain(`"data":{`)
      }),
    )
  })
})

test('tokens of phones and ids of installations are known by their form', () => {
  for (const token of [TOKEN, INSTALLATION]) expect(isFcmToken(token)).toBe(true)
  const others = ['', 'abc', 'ExponentPushToken[x]', 'a'.repeat(64), `${TOKEN} `, `x${INSTALLATION}`, 'https://a.b/c']
  for (const token of others) expect(isFcmToken(token)).toBe(false)
})

type Sent = { message: { android: { ttl: string }; data: Record<string, string> } }

function sentOf(push: Push): Sent {
  return JSON.parse(encodeMessage(push, NOW)) as Sent
}

const CONTENT: Push['content'] = { title: 'a', body: 'b', data: null, urgent: false, mergeKey: null }

function pushOf(said: Push['content'], notificationId: number, to = TOKEN): Push {
  const expiresAt = new Date(NOW + 60_000)
  return { to, platform: 'android', notificationId, content: said, expiresAt, isProven: true }
}

/**
 * Reads the text as the double does; a message that it refuses for another reason than its size is a fault of the test.
 */
function read(text: string): Message {
  const message = readMessage(text)
  if ('wrong' in message) throw new Error(message.wrong.message)
  return message
}
