import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '../../platform/config/config.ts'

type Secrets = Pick<
  Config,
  'SECOND_FACTOR_SECRET' | 'SECOND_FACTOR_PREVIOUS_SECRET' | 'JWT_SECRET' | 'JWT_PREVIOUS_SECRET'
>

export type Sealed = { key_id: string; sealed: Buffer }

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Of SECOND_FACTOR_SECRET, or of JWT_SECRET where that is not set. */
export function currentKeyId(config: Secrets): string {
  return keysOf(config)[0]!.id
}

/** No other account can use the row. */
export function seal(config: Secrets, userId: number, secret: Uint8Array): Sealed {
  const { id, key } = keysOf(config)[0]!
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(String(userId)))
  const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  return { key_id: id, sealed }
}

/** Undefined when no key of the settings fits, or the row was changed. */
export function unseal(
  config: Secrets,
  userId: number,
  { key_id, sealed }: Sealed,
): Uint8Array<ArrayBuffer> | undefined {
  const found = keysOf(config).find(({ id }) => id === key_id)
  if (found === undefined) return undefined
  const decipher = createDecipheriv('aes-256-gcm', found.key, sealed.subarray(0, NONCE_BYTES))
  try {
    decipher.setAAD(Buffer.from(String(userId))).setAuthTag(sealed.subarray(-TAG_BYTES))
    const opened = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
    // A copy, because a small Buffer is part of a larger one.
    return new Uint8Array(Buffer.concat([opened, decipher.final()]))
  } catch {
    return undefined
  }
}

function keysOf(config: Secrets): { id: string; key: Buffer }[] {
  const secrets = [
    config.SECOND_FACTOR_SECRET,
    config.JWT_SECRET,
    config.SECOND_FACTOR_PREVIOUS_SECRET,
    config.JWT_PREVIOUS_SECRET,
  ]
  return secrets
    .filter((secret) => secret !== '')
    .map((secret) => {
      const key = Buffer.from(hkdfSync('sha256', secret, '', 'second factor', 32))
      return { id: createHash('sha256').update(key).digest('base64url').slice(0, 16), key }
    })
}
