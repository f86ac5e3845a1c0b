import { createPrivateKey } from 'node:crypto'
import { Type } from 'typebox'

/** What the settings and the phones call an app. */
export const APP_NAME = {
  pattern: '^[a-z0-9][a-z0-9._-]{0,60}$',
  'x-fault': 'must be a name in small letters, digits, dots, dashes and underscores',
}

/** Elsewhere than the real server, for a proxy or a double. */
export const ADDRESS = Type.String({ pattern: '^https://', 'x-fault': 'must begin with https://' })

/** A file or a variable has a name. */
const NAME = Type.String({ minLength: 1 })

export const KEY_SETTINGS = { key_file: Type.Optional(NAME), key_variable: Type.Optional(NAME) }

/** Settings of every kind in PUSH_PROVIDERS_FILE; a kind spreads them into its own. */
export const COMMON_SETTINGS = {
  app: Type.String(APP_NAME),
  /** Pushes a second, of all processes together. */
  rate_per_second: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** A process holds at most this many. */
  connections: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
  address: Type.Optional(ADDRESS),
  /** A certificate authority that is trusted beside the usual ones, PEM. */
  ca_file: Type.Optional(NAME),
}

/** Whether it is a private key on that curve, as PEM: Apple and the services of browsers take no other. */
export function isP256(key: string): boolean {
  try {
    return createPrivateKey(key).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}
