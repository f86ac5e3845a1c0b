import { createECDH, generateKeyPairSync } from 'node:crypto'
import { encodePush, preparePayload } from '../../server/src/push/provider/apns/apns-protocol.ts'
import { encodeMessage } from '../../server/src/push/provider/fcm/fcm-message.ts'
import type { Push } from '../../server/src/push/provider/provider.ts'
import { encodePayload } from '../../server/src/push/provider/web-push/payload.ts'
import { startService, type Service } from '../../server/test/support/service.ts'

/** What a phone without Expo registers, and what is sent to it, as JSON. */
export type Direct = { phone: object; encode(push: Push): string }

const APP = 'swapbell'
const TOPIC = 'com.example.swapbell'

export const apple: Direct = {
  phone: { token: '5f'.repeat(32), token_type: 'apns', app: APP, environment: 'production', platform: 'ios' },
  encode: (push) => {
    const prepared = preparePayload(push.content)
    return encodePush(push, { topic: TOPIC, ticketId: '', jwt: '', prepared }).body
  },
}

const FCM_TOKEN = `d${'x'.repeat(21)}:APA91b${'x'.repeat(60)}`

export const google: Direct = {
  phone: { token: FCM_TOKEN, token_type: 'fcm', app: APP, platform: 'android' },
  encode: ({ badge: _ofIphones, ...push }) => encodeMessage({ ...push, to: FCM_TOKEN, platform: 'android' }, 0),
}

export const browser: Direct = {
  phone: { token: subscribe(), token_type: 'web', app: APP, platform: 'web' },
  encode: (push) => encodePayload({ ...push, platform: 'web' }),
}

/** The subscription of a browser, the same in each run. */
function subscribe(): string {
  const receiver = createECDH('prime256v1')
  receiver.setPrivateKey(Buffer.alloc(32, 1))
  const keys = { p256dh: receiver.getPublicKey('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') }
  return JSON.stringify({ endpoint: 'https://fcm.googleapis.com/fcm/send/xxxxxxxx', expirationTime: null, keys })
}

/** A service with one app of each kind of provider beside Expo. */
export async function startDirect(): Promise<Service> {
  const account = { type: 'service_account', project_id: APP, client_email: 'push@example.com', private_key: rsaKey() }
  const apns = { environment: 'production', team: 'TEAMID1234', key_id: 'KEYID12345', topic: TOPIC }
  const entries = [
    entry('apns', { ...apns, key_variable: 'A' }, { key_variable: p256Key() }),
    entry('fcm', { credentials_variable: 'B' }, { credentials_variable: JSON.stringify(account) }),
    entry('web', { subject: 'mailto:ops@example.com', key_variable: 'C' }, { key_variable: p256Key() }),
  ]
  return startService({ PUSH_PROVIDERS_FILE: entries })
}

function entry(kind: string, settings: object, texts: Record<string, string>) {
  return { settings: { kind, app: APP, ...settings }, texts }
}

function p256Key(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

function rsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}
