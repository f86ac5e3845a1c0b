import { createHmac, timingSafeEqual } from 'node:crypto'
import { errors } from '../../platform/shared/errors.ts'

const TOLERANCE_MS = 5 * 60_000
const MOST_SIGNATURES = 5

/**
 * What a signed call carries: seconds since 1970, `v1=` and the hexadecimal signature (several, by commas), the body.
 */
export type Signed = { timestamp: string | undefined; signature: string | undefined; body: string }

/**
 * Refuses a call that no holder of a secret made within five minutes of now (decision E): 401. The signature is
 * HMAC-SHA256 over the timestamp, a full stop and the body as it was sent. Any of the secrets counts, so that one can
 * be replaced by another.
 */
export function refuseUnsigned(
  secrets: readonly string[],
  { timestamp, signature, body }: Signed,
  nowMs: number,
): void {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp) || signature === undefined)
    throw errors.wrongSignature('The call is not signed: Swapbell-Timestamp and Swapbell-Signature are required.')
  if (Math.abs(nowMs - Number(timestamp) * 1_000) > TOLERANCE_MS)
    throw errors.wrongSignature('The timestamp of the signature is more than five minutes from now.')
  const given = signature.split(',', MOST_SIGNATURES).map((part) => part.trim())
  const expected = secrets.map((secret) => signatureOf(secret, timestamp, body))
  if (!given.some((one) => expected.some((other) => isSame(one, other))))
    throw errors.wrongSignature('The signature does not match the body.')
}

/** The signature of a body at a time, as the header has it. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
