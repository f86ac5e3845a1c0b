import { generateKeyPairSync } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { AUTHORITY } from '../../../simulator/src/http2/certificates.ts'
import { startWebPush, type WebPushDouble, type WebPushOptions } from '../../../simulator/src/web-push/web-push.ts'
import type { ProviderEntry } from '../../src/platform/config/providers-file.ts'
import { createLog } from '../../src/platform/shared/log.ts'
import type { Provider, Push, ShareToken } from '../../src/push/provider/provider.ts'
import { readPublicKey } from '../../src/push/provider/web-push/vapid.ts'
import type { WebPushSettings } from '../../src/push/provider/web-push/web-push-settings.ts'
import { createWebPushProvider } from '../../src/push/provider/web-push/web-push.ts'

/** A push service of a browser's vendor. Tests that run at once give their own `onFinished`. */
export async function startPushService(
  options: WebPushOptions = {},
  onFinished: (end: () => Promise<void>) => void = onTestFinished,
) {
  const service = await startWebPush(options)
  onFinished(() => service.close())
  return service
}

/** What PUSH_PROVIDERS_FILE has for browsers that subscribed at this service. */
export function entryFor({ url }: Pick<WebPushDouble, 'url'>): ProviderEntry {
  const subject = 'mailto:push@swapbell.example'
  const names = { key_file: 'key.pem', ca_file: 'authority.pem' }
  const settings = { kind: 'web', app: 'swapbell', subject, hosts: [new URL(url).host], ...names }
  return { settings, texts: { key_file: drawKey(), ca_file: AUTHORITY } }
}

/** PEM. */
export function drawKey(namedCurve = 'prime256v1'): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

type Wish = Partial<WebPushSettings> & { url?: string; key?: string; timeoutMs?: number; now?: () => number }

/** The provider that may push to `url` alone. */
export function openWebPush({
  url = 'https://localhost:1',
  key = drawKey(),
  timeoutMs = 5_000,
  now = Date.now,
  ...settings
}: Wish): Provider & { publicKey: string } {
  const provider = createWebPushProvider(
    { app: 'swapbell', subject: 'mailto:push@swapbell.example', hosts: [new URL(url).host], ...settings },
    {
      name: 'web/swapbell',
      key,
      ca: AUTHORITY,
      timeoutMs,
      log: createLog('silent'),
      clock: { now },
      share: createShare(now),
    },
  )
  onTestFinished(() => provider.close())
  return { ...provider, publicKey: readPublicKey(key) }
}

/** A push service, a provider that may push to it alone, and a subscription made with the provider's key. */
export async function webPushWorld(options: { now?: () => number } = {}) {
  const service = await startPushService(options)
  const key = drawKey()
  const provider = openWebPush({ url: service.url, key, ...options })
  const to = service.subscribe({ applicationServerKey: provider.publicKey })
  return { service, provider, key, url: service.url, to }
}

/** One push for each subscription, with the ids from 1. */
export function pushesTo(subscriptions: string[], { content, ...wish }: Partial<Push> = {}): Push[] {
  return subscriptions.map((to, n) => ({
    to,
    platform: 'web',
    notificationId: n + 1,
    expiresAt: new Date(Date.now() + 3_600_000),
    isProven: true,
    content: content ?? {
      title: 'New offer',
      body: 'Somebody wants to swap.',
      data: { link: 'a' },
      urgent: true,
      mergeKey: null,
    },
    ...wish,
  }))
}

/** It keeps in memory what the database keeps for all processes. */
function createShare(now: () => number): ShareToken {
  const known = new Map<string, { at: number; signed: ReturnType<ShareToken> }>()
  return (sign, freshForMs, about = '') => {
    const latest = known.get(about)
    if (latest !== undefined && latest.at + freshForMs > now()) return latest.signed
    const signedAt = new Date(now())
    const signed = Promise.resolve(sign(signedAt)).then((token) => ({ token, signedAt }))
    known.set(about, { at: now(), signed })
    return signed
  }
}
