import { randomUUID } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import { startApnsDouble } from '../../../simulator/src/apns/apns.ts'
import { startFcm } from '../../../simulator/src/fcm/fcm.ts'
import { AUTHORITY } from '../../../simulator/src/http2/certificates.ts'
import { appleKey, deviceToken, KEY_ID, TEAM, TOPIC } from './apns.ts'
import { CREDENTIALS, makeToken } from './fcm.ts'
import type { GivenUser } from './given.ts'
import { startService } from './service.ts'
import { drawKey, startPushService } from './web-push.ts'

/** `away`: a browser whose service nobody can reach. */
export type PhoneKind = 'expo' | 'apns' | 'sandbox' | 'fcm' | 'web' | 'away'

/** A browsers' service that is listed, and that nobody can reach. */
const AWAY = 'https://localhost:1'

/**
 * The whole service with Expo's simulator and the doubles of Apple, Google and a browser's vendor, over TLS. Tests that
 * run at once give their own `onFinished`.
 */
export async function directWorld(onFinished: (end: () => Promise<void>) => void = onTestFinished) {
  const { privateKey, publicKey } = appleKey()
  // Apple and browsers have the service's clock, because a signature that is an hour old or ahead is refused.
  let now = Date.now
  const clock = { now: () => now() }
  const keys = [{ team: TEAM, keyId: KEY_ID, key: publicKey }]
  const apple = await startApnsDouble({ keys, topics: [TOPIC], ...clock })
  // The library that asks Google for access tokens signs by the machine's clock.
  const google = await startFcm({ credentials: CREDENTIALS })
  const browsers = await startPushService(clock, onFinished)
  const apns = { kind: 'apns', app: 'swapbell', team: TEAM, key_id: KEY_ID, topic: TOPIC, key_file: 'a', ca_file: 'b' }
  const texts = { key_file: privateKey, ca_file: AUTHORITY }
  const service = await startService({
    PUSH_PROVIDERS_FILE: [
      { settings: { ...apns, environment: 'production', address: apple.production.url }, texts },
      { settings: { ...apns, environment: 'sandbox', address: apple.sandbox.url }, texts },
      {
        settings: {
          kind: 'fcm',
          app: 'swapbell',
          credentials_file: 'c',
          address: google.url,
          token_address: google.tokenUrl,
          ca_file: 'b',
        },
        texts: { credentials_file: google.credentials, ca_file: AUTHORITY },
      },
      {
        settings: {
          kind: 'web',
          app: 'swapbell',
          subject: 'mailto:push@swapbell.example',
          hosts: [browsers.url, AWAY].map((url) => new URL(url).host),
          key_file: 'd',
          ca_file: 'b',
        },
        texts: { key_file: drawKey(), ca_file: AUTHORITY },
      },
    ],
  })
  now = () => service.clock.now()
  onFinished(async () => {
    await service.close()
    await Promise.all([apple.close(), google.close()])
  })
  let phones = 0
  const toAddress = (kind: PhoneKind) => {
    phones++
    if (kind === 'expo') return { token: `ExponentPushToken[${phones}]`, platform: 'ios' }
    if (kind === 'fcm') return { token: makeToken(phones), token_type: 'fcm', app: 'swapbell', platform: 'android' }
    if (kind === 'web' || kind === 'away') {
      const token = browsers.subscribe()
      const moved = kind === 'away' ? token.replace(browsers.url, AWAY) : token
      return { token: moved, token_type: 'web', app: 'swapbell', platform: 'web' }
    }
    const environment = kind === 'apns' ? 'production' : 'sandbox'
    const token = deviceToken(phones)
    apple.setToken(token, { environment })
    return { token, token_type: 'apns', app: 'swapbell', environment, platform: 'ios' }
  }
  const register = async (user: GivenUser, kind: PhoneKind) => {
    const payload = { ...toAddress(kind), device_id: randomUUID() }
    const url = '/api/user/save-phone-token'
    const answer = await service.app.inject({ method: 'POST', url, headers: user.headers, payload })
    expect(answer.statusCode).toBe(200)
    return payload.token
  }
  return { service, apple, google, browsers, register, toAddress }
}
