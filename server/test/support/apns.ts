import { createHash, generateKeyPairSync } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { startApnsDouble, type ApnsDouble, type ApnsDoubleOptions } from '../../../simulator/src/apns/apns.ts'
import { AUTHORITY } from '../../../simulator/src/http2/certificates.ts'
import { createLog } from '../../src/platform/shared/log.ts'
import { createApnsProvider } from '../../src/push/provider/apns/apns.ts'
import type { ApnsSettings } from '../../src/push/provider/apns/apns-settings.ts'
import { APNS_TOKENS } from '../../src/push/provider/apns/apns-tokens.ts'
import type { Provider, ProviderGround, Push, ShareToken } from '../../src/push/provider/provider.ts'

export const TOPIC = 'com.example.swapbell'
export const TEAM = 'TEAMID1234'
export const KEY_ID = 'KEYID12345'

/** A key as Apple gives it. */
export function appleKey(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

export type ApnsWorld = {
  double: ApnsDouble
  /** The service's clock, and Apple's. */
  clocks: { own: number; apple: number }
  /** The row of the provider token that all processes share. */
  share: ShareToken
  /** Another process, or one with other settings. */
  open(settings?: Partial<ApnsSettings>, ground?: Partial<ProviderGround>): Provider
  logged(): string
}

/** Apple's double, and what a provider needs to send to it. Tests that run at once give their own `onFinished`. */
export async function apnsWorld(
  options: Partial<ApnsDoubleOptions> = {},
  onFinished: (end: () => Promise<void>) => void = onTestFinished,
): Promise<ApnsWorld> {
  const { privateKey, publicKey } = appleKey()
  const clocks = { own: Date.now(), apple: Date.now() }
  const keys = [{ team: TEAM, keyId: KEY_ID, key: publicKey }]
  const double = await startApnsDouble({ keys, topics: [TOPIC], now: () => clocks.apple, ...options })
  onFinished(() => double.close())
  let lines = ''
  const log = createLog('info', { write: (line) => void (lines += line) }, { tokens: APNS_TOKENS })
  const clock = { now: () => clocks.own }
  const share = sharedToken(clock)
  const open: ApnsWorld['open'] = (settings = {}, ground = {}) => {
    const environment = settings.environment ?? 'production'
    const provider = createApnsProvider(
      {
        app: 'swapbell',
        environment,
        team: TEAM,
        key_id: KEY_ID,
        topic: TOPIC,
        address: double[environment].url,
        connections: 1,
        ...settings,
      },
      { name: 'apns', key: privateKey, ca: AUTHORITY, timeoutMs: 30_000, log, clock, share, ...ground },
    )
    onFinished(() => provider.close())
    return provider
  }
  return { double, clocks, share, open, logged: () => lines }
}

/** It stands for the row in the database that processes read one after the other. */
function sharedToken(clock: { now(): number }): ShareToken {
  let row: { token: string; signedAt: Date } | undefined
  let last: Promise<unknown> = Promise.resolve()
  const read: ShareToken = async (sign, freshForMs) => {
    const age = clock.now() - (row?.signedAt.getTime() ?? 0)
    if (row === undefined || age >= freshForMs || age < 0) {
      const signedAt = new Date(clock.now())
      row = { token: await sign(signedAt), signedAt }
    }
    return row
  }
  return (sign, freshForMs) => {
    const next = last.then(() => read(sign, freshForMs))
    last = next.catch(() => undefined)
    return next
  }
}

/** A device token, the same for the same number; `prefix` says what Apple thinks of it. */
export function deviceToken(number: number, prefix = ''): string {
  return (prefix + createHash('sha256').update(`${number}`).digest('hex')).slice(0, 64)
}

export function apnsPush(notificationId: number, changes: Partial<Push> = {}): Push {
  const content = { title: 'Hello', body: 'A swap', data: { event: 'swap_status' }, urgent: true, mergeKey: null }
  return {
    to: deviceToken(notificationId),
    platform: 'ios',
    notificationId,
    content,
    expiresAt: new Date(Date.now() + 3_600_000),
    isProven: true,
    ...changes,
  }
}

export function apnsPushes(count: number, changes: (n: number) => Partial<Push> = () => ({})): Push[] {
  return Array.from({ length: count }, (_, n) => apnsPush(n + 1, changes(n)))
}
