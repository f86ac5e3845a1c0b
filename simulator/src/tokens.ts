const UUID_FORM = /^[a-z\d]{8}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{12}$/i
/** The forms of a receipt plan, for messages. */
export const RECEIPT_PLANS = 'ok, missing, late or error:CODE'

const DEFAULT_PROJECT = '@simulator/default'

/** Behaviours by the first letters of a token's name; see the README's table. */
const PREFIXES = [
  ['dead-', { ticketError: 'DeviceNotRegistered' }],
  ['gone-', { receipt: 'error:DeviceNotRegistered' }],
  ['rate-', { receipt: 'error:MessageRateExceeded' }],
  ['noreceipt-', { receipt: 'missing' }],
] as const satisfies [string, TokenRule][]

/** What happens to a message's receipt. `late` is 20 minutes after it was due. */
export type ReceiptPlan = 'ok' | 'missing' | 'late' | `error:${string}`

/** How messages to one token are treated: refused in the ticket, or accepted with this receipt. */
export type TokenRule = { ticketError?: string; receipt?: ReceiptPlan }

/** The form the official client calls a push token. Expo: isExpoPushToken. */
export function isPushToken(token: string): boolean {
  return (insideStart(token) > 0 && token.endsWith(']')) || UUID_FORM.test(token)
}

/** The project of a token: `ExponentPushToken[proj-b:…]` belongs to `@simulator/b`, a plain one to the default. */
export function readProject(token: string): string {
  const start = insideStart(token)
  if (!token.startsWith('proj-', start)) return DEFAULT_PROJECT
  const colon = token.indexOf(':', start)
  return colon < 0 ? DEFAULT_PROJECT : `@simulator/${token.slice(start + 5, colon)}`
}

/** The behaviour that a token's name asks for, if any. */
export function ruleByName(token: string): TokenRule | undefined {
  let start = insideStart(token)
  if (token.startsWith('proj-', start)) start = token.indexOf(':', start) + 1
  for (const [prefix, rule] of PREFIXES) if (token.startsWith(prefix, start)) return rule
  return undefined
}

function insideStart(token: string): number {
  if (token.startsWith('ExponentPushToken[')) return 18
  return token.startsWith('ExpoPushToken[') ? 14 : 0
}

export function isReceiptPlan(value: unknown): value is ReceiptPlan {
  return typeof value === 'string' && /^(ok|missing|late|error:[A-Za-z_]{1,40})$/.test(value)
}
