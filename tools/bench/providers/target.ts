export const KINDS = ['apns', 'fcm', 'web'] as const
export type Kind = (typeof KINDS)[number]

/** What a double does beside its latency. `wrong`: it calls us a sender of another app, project or key. */
export const FAULTS = ['none', 'goaway', 'bad', '503', '500', 'hole', 'wrong'] as const
export type Fault = (typeof FAULTS)[number]

/** What a sender needs to reach a double, and whom it sends to. Pushes have the numbers from 0. */
export type Target = {
  kind: Kind
  url: string
  /** Apple's key, the service account's file, or the key of VAPID. */
  key: string
  tokenUrl: string
  /** One a push; every twentieth is gone if tokens are bad. */
  subscriptions: string[]
  pushes: number
  /** Further ones, with the numbers after those, to open the connections. */
  warm: number
  hasBadTokens: boolean
}

export const APP = 'swapbell'
export const TOPIC = 'com.example.swapbell'
export const TEAM = 'TEAMID1234'
export const KEY_ID = 'KEYID12345'
export const SUBJECT = 'mailto:push@swapbell.example'
export const TEXT = {
  title: 'Swap weekend',
  body: 'Two days, no fees, and a meeting point near you. Bring three things that you no longer need.',
}
export const LINK = 'swapbell://weekend'
const ONE_IN = 20

export function isBad({ hasBadTokens }: Pick<Target, 'hasBadTokens'>, push: number): boolean {
  return hasBadTokens && push % ONE_IN === 0
}

/** The token of a push's phone, from which `toPush` reads the number again. */
export function toToken(target: Target, push: number): string {
  const bad = isBad(target, push)
  if (target.kind === 'apns') return (bad ? 'badbadba' : 'cccccccc') + push.toString(16).padStart(56, '0')
  if (target.kind === 'web') return target.subscriptions[push]!
  return `${bad ? 'dead-' : 'phone-'}${String(push).padStart(16, '0')}:APA91b${'x'.repeat(134)}`
}

export function toPush(kind: Exclude<Kind, 'web'>, token: string): number {
  return kind === 'apns' ? parseInt(token.slice(8), 16) : Number(/-(\d+):/.exec(token)?.[1])
}

/** What the sender was told of a push, or makes of it. `again`: given back, to be sent later. */
export const TOLD = ['nothing', 'ok', 'failed', 'gone', 'unknown', 'again'] as const
export type Outcome = (typeof TOLD)[number]
