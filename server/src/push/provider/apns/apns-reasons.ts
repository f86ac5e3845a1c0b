import type { ErrorCode } from '../provider.ts'

const MINUTE_MS = 60_000
/** Apple: the wait after an answer of 500 or above. */
const AFTER_AWAY_MS = 15 * MINUTE_MS

/**
 * What an answer means: `status` is Apple's for the reason. A refusal for our configuration, or for the connection,
 * uses no attempt (its code says so). `advice`: it is our fault and is logged, with what to do.
 */
export type Verdict = {
  status: number
  code: ErrorCode
  kind: 'refused' | 'unknown'
  retry: boolean
  retryAfterMs?: number
  health: 'healthy' | 'failing' | 'misconfigured'
  /** What becomes of the connection: it takes no more pushes at all, or none for 20 minutes. */
  connection?: 'retire' | 'rest'
  advice?: string
}

const KEY = 'check team, key_id and the key file in PUSH_PROVIDERS_FILE, and that the key is not revoked'
const TOPIC = 'check that topic in PUSH_PROVIDERS_FILE is the bundle id of the app, and that the key is for it'
const KEY_OF_OTHER_ENVIRONMENT =
  'the key is for the other environment: set environment in PUSH_PROVIDERS_FILE, or take a key for this one'
const NO_CERTIFICATE = 'Apple asks for a certificate: check address in PUSH_PROVIDERS_FILE'
const BUG = 'a request had a form that Apple refuses: report this as a fault of Swapbell'

/** Every reason of Apple's table, and one that was seen in place of a documented one (803458 in Apple's forums). */
export const REASONS: Readonly<Record<string, Verdict>> = {
  Unregistered: aboutPush(410, 'DeviceNotRegistered'),
  ExpiredToken: aboutPush(410, 'DeviceNotRegistered'),
  BadDeviceToken: aboutPush(400, 'BadDeviceToken'),
  DeviceTokenNotForTopic: aboutPush(400, 'DeviceTokenNotForTopic'),
  TooManyRequests: { ...aboutPush(429, 'MessageRateExceeded'), retry: true },

  TopicDisallowed: configuration(400, TOPIC),
  BadTopic: configuration(400, TOPIC),
  MissingTopic: configuration(400, TOPIC),
  InvalidProviderToken: { ...configuration(403, KEY), connection: 'retire' },
  MissingProviderToken: configuration(403, KEY),
  Forbidden: { ...configuration(403, KEY), connection: 'retire' },
  BadCertificate: configuration(403, NO_CERTIFICATE),
  BadCertificateEnvironment: configuration(403, NO_CERTIFICATE),
  BadEnvironmentKeyIdInToken: configuration(403, KEY_OF_OTHER_ENVIRONMENT),
  BadEnvironmentKeyInToken: configuration(403, KEY_OF_OTHER_ENVIRONMENT),
  ExpiredProviderToken: configuration(403, 'the time in the provider token is too old: check the clock of this server'),

  UnrelatedKeyIdInToken: { ...lost(403, 'failing'), connection: 'retire', advice: KEY },
  TooManyProviderTokenUpdates: {
    ...lost(429, 'failing'),
    connection: 'rest',
    advice: 'the provider token changed too often: let no other program send with this key from this address',
  },
  IdleTimeout: { ...lost(400, 'healthy'), connection: 'retire' },

  PayloadTooLarge: { ...aboutPush(413, 'MessageTooBig'), advice: BUG },
  PayloadEmpty: ourBug(400),
  BadCollapseId: ourBug(400),
  BadMessageId: ourBug(400),
  BadPriority: ourBug(400),
  BadExpirationDate: ourBug(400),
  InvalidPushType: ourBug(400),
  DuplicateHeaders: ourBug(400),
  MissingDeviceToken: ourBug(400),
  BadPath: ourBug(404),
  MethodNotAllowed: ourBug(405),

  ServiceUnavailable: { ...away(503), retryAfterMs: AFTER_AWAY_MS },
  Shutdown: { ...away(503), connection: 'retire' },
  InternalServerError: unclear(500),
}

/** An answer of another kind: a reason that Apple has added, or what is not Apple (`reason` undefined). */
export function judgeUnlisted(status: number, reason: string | undefined): Verdict {
  if (status < 300 || status >= 500) return unclear(status)
  if (reason === undefined)
    return { ...lost(status, 'failing'), advice: 'another program than Apple answers: check address' }
  if (status === 403) return configuration(status, KEY)
  const advice = 'Apple gave a reason that Swapbell does not know'
  return { ...aboutPush(status, 'UnknownError'), retry: true, advice }
}

function aboutPush(status: number, code: ErrorCode): Verdict {
  return { status, code, kind: 'refused', retry: false, health: 'healthy' }
}

function configuration(status: number, advice: string): Verdict {
  return { status, code: 'Unauthorized', kind: 'refused', retry: true, health: 'misconfigured', advice }
}

/** Refused for what the connection is, not for the push. */
function lost(status: number, health: Verdict['health']): Verdict {
  return { status, code: 'ProviderUnavailable', kind: 'refused', retry: true, health }
}

function ourBug(status: number): Verdict {
  return { ...aboutPush(status, 'DeveloperError'), advice: BUG }
}

function away(status: number): Verdict {
  return { status, code: 'ProviderError', kind: 'refused', retry: true, health: 'failing' }
}

function unclear(status: number): Verdict {
  return { status, code: 'OutcomeUnknown', kind: 'unknown', retry: true, health: 'failing' }
}
