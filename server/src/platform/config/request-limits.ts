import { isRecord, parseJson } from '../shared/json.ts'
import type { Setting } from './readers.ts'

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
  /** It refuses nothing: support is shown its count. */
  'login-failures-shown': { calls: 1, seconds: 24 * HOUR, by: 'subject', exact: true },
  'second-factor': { calls: 10, seconds: HOUR, by: 'subject', exact: true },
  'second-factor-account': { calls: 20, seconds: 24 * HOUR, by: 'subject', exact: true },
  register: { calls: 5, seconds: MINUTE, by: 'ip', exact: true },
  'password-forgot': { calls: 10, seconds: HOUR, by: 'ip', exact: true },
  /** The time is shorter than the life of a link: people who get no further mail have a valid link. */
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

type Rate = Pick<Limit, 'calls' | 'seconds'>
export type Overrides = { readonly [Name in AnyLimit]?: Rate }

export function overrides(doc: string): Setting<Overrides> {
  return { doc, fallback: {}, read: readOverrides }
}

function readOverrides(json: string): Overrides {
  const given = parseJson(json)
  if (!isRecord(given)) throw new Error('must be an object with a request limit in each key.')
  for (const [name, rate] of Object.entries(given)) {
    if (!Object.hasOwn(LIMITS, name)) throw new Error(`has the unknown key ${JSON.stringify(name)}.`)
    const { calls, seconds, ...others } = isRecord(rate) ? rate : {}
    if (!isCount(calls, 0, 9_999_999) || !isCount(seconds, 1, 999_999) || Object.keys(others).length > 0)
      throw new Error(
        `must give ${JSON.stringify(name)} {"calls": 0 to 9999999, "seconds": 1 to 999999}, in whole numbers.`,
      )
  }
  return given
}

function isCount(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

const MOST_TIMES = 20

/** The request limits that are so high that they limit nothing. */
export function switchedOff(given: Overrides): AnyLimit[] {
  return (Object.keys(given) as AnyLimit[]).filter((name) => toRate(given[name]) > MOST_TIMES * toRate(LIMITS[name]))
}

function toRate({ calls, seconds }: Rate = { calls: 0, seconds: 1 }): number {
  return calls / seconds
}
