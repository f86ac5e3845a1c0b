import { createPrivateKey } from 'node:crypto'
import { AUTHORITY } from '../../../simulator/src/http2/certificates.ts'
import { openGoogleAccess } from '../../../server/src/push/provider/fcm/google-access.ts'
import { readCredentials } from '../../../server/src/push/provider/fcm/google-credentials.ts'
import { readPublicKey } from '../../../server/src/push/provider/web-push/vapid.ts'
import { openApns2, openFirebase, openNodeApn, openWebPush, toFirebase, toWebText, type VapidKeys } from './messages.ts'
import { openOurs } from './ours.ts'
import { redirect } from './peers.ts'
import { LINK, TEXT, toPush, toToken, type Kind, type Target, type Outcome } from './target.ts'

/** A way to send, as a script of its users has it: so many pushes a call, and so many calls at once. */
export type Sender = {
  aCall: number
  callsAtOnce: number
  /** How often a push that is given back is sent. */
  tries: number
  /** How long it takes until its connections are open, one a second. Left out: with the first call. */
  warmMs?: number
  send(pushes: number[]): Promise<Outcome[]>
  close(): void | Promise<void>
}

export const SENDERS: Record<Kind, Record<string, (target: Target) => Sender | Promise<Sender>>> = {
  apns: { ours: openOurs, 'node-apn': sendByNodeApn, apns2: sendByApns2 },
  fcm: { ours: openOurs, 'firebase-admin': sendByFirebase },
  web: { ours: openOurs, 'web-push': sendByWebPush },
}

const EXPIRES_IN_MS = 3_600_000
// Sygnal rejects a token for these.
const GONE_AT_APPLE = new Set([
  'BadDeviceToken',
  'DeviceTokenNotForTopic',
  'TopicDisallowed',
  'Unregistered',
  'ExpiredToken',
])
const GONE_AT_GOOGLE = 'messaging/registration-token-not-registered'

function sendByNodeApn(target: Target): Sender {
  const { send, close } = openNodeApn(target.url, target.key)
  return {
    aCall: 1_000,
    callsAtOnce: 1,
    tries: 1,
    close,
    send: async (pushes) => {
      const outcomes = new Map<number, Outcome>()
      const { sent, failed } = await send(
        toMessage(pushes[0]!),
        pushes.map((push) => toToken(target, push)),
      )
      for (const { device } of sent) outcomes.set(toPush('apns', device), 'ok')
      for (const { device, response } of failed) outcomes.set(toPush('apns', device), failedByApple(response?.reason))
      return pushes.map((push) => outcomes.get(push) ?? 'nothing')
    },
  }
}

function sendByApns2(target: Target): Sender {
  redirect(new URL(target.url))
  const { send, close } = openApns2(target.key)
  return {
    aCall: 1_000,
    callsAtOnce: 1,
    tries: 1,
    close,
    send: async (pushes) => {
      const answers = await send(
        toMessage(pushes[0]!),
        pushes.map((push) => toToken(target, push)),
      )
      return answers.map((answer) => ('error' in answer ? failedByApple(answer.error.reason) : 'ok'))
    },
  }
}

function failedByApple(reason = ''): Outcome {
  return GONE_AT_APPLE.has(reason) ? 'gone' : 'failed'
}

async function sendByFirebase(target: Target): Promise<Sender> {
  const { project, token } = await askGoogle(target)
  redirect(new URL(target.url))
  const { send } = openFirebase(project, token)
  return {
    aCall: 500,
    callsAtOnce: 1,
    tries: 1,
    close: () => undefined,
    send: async (pushes) => {
      const { responses } = await send(pushes.map((push) => toFirebase(toToken(target, push), toMessage(push))))
      return responses.map(({ success, error }) => {
        if (success) return 'ok'
        return error?.code === GONE_AT_GOOGLE ? 'gone' : 'failed'
      })
    },
  }
}

export async function askGoogle({ key, tokenUrl }: Pick<Target, 'key' | 'tokenUrl'>) {
  const credentials = readCredentials(key, undefined)
  if (typeof credentials === 'string') throw new Error(credentials)
  const google = openGoogleAccess({ credentials, tokenAddress: tokenUrl, ca: AUTHORITY, timeoutMs: 10_000 })
  const fetched = await google.fetchAccess()
  await google.close()
  if (fetched.kind !== 'token') throw new Error('The double gives no access token.')
  return { project: credentials.project, token: fetched.token }
}

/** Fifty at a time; a subscription is deleted at any 4xx but 408 and 429, as Mastodon does. */
function sendByWebPush(target: Target): Sender {
  const { send } = openWebPush(toVapidKeys(target.key))
  return {
    aCall: 50,
    callsAtOnce: 1,
    tries: 1,
    close: () => undefined,
    send: async (pushes) =>
      Promise.all(
        pushes.map(async (push): Promise<Outcome> => {
          const message = toMessage(push)
          try {
            await send(toToken(target, push), toWebText(message), message)
            return 'ok'
          } catch (error) {
            const { statusCode = 0 } = error as { statusCode?: number }
            return statusCode >= 400 && statusCode < 500 && ![408, 429].includes(statusCode) ? 'gone' : 'failed'
          }
        }),
      ),
  }
}

export function toVapidKeys(key: string): VapidKeys {
  const { d = '' } = createPrivateKey(key).export({ format: 'jwk' })
  return { publicKey: readPublicKey(key), privateKey: d }
}

function toMessage(push: number) {
  const notificationId = push + 1
  const expiresAt = new Date(Date.now() + EXPIRES_IN_MS)
  return { ...TEXT, data: { link: LINK }, notificationId, urgent: false, tag: `n${notificationId}`, expiresAt }
}
