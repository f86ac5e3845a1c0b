import type { Push, PushContent, Unaddressed } from '../provider.ts'

/** A message's part of the payload, before and after the badge. */
export type Prepared = { before: string; after: string }

type About = { topic: string; ticketId: string; jwt: string; prepared: Prepared }

/** `apns-expiration` ends an attempt; a phone that is away keeps one notification for each app. */
export function encodePush(push: Push, about: About) {
  const { notificationId, content, expiresAt } = push
  return {
    path: `/3/device/${push.to.toLowerCase()}`,
    headers: {
      authorization: `bearer ${about.jwt}`,
      'apns-topic': about.topic,
      'apns-push-type': 'alert',
      'apns-id': about.ticketId,
      'apns-collapse-id': content.mergeKey ?? `n${notificationId}`,
      'apns-expiration': String(Math.floor(expiresAt.getTime() / 1_000)),
      'apns-priority': content.urgent ? '10' : '5',
    },
    body: encodePayload(push, about.prepared),
  }
}

/** UTF-8 bytes of the payload. */
export function payloadBytes(push: Unaddressed): number {
  return Buffer.byteLength(encodePayload(push, preparePayload(push.content)))
}

/**
 * Data is in `body`, where expo-notifications reads it. An app without the entitlement for time-sensitive notifications
 * shows them as active ones. Notifications of one event are a group on the phone.
 */
export function preparePayload({ title, body, data, urgent }: PushContent): Prepared {
  const { notification_id: _ours, ...rest } = data ?? {}
  const thread = typeof rest['event'] === 'string' ? { 'thread-id': rest['event'] } : {}
  const level = urgent ? 'time-sensitive' : 'active'
  const aps = JSON.stringify({ alert: { title, body }, sound: 'default', 'interruption-level': level, ...thread })
  const inner = JSON.stringify(rest).slice(1, -1)
  return { before: `{"aps":${aps.slice(0, -1)}`, after: `},"body":{${inner}${inner === '' ? '' : ','}` }
}

function encodePayload({ badge, notificationId }: Unaddressed, { before, after }: Prepared): string {
  const onIcon = badge === undefined ? '' : `,"badge":${badge}`
  return `${before}${onIcon}${after}"notification_id":${notificationId}}}`
}
