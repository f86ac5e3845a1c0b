import { loadPeer } from './peers.ts'
import { KEY_ID, SUBJECT, TEAM, TOPIC } from './target.ts'

/** A push as a script of a peer's users makes it. */
export type Message = {
  title: string
  body: string
  link: string
  notificationId: number
  urgent: boolean
  /** The name of its banner. */
  tag: string
  expiresAt: Date
  badge?: number
}

/** What of the peers' own types is used here. */
export type NodeApn = {
  Provider: new (options: object) => {
    send(note: object, tokens: string[]): Promise<{ sent: { device: string }[]; failed: ApnFailure[] }>
    shutdown(): void
  }
  Notification: new (fields: object) => object
}
export type ApnFailure = { device: string; status?: number; response?: { reason?: string } }
export type Apns2 = {
  ApnsClient: new (options: object) => {
    sendMany(notes: object[]): Promise<({ error: { reason?: string } } | { deviceToken: string })[]>
    close(): Promise<void>
  }
  Notification: new (token: string, options: object) => object
}
export type FirebaseApp = { initializeApp(options: object): object }
export type FirebaseMessaging = {
  getMessaging(app: object): {
    sendEach(messages: object[]): Promise<{ responses: { success: boolean; error?: { code: string } }[] }>
  }
}
export type WebPush = {
  sendNotification(subscription: object, text: string, options: object): Promise<{ statusCode: number }>
}

export function openNodeApn(url: string, key: string) {
  const apn = loadPeer<NodeApn>('@parse/node-apn')
  const provider = new apn.Provider({
    token: { key: Buffer.from(key), keyId: KEY_ID, teamId: TEAM },
    address: new URL(url).host,
    production: true,
  })
  return {
    send: (message: Message, tokens: string[]) => provider.send(noteOf(apn, message), tokens),
    close: () => provider.shutdown(),
  }
}

function noteOf(apn: NodeApn, { title, body, link, notificationId, urgent, tag, expiresAt, badge }: Message): object {
  return new apn.Notification({
    topic: TOPIC,
    pushType: 'alert',
    alert: { title, body },
    sound: 'default',
    interruptionLevel: urgent ? 'time-sensitive' : 'active',
    priority: urgent ? 10 : 5,
    expiry: seconds(expiresAt),
    collapseId: tag,
    ...(badge !== undefined && { badge }),
    payload: { body: { link, notification_id: notificationId } },
  })
}

export function openApns2(key: string) {
  const { ApnsClient, Notification } = loadPeer<Apns2>('apns2')
  const client = new ApnsClient({ team: TEAM, keyId: KEY_ID, signingKey: key, defaultTopic: TOPIC })
  return {
    send: ({ title, body, link, notificationId, urgent, tag, expiresAt }: Message, tokens: string[]) =>
      client.sendMany(
        tokens.map(
          (token) =>
            new Notification(token, {
              alert: { title, body },
              sound: 'default',
              priority: urgent ? 10 : 5,
              expiration: expiresAt,
              collapseId: tag,
              data: { body: { link, notification_id: notificationId } },
            }),
        ),
      ),
    close: () => client.close(),
  }
}

/** With access tokens as Google gave them, because it asks a fixed address for those. */
export function openFirebase(project: string, accessToken: string) {
  const { initializeApp } = loadPeer<FirebaseApp>('firebase-admin/app')
  const { getMessaging } = loadPeer<FirebaseMessaging>('firebase-admin/messaging')
  const getAccessToken = async () => ({ access_token: accessToken, expires_in: 3_599 })
  const messaging = getMessaging(initializeApp({ projectId: project, credential: { getAccessToken } }))
  return { send: (messages: object[]) => messaging.sendEach(messages) }
}

export function toFirebase(token: string, message: Message): object {
  const { title, body, link, notificationId, urgent, tag, expiresAt, badge } = message
  return {
    token,
    data: {
      title,
      message: body,
      channelId: 'default',
      body: JSON.stringify({ link, notification_id: notificationId }),
      tag,
      ...(badge !== undefined && { badge: String(badge) }),
    },
    android: { priority: urgent ? 'high' : 'normal', ttl: Math.max(0, expiresAt.getTime() - Date.now()) },
    fcmOptions: { analyticsLabel: urgent ? 'transactional' : 'campaign' },
  }
}

export type VapidKeys = { publicKey: string; privateKey: string }

export function openWebPush(vapid: VapidKeys, agent?: object) {
  const webPush = loadPeer<WebPush>('web-push')
  const vapidDetails = { subject: SUBJECT, ...vapid }
  return {
    send: (
      subscription: string,
      text: string,
      { urgent, expiresAt, topic }: Pick<Message, 'urgent' | 'expiresAt'> & { topic: string },
    ) =>
      webPush.sendNotification(JSON.parse(subscription) as object, text, {
        vapidDetails,
        TTL: seconds(expiresAt) - seconds(new Date()),
        urgency: urgent ? 'high' : 'normal',
        topic,
        ...(agent && { agent }),
      }),
  }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
