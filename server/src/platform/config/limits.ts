export type Limit = {
  calls: number
  seconds: number
  /** The calls of one address, user or subject count together. The caller of `hit` names the subject. */
  by: 'ip' | 'user' | 'subject'
  /** Counted in the database before the answer; others are counted in the process and shared every 250 ms. */
  exact: boolean
}

const MINUTE = 60
const HOUR = 3_600

export const LIMITS = {
  anonymous: { calls: 600, seconds: MINUTE, by: 'ip', exact: false },
  user: { calls: 120, seconds: MINUTE, by: 'user', exact: false },
  admin: { calls: 300, seconds: MINUTE, by: 'user', exact: false },
  login: { calls: 30, seconds: MINUTE, by: 'ip', exact: true },
  'login-failures': { calls: 10, seconds: 15 * MINUTE, by: 'subject', exact: true },
  'login-failures-account': { calls: 30, seconds: HOUR, by: 'subject', exact: true },
  /** Refuses nothing: what support is shown. */
  'login-failures-shown': { calls: 1, seconds: 24 * HOUR, by: 'subject', exact: true },
  'second-factor': { calls: 10, seconds: HOUR, by: 'subject', exact: true },
  'second-factor-account': { calls: 20, seconds: 24 * HOUR, by: 'subject', exact: true },
  register: { calls: 5, seconds: MINUTE, by: 'ip', exact: true },
  'password-forgot': { calls: 10, seconds: HOUR, by: 'ip', exact: true },
  /** Shorter than the life of a link: people who get no further mail have a valid link. */
  'mail-address': { calls: 3, seconds: 15 * MINUTE, by: 'subject', exact: true },
  'mail-confirm-day': { calls: 10, seconds: 24 * HOUR, by: 'subject', exact: true },
  'mail-token': { calls: 20, seconds: 15 * MINUTE, by: 'ip', exact: true },
  'address-confirm': { calls: 5, seconds: HOUR, by: 'user', exact: true },
  account: { calls: 20, seconds: MINUTE, by: 'user', exact: true },
  'account-export': { calls: 5, seconds: HOUR, by: 'user', exact: true },
  'group-create': { calls: 10, seconds: HOUR, by: 'user', exact: true },
  'group-join-request': { calls: 30, seconds: HOUR, by: 'user', exact: true },
  'group-invite': { calls: 60, seconds: HOUR, by: 'user', exact: true },
  'user-report': { calls: 20, seconds: HOUR, by: 'user', exact: true },
  block: { calls: 60, seconds: HOUR, by: 'user', exact: true },
  'save-phone-token': { calls: 10, seconds: MINUTE, by: 'user', exact: true },
  'save-phone-token-ip': { calls: 60, seconds: MINUTE, by: 'ip', exact: true },
  export: { calls: 6, seconds: MINUTE, by: 'user', exact: true },
  'new-product': { calls: 60, seconds: HOUR, by: 'user', exact: true },
  'product-report': { calls: 20, seconds: HOUR, by: 'user', exact: true },
  'bulk-send': { calls: 6, seconds: HOUR, by: 'subject', exact: true },
  'sandbox-send': { calls: 60, seconds: HOUR, by: 'subject', exact: true },
  'test-send': { calls: 60, seconds: HOUR, by: 'subject', exact: true },
  /** Counts the users that an administrator names, not the calls. */
  'send-recipients': { calls: 20_000, seconds: HOUR, by: 'subject', exact: true },
  'group-join': { calls: 20, seconds: MINUTE, by: 'subject', exact: true },
  'group-join-new': { calls: 3, seconds: HOUR, by: 'subject', exact: true },
  'group-join-pair': { calls: 5, seconds: HOUR, by: 'subject', exact: true },
  'group-join-recipient': { calls: 30, seconds: HOUR, by: 'subject', exact: true },
  'group-join-ip': { calls: 60, seconds: 10 * MINUTE, by: 'subject', exact: true },
  'swap-message': { calls: 60, seconds: MINUTE, by: 'user', exact: false },
  'swap-proposal': { calls: 60, seconds: HOUR, by: 'subject', exact: true },
  'swap-stranger': { calls: 5, seconds: HOUR, by: 'subject', exact: true },
} as const satisfies Record<string, Limit>

export type AnyLimit = keyof typeof LIMITS

/** Limits that a route may declare, because the request determines their subject. */
export type LimitName = {
  [Name in AnyLimit]: (typeof LIMITS)[Name]['by'] extends 'subject' ? never : Name
}[AnyLimit]

export type ExactLimit = {
  [Name in AnyLimit]: (typeof LIMITS)[Name]['exact'] extends true ? Name : never
}[AnyLimit]

export function readOverride(text: string): { name: AnyLimit; calls: number; seconds: number } | undefined {
  const [, name, calls, seconds] = /^([a-z-]{1,40})=(\d{1,7})\/([1-9]\d{0,5})$/.exec(text) ?? []
  if (name === undefined || !Object.hasOwn(LIMITS, name)) return undefined
  return { name: name as AnyLimit, calls: Number(calls), seconds: Number(seconds) }
}

const MOST_TIMES = 20

export function switchesOff({ name, calls, seconds }: { name: AnyLimit; calls: number; seconds: number }): boolean {
  const usual = LIMITS[name]
  return calls / seconds > (MOST_TIMES * usual.calls) / usual.seconds
}
