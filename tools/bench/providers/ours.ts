import { AUTHORITY } from '../../../simulator/src/http2/certificates.ts'
import { createLog } from '../../../server/src/platform/shared/log.ts'
import { createApnsProvider } from '../../../server/src/push/provider/apns/apns.ts'
import { createFcmProvider } from '../../../server/src/push/provider/fcm/fcm.ts'
import type {
  Provider,
  ProviderGround,
  Push,
  PushOutcome,
  ShareToken,
} from '../../../server/src/push/provider/provider.ts'
import { createWebPushProvider } from '../../../server/src/push/provider/web-push/web-push.ts'
import type { Sender } from './senders.ts'
import { APP, isBad, KEY_ID, LINK, SUBJECT, TEAM, TEXT, TOPIC, toToken, type Target, type Outcome } from './target.ts'

const TIMEOUT_MS = 10_000
const SUBMISSIONS_AT_ONCE = 6
export const PLATFORMS = { apns: 'ios', fcm: 'android', web: 'web' } as const
const WARM_MS = { apns: 6_000, fcm: 12_000, web: 1_000 }
const CONTENT = { ...TEXT, data: { link: LINK }, urgent: false, mergeKey: null }

/** The provider alone, with as many submissions at once as a worker has. What is given back is sent once more. */
export function openOurs(target: Target): Sender {
  const provider = openProvider(target)
  const expiresAt = new Date(Date.now() + 3_600_000)
  const toPush = (push: number): Push => ({
    to: toToken(target, push),
    platform: PLATFORMS[target.kind],
    notificationId: push + 1,
    content: CONTENT,
    expiresAt,
    // A token that the provider never took is such a one.
    isProven: !isBad(target, push),
  })
  return {
    aCall: provider.maxPushes,
    callsAtOnce: SUBMISSIONS_AT_ONCE,
    tries: 2,
    warmMs: WARM_MS[target.kind],
    send: async (pushes) => (await provider.submit(pushes.map(toPush))).outcomes.map(toOutcome),
    close: () => provider.close(),
  }
}

export function openProvider(target: Target): Provider {
  const { kind, url: address, key, tokenUrl } = target
  const ground: ProviderGround = {
    name: kind,
    key,
    ca: AUTHORITY,
    timeoutMs: TIMEOUT_MS,
    log: createLog('silent'),
    clock: Date,
    share: shareInMemory(),
  }
  if (kind === 'apns') {
    const settings = { app: APP, environment: 'production', team: TEAM, key_id: KEY_ID, topic: TOPIC, address } as const
    return createApnsProvider(settings, ground)
  }
  if (kind === 'fcm') return createFcmProvider({ app: APP, address, token_address: tokenUrl }, ground)
  return createWebPushProvider({ app: APP, subject: SUBJECT, hosts: [new URL(address).host] }, ground)
}

function shareInMemory(): ShareToken {
  const signed = new Map<string, ReturnType<ShareToken>>()
  return (sign, _freshForMs, about = '') => {
    const signedAt = new Date()
    const known = signed.get(about) ?? Promise.resolve(sign(signedAt)).then((token) => ({ token, signedAt }))
    signed.set(about, known)
    return known
  }
}

function toOutcome(outcome: PushOutcome): Outcome {
  if (outcome.kind === 'accepted') return 'ok'
  if (outcome.kind === 'unknown') return 'unknown'
  if (outcome.retry) return 'again'
  return outcome.code === 'DeviceNotRegistered' ? 'gone' : 'failed'
}
