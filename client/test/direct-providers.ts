import { createECDH, generateKeyPairSync } from 'node:crypto'
import { encodePush, preparePayload } from '../../server/src/push/provider/apns/apns-protocol.ts'
import { APNS } from '../../server/src/push/provider/apns/apns.ts'
import { readEntries } from '../../server/src/push/provider/entries.ts'
import { encodeMessage } from '../../server/src/push/provider/fcm/fcm-message.ts'
import { FCM } from '../../server/src/push/provider/fcm/fcm.ts'
import type { Push } from '../../server/src/push/provider/provider.ts'
import { describeExpo } from '../../server/src/push/provider/registry.ts'
import { encodePayload } from '../../server/src/push/provider/web-push/payload.ts'
import { WEB_PUSH } from '../../server/src/push/provider/web-push/web-push.ts'
import { startService } from '../../server/test/support/service.ts'

/** A phone as it registers, and what is sent to it. */
export type Direct = { phone: { token: string }; encode(push: Push): unknown }

const pem = (type: 'ec' | 'rsa') => {
  const pair =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

const APP = 'swapbell'

export const apple: Direct = {
  phone: { token: '5f'.repeat(32), token_type: 'apns', app: APP, environment: 'production', platform: 'ios' } as never,
  encode: (push) =>
    JSON.parse(encodePush(push, { topic: 'com.example.swapbell', jwt: '', prepared: preparePayload(push.content) }).body),
}

const FCM_TOKEN = `d${'x'.repeat(21)}:APA91b${'x'.repeat(134)}`

export const google: Direct = {
  phone: { token: FCM_TOKEN, token_type: 'fcm', app: APP, platform: 'android' } as never,
  encode: ({ badge: _ofPhones, ...push }) => {
    const expiresAt = new Date(3_600_000)
    return JSON.parse(encodeMessage({ ...push, to: FCM_TOKEN, platform: 'android', expiresAt }, 0)) as unknown
  },
}

/** The subscription of a browser, whose keys are drawn, as JSON. */
function subscribe(): string {
  const receiver = createECDH('prime256v1')
  const p256dh = receiver.generateKeys('base64url')
  const endpoint = 'https://fcm.googleapis.com/fcm/send/xxxxxxxx'
  return JSON.stringify({ endpoint, expirationTime: null, keys: { p256dh, auth: 'x'.repeat(22) } })
}

export const browser: Direct = {
  phone: { token: subscribe(), token_type: 'web', app: APP, platform: 'web' } as never,
  encode: (push) => JSON.parse(encodePayload({ ...push, platform: 'web' })) as unknown,
}

const KINDS = [APNS, FCM, WEB_PUSH] as never

/** A service with one app of each kind of provider beside Expo. */
export async function startDirect() {
  const account = { type: 'service_account', project_id: APP, client_email: 'push@example.com', private_key: pem('rsa') }
  const ids = { team: 'TEAMID1234', key_id: 'KEYID12345', topic: 'com.example.swapbell' }
  const entries = [
    {
      settings: { kind: 'apns', app: APP, environment: 'production', ...ids, key_variable: 'A' },
      texts: { key_variable: pem('ec') },
    },
    {
      settings: { kind: 'fcm', app: APP, credentials_variable: 'G' },
      texts: { credentials_variable: JSON.stringify(account) },
    },
    {
      settings: { kind: 'web', app: APP, subject: 'mailto:ops@example.com', key_variable: 'W' },
      texts: { key_variable: pem('ec') },
    },
  ]
  const service = await startService(
    {},
    {
      registry: (config) => {
        const { instances, faults } = readEntries({ ...config, PUSH_PROVIDERS_FILE: entries }, KINDS)
        if (faults.length > 0) throw new Error(faults.join(' '))
        return [describeExpo(config), ...instances]
      },
    },
  )
  return { service, close: service.close }
}
