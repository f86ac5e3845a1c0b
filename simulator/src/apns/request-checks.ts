import type { IncomingHttpHeaders } from 'node:http2'
import { isRecord } from '../json.ts'
import type { Reason } from './reasons.ts'

const PUSH_TYPES = new Set([
  'alert',
  'background',
  'location',
  'voip',
  'complication',
  'fileprovider',
  'mdm',
  'widgets',
])
const MOST_BYTES = 4_096
const MOST_COLLAPSE_BYTES = 64

/** The token in a path; a reason: Apple's answer to another path or method. */
export function readTarget(headers: IncomingHttpHeaders): { token: string } | { reason: Reason } {
  const [, token] = /^\/3\/device\/([^/]*)$/.exec(headers[':path'] ?? '') ?? []
  if (token === undefined) return { reason: 'BadPath' }
  if (headers[':method'] !== 'POST') return { reason: 'MethodNotAllowed' }
  return token === '' ? { reason: 'MissingDeviceToken' } : { token }
}

export function findHeaderFault(headers: IncomingHttpHeaders): Reason | undefined {
  const type = header(headers, 'apns-push-type') ?? 'alert'
  const priority = header(headers, 'apns-priority') ?? '10'
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(header(headers, 'apns-id') ?? UNNAMED)) return 'BadMessageId'
  if (!/^\d{1,10}$/.test(header(headers, 'apns-expiration') ?? '0')) return 'BadExpirationDate'
  if (!['10', '5', '1'].includes(priority)) return 'BadPriority'
  if (!PUSH_TYPES.has(type)) return 'InvalidPushType'
  if (type === 'background' && priority === '10') return 'BadPriority'
  return Buffer.byteLength(header(headers, 'apns-collapse-id') ?? '') > MOST_COLLAPSE_BYTES
    ? 'BadCollapseId'
    : undefined
}

export const UNNAMED = '00000000-0000-0000-0000-000000000000'

/** The payload, or Apple's answer to one without `aps`, or to a longer one. */
export function readPayload(body: string): { payload: Record<string, unknown> } | { reason: Reason } {
  if (Buffer.byteLength(body) > MOST_BYTES) return { reason: 'PayloadTooLarge' }
  try {
    const payload: unknown = JSON.parse(body)
    return isRecord(payload) && isRecord(payload['aps']) ? { payload } : { reason: 'PayloadEmpty' }
  } catch {
    return { reason: 'PayloadEmpty' }
  }
}

export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
