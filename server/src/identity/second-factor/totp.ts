import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** The step before and the step after count too, as clocks differ (RFC 6238). */
const STEP_MS = 30_000
const STEPS_AROUND = 1
const SECRET_BYTES = 20

export function newSecret(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(SECRET_BYTES))
}

/** `secret` is base32, `uri` what an app reads from a QR code. */
export function describeSecret(secret: Uint8Array<ArrayBuffer>, account: string): { secret: string; uri: string } {
  const totp = createTotp(secret, account)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Counted from 1970; null when the code is of no step that counts at `nowMs`. */
export function findStep(secret: Uint8Array<ArrayBuffer>, code: string, nowMs: number): number | null {
  const delta = createTotp(secret, '').validate({ token: code, timestamp: nowMs, window: STEPS_AROUND })
  return delta === null ? null : Math.floor(nowMs / STEP_MS) + delta
}

function createTotp(secret: Uint8Array<ArrayBuffer>, label: string): TOTP {
  return new TOTP({ issuer: 'Swapbell', label, secret: new Secret({ buffer: secret.buffer }), period: STEP_MS / 1_000 })
}
