import type { VapidFault } from './vapid.ts'

/** The owner of the push service that it resembles: they refuse the same fault differently. */
export type Vendor = 'google' | 'mozilla' | 'apple'
export type Refusal = { status: number; body: string }

/** What is refused: a signature, a signature of another key than the subscription's, or a subscription that is gone. */
export type Fault = VapidFault | 'other-key' | 'unknown' | 'gone' | 'too-large' | 'ttl' | 'topic' | 'encoding'

const STATUSES: Record<Exclude<Fault, VapidFault | 'other-key'>, number> = {
  unknown: 404,
  gone: 410,
  'too-large': 413,
  ttl: 400,
  topic: 400,
  encoding: 400,
}

export function refuse(vendor: Vendor, fault: Fault): Refusal {
  const status = fault in STATUSES ? STATUSES[fault as keyof typeof STATUSES] : undefined
  if (status !== undefined) return { status, body: describe(vendor, fault, status) }
  return SIGNATURES[vendor](fault)
}

const SIGNATURES: Record<Vendor, (fault: Fault) => Refusal> = {
  google: (fault) =>
    fault === 'other-key'
      ? {
          status: 403,
          body: 'the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.',
        }
      : { status: fault === 'missing' ? 401 : 403, body: `invalid JWT provided: ${fault}` },
  mozilla: (fault) => ({ status: 401, body: JSON.stringify({ code: 401, errno: 109, error: 'Unauthorized', fault }) }),
  apple: (fault) =>
    fault === 'other-key'
      ? { status: 400, body: '{"reason":"VapidPkHashMismatch"}' }
      : { status: 403, body: '{"reason":"BadJwtToken"}' },
}

function describe(vendor: Vendor, fault: Fault, code: number): string {
  if (vendor === 'apple') return JSON.stringify({ reason: fault })
  return vendor === 'mozilla' ? JSON.stringify({ code, errno: 100, error: fault }) : fault
}
