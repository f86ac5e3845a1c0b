import { loadPeer, mendScheme } from './peers.ts'
import { KEY_ID, SUBJECT, TEAM, TOPIC } from './target.ts'

/** A push as a script of a peer's users makes it. */
export type Message = {
  title: string
  body: string
  data: { link?: string; event?: string }
  notificationId: number
  urgent: boolean
  /** The name of its banner. */
  tag: string
  /** A push service replaces a waiting push of the same one. */
  topic?: string
  expiresAt: Date
  badge?: number
}

/** What of the peers' own types is used here. */
type NodeApn = {
  Provider: new (options: object) => {
    send(note: object, tokens: string[]): Promise<{ sent: { device: string }[]; failed: ApnFailure[] }>
    shutdown(): void
  }
  Notification: new (fields: object) => object
}
type ApnFailure = { device: string; status?: number; response?: { reason?: string } }
type Apns2 = {
  ApnsClient: new (options: object) => {
    sendMany(notes: object[]): Promise<({ error: { reason?: string } } | { deviceToken: string })[]>
    close(): Promise<void>
  }
  Notification: new (token: string, options: object) => object
}
type FirebaseApp = { initializeApp(options: object): object }
type FirebaseMessaging = {
  getMessaging(app: object): {
    sendEach(messages: object[]): Promise<{ responses: { success: boolean; error?: { code: string } }[] }>
  }
}
type WebPush = {
  sendNotification(subscription: object, text: string, options: object): Promise<{ statusCode: number }>
}

export function openNodeApn(url: string, key: string) {
  const apn = loadPeer('@parse/node-apn') as NodeApn
  const { host, port } = new URL(url)
  const provider = new apn.Provider({
    token: { key: Buffer.from(key), keyId: KEY_ID, teamId: TEAM },
    address: host,
    // It would go to 443 all the same.
    port: Number(port),
    production: true,
  })
  return {
    send: (message: Message, tokens: string[]) => provider.send(toNote(apn, message), tokens),
    close: () => provider.shutdown(),
  }
}

function toNote(apn: NodeApn, { title, body, data, notificationId, urgent, tag, expiresAt, badge }: Message): object {
  return new apn.Notification({
    topic: TOPIC,
    pushType: 'alert',
    alert: { title, body },
    sound: 'default',
    interruptionLevel: urgent ? 'time-sensitive' : 'active',
    priority: urgent ? 10 : 5,
    expiry: seconds(expiresAt),
    collapseId: tag,
    ...(data.event !== undefined && { threadId: data.event }),
    ...(badge !== undefined && { badge }),
    payload: { body: { ...data, notification_id: notificationId } },
  })
}

export function openApns2(key: string) {
  const { ApnsClient, Notification } = loadPeer('apns2') as Apns2
  const client = new ApnsClient({ team: TEAM, keyId: KEY_ID, signingKey: key, defaultTopic: TOPIC })
  return {
    send: ({ title, body, data, notificationId, urgent, tag, expiresAt }: Message, tokens: string[]) =>
      client.sendMany(
        tokens.map(
          (token) =>
            new Notification(token, {
              alert: { title, body },
              sound: 'default',
              priority: urgent ? 10 : 5,
              expiration: expiresAt,
              collapseId: tag,
              data: { body: { ...data, notification_id: notificationId } },
            }),
        ),
      ),
    close: () => client.close(),
  }
}

/** Takes access tokens as Google gave them, because it asks a fixed address for those. */
export function openFirebase(project: string, accessToken: string) {
  mendScheme()
  const { initializeApp } = loadPeer('firebase-admin/app') as FirebaseApp
  const { getMessaging } = loadPeer('firebase-admin/messaging') as FirebaseMessaging
  const getAccessToken = async () => ({ access_token: accessToken, expires_in: 3_599 })
  const messaging = getMessaging(initializeApp({ projectId: project, credential: { getAccessToken } }))
  return { send: (messages: object[]) => messaging.sendEach(messages) }
}

export function toFirebase(token: string, message: Message): object {
  const { title, body, data, notificationId, urgent, tag, expiresAt, badge } = message
  return {
    token,
    data: {
      title,
      message: body,
      channelId: 'default',
      body: JSON.stringify({ ...data, notification_id: notificationId }),
      tag,
      ...(badge !== undefined && { badge: String(badge) }),
    },
    android: { priority: urgent ? 'high' : 'normal', ttl: Math.max(0, expiresAt.getTime() - Date.now()) },
    fcmOptions: { analyticsLabel: urgent ? 'transactional' : 'campaign' },
  }
}

export type VapidKeys = { publicKey: string; privateKey: string }

export function openWebPush(vapid: VapidKeys) {
  const webPush = loadPeer('web-push') as WebPush
  const vapidDetails = { subject: SUBJECT, ...vapid }
  return {
    send: (subscription: string, text: string, { urgent, expiresAt, topic }: Message) =>
      webPush.sendNotification(JSON.parse(subscription) as object, text, {
        vapidDetails,
        TTL: seconds(expiresAt) - seconds(new Date()),
        urgency: urgent ? 'high' : 'normal',
        ...(topic !== undefined && { topic }),
      }),
  }
}

export function toWebText({ title, body, tag, notificationId, data }: Message): string {
  return JSON.stringify({ title, body, tag, notification_id: notificationId, data })
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
