import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startWebPushService, type WebPushOptions } from '../../../simulator/src/web-push/service.ts'
import { createLog } from '../../src/platform/shared/log.ts'
import type { Provider, Push } from '../../src/push/provider/provider.ts'
import { readPublicKey } from '../../src/push/provider/web-push/vapid.ts'
import { createWebPushProvider, type WebPushSettings } from '../../src/push/provider/web-push/web-push.ts'

const CERTIFICATES = join(import.meta.dirname, '../../../simulator/src/http2/certificates')
const readCertificate = (name: string) => readFileSync(join(CERTIFICATES, name), 'utf8')

/** A push service of a browser's vendor. */
export async function startPushService(options: Omit<WebPushOptions, 'tls'> = {}) {
  const tls = { key: readCertificate('localhost-key.pem'), cert: readCertificate('localhost.pem') }
  const service = await startWebPushService({ tls, ...options })
  onTestFinished(() => service.close())
  return service
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
      ca: readCertificate('authority.pem'),
      timeoutMs,
      log: createLog('silent'),
      clock: { now },
      share: () => Promise.reject(new Error('Web Push shares no token.')),
    },
  )
  onTestFinished(() => provider.close())
  return { ...provider, publicKey: readPublicKey(key) }
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
