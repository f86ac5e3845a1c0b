import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../platform/secrets/encryption.ts'
import { errors } from '../../platform/shared/errors.ts'

const TOLERANCE_MS = 5 * 60_000
const MOST_SIGNATURES = 5

/** `timestamp`: seconds since 1970; `signature`: `v1=` and hexadecimal, several by commas. */
export type Signed = {
  provider: string
  timestamp: string | undefined
  signature: string | undefined
  body: string
}

/** 401 unless a holder of one of the secrets signed it within five minutes of now (decision E): HMAC-SHA256 over
 * timestamp, provider and body, with full stops between, so a call for one provider is none for another. */
export function refuseUnsigned(
  secrets: readonly string[],
  { provider, timestamp, signature, body }: Signed,
  nowMs: number,
): void {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp) || signature === undefined)
    throw errors.wrongSignature('The call is not signed. Send the headers Swapbell-Timestamp and Swapbell-Signature.')
  if (Math.abs(nowMs - Number(timestamp) * 1_000) > TOLERANCE_MS)
    throw errors.wrongSignature(
      'The timestamp of the signature differs from the present time by more than five minutes.',
    )
  const given = signature.split(',', MOST_SIGNATURES).map((part) => part.trim())
  const expected = secrets.map((secret) => computeSignature(secret, { timestamp, provider, body }))
  if (!given.some((one) => expected.some((other) => isSameSecret(one, other))))
    throw errors.wrongSignature('The signature does not match the body.')
}

export function computeSignature(
  secret: string,
  { timestamp, provider, body }: { timestamp: string; provider: string; body: string },
): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${provider}.${body}`).digest('hex')}`
}
