import { isRecord, isString } from '../json.ts'
import { badRequest, ofPhone } from './google-error.ts'

/** A message of the right form. */
export type Message = {
  /** A registration token, or the id of an installation (`fid`). */
  to: string
  validateOnly: boolean
  data: Record<string, string>
  priority: 'HIGH' | 'NORMAL'
  ttlSeconds: number
  collapseKey: string | null
  label: string | null
}

const LONGEST_TTL_S = 2_419_200
const PAYLOAD_BYTES = 4_096
const TOKEN = /^[\w-]{8,64}:[\w-]{64,1024}$/
const INSTALLATION = /^[c-f][\w-]{21}$/
const TTL = /^\d{1,10}(?:\.\d{1,9})?s$/
const LABEL = /^[\w.~%-]{1,50}$/
const RESERVED = /^(?:from$|message_type$|gcm|google)/

/** Google refuses what it does not know. These are the fields that the double reads, and those it only passes over. */
const FIELDS = {
  '': ['validate_only', 'message'],
  message: [
    'token',
    'fid',
    'topic',
    'condition',
    'name',
    'data',
    'notification',
    'android',
    'webpush',
    'apns',
    'fcm_options',
  ],
  'message.android': [
    'collapse_key',
    'priority',
    'ttl',
    'restricted_package_name',
    'data',
    'notification',
    'fcm_options',
    'direct_boot_ok',
  ],
  'message.fcm_options': ['analytics_label'],
}

type Wrong = ReturnType<typeof badRequest>

/** Google reads names in either case, of which its own client writes both, and `high` as `HIGH`. */
export function readMessage(body: string): Message | { wrong: Wrong } {
  const parsed = parse(body)
  if (parsed === undefined) return { wrong: badRequest('', 'Invalid JSON payload received. Unexpected token.') }
  const request = toSnakeCase(parsed)
  const message = toSnakeCase(request['message'])
  const android = toSnakeCase(message['android'])
  if (isString(android['priority'])) android['priority'] = android['priority'].toUpperCase()
  const options = toSnakeCase(message['fcm_options'])
  const wrong =
    findUnknown('', request) ??
    findUnknown('message', message) ??
    findUnknown('message.android', android) ??
    findUnknown('message.fcm_options', options) ??
    findTargetFault(message) ??
    findAndroidFault(android) ??
    findLabelFault(options) ??
    findDataFault(message['data'] ?? {})
  if (wrong) return { wrong }
  const data = (message['data'] ?? {}) as Record<string, string>
  if (countBytes(data, message['notification']) > PAYLOAD_BYTES)
    return { wrong: ofPhone(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'Android message is too big') }
  return {
    to: String(message['token'] ?? message['fid']),
    validateOnly: request['validate_only'] === true,
    data,
    priority: android['priority'] === 'HIGH' ? 'HIGH' : 'NORMAL',
    ttlSeconds: Number.parseFloat(isString(android['ttl']) ? android['ttl'] : `${LONGEST_TTL_S}s`),
    collapseKey: isString(android['collapse_key']) ? android['collapse_key'] : null,
    label: isString(options['analytics_label']) ? options['analytics_label'] : null,
  }
}

function findUnknown(at: keyof typeof FIELDS, value: Record<string, unknown>): Wrong | undefined {
  const unknown = Object.keys(value).find((name) => !FIELDS[at].includes(name))
  if (unknown === undefined) return undefined
  return badRequest(at, `Invalid JSON payload received. Unknown name "${unknown}" at '${at}': Cannot find field.`)
}

function findTargetFault(message: Record<string, unknown>): Wrong | undefined {
  const targets = ['token', 'fid', 'topic', 'condition'].filter((name) => message[name] !== undefined)
  if (targets.length === 0) return badRequest('message', 'Recipient of the message is not set.')
  if (targets.length > 1) return badRequest('message', 'Only one of the recipients may be set.')
  const { token, fid } = message
  // Google takes the id of an installation for a token too.
  if (isString(token) && !TOKEN.test(token) && !INSTALLATION.test(token)) return notAToken('message.token')
  return isString(fid) && !INSTALLATION.test(fid) ? notAToken('message.fid') : undefined
}

function notAToken(field: string): Wrong {
  return badRequest(field, 'The registration token is not a valid FCM registration token', 'INVALID_ARGUMENT')
}

function findAndroidFault({ priority, ttl, collapse_key: key }: Record<string, unknown>): Wrong | undefined {
  if (priority !== undefined && priority !== 'HIGH' && priority !== 'NORMAL')
    return badRequest('message.android.priority', 'Invalid value at message.android.priority')
  const isLife = ttl === undefined || (isString(ttl) && TTL.test(ttl) && Number.parseFloat(ttl) <= LONGEST_TTL_S)
  if (!isLife) return badRequest('message.android.ttl', 'Invalid value at message.android.ttl (Duration)')
  return key === undefined || isString(key) ? undefined : badRequest('message.android.collapse_key', 'Invalid value')
}

function findLabelFault({ analytics_label: label }: Record<string, unknown>): Wrong | undefined {
  if (label === undefined || (isString(label) && LABEL.test(label))) return undefined
  return badRequest('message.fcm_options.analytics_label', 'Invalid analytics label')
}

function findDataFault(data: unknown): Wrong | undefined {
  if (!isRecord(data)) return badRequest('message.data', 'Invalid value at message.data')
  for (const [index, [key, value]] of Object.entries(data).entries()) {
    if (!isString(value)) return badRequest(`message.data[${index}].value`, 'Invalid value (TYPE_STRING)')
    if (RESERVED.test(key))
      return badRequest(`message.data[${index}].key`, `Invalid data payload key: ${key}`, 'INVALID_ARGUMENT')
  }
  return undefined
}

function countBytes(data: Record<string, string>, notification: unknown): number {
  const pairs = Object.entries(data).map(([key, value]) => Buffer.byteLength(key) + Buffer.byteLength(value))
  const notificationBytes = notification === undefined ? 0 : Buffer.byteLength(JSON.stringify(notification))
  return pairs.reduce((sum, bytes) => sum + bytes, notificationBytes)
}

function toSnakeCase(value: unknown): Record<string, unknown> {
  const pairs = Object.entries(isRecord(value) ? value : {})
  return Object.fromEntries(
    pairs.map(([name, one]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), one]),
  )
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
