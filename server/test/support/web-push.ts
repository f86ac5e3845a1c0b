import { generateKeyPairSync } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { AUTHORITY } from '../../../simulator/src/http2/certificates.ts'
import { startWebPush, type WebPushOptions } from '../../../simulator/src/web-push/web-push.ts'
import { createLog } from '../../src/platform/shared/log.ts'
import type { Provider, Push, ShareToken } from '../../src/push/provider/provider.ts'
import { readPublicKey } from '../../src/push/provider/web-push/vapid.ts'
import { createWebPushProvider, type WebPushSettings } from '../../src/push/provider/web-push/web-push.ts'

/** A push service of a browser's vendor. */
export async function startPushService(options: WebPushOptions = {}) {
  const service = await startWebPush(options)
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

/** In memory, as the database does for all processes. */
function createShare(now: () => number): ShareToken {
  const known = new Map<string, { token: string; signedAt: Date }>()
  return async (sign, freshForMs, about = '') => {
    const latest = known.get(about)
    if (latest !== undefined && latest.signedAt.getTime() + freshForMs > now()) return latest
    const signedAt = new Date(now())
    const signed = { token: await sign(signedAt), signedAt }
    known.set(about, signed)
    return signed
  }
}
