import { createHash } from 'node:crypto'
import type { Config } from '../../platform/config/config.ts'
import { decrypt, encrypt, keyFrom, listSigningSecrets } from '../../platform/secrets/encryption.ts'

type Secrets = Pick<
  Config,
  'SECOND_FACTOR_SECRET' | 'SECOND_FACTOR_PREVIOUS_SECRET' | 'JWT_SECRET' | 'JWT_PREVIOUS_SECRET'
>

export type Sealed = { key_id: string; sealed: Buffer }

/** It names the key that is made from SECOND_FACTOR_SECRET, or from JWT_SECRET where that is not set. */
export function currentKeyId(config: Secrets): string {
  return deriveKeys(config)[0]!.id
}

/** No other account can use the row. */
export function seal(config: Secrets, userId: number, secret: Uint8Array): Sealed {
  const { id, key } = deriveKeys(config)[0]!
  return { key_id: id, sealed: encrypt(key, secret, String(userId)) }
}

/** Undefined when no key of the settings fits, or the row was changed. */
export function unseal(
  config: Secrets,
  userId: number,
  { key_id, sealed }: Sealed,
): Uint8Array<ArrayBuffer> | undefined {
  const found = deriveKeys(config).find(({ id }) => id === key_id)
  if (found === undefined) return undefined
  try {
    // A copy, because a small Buffer is part of a larger one.
    return new Uint8Array(decrypt(found.key, sealed, String(userId)))
  } catch {
    return undefined
  }
}

function deriveKeys(config: Secrets): { id: string; key: Buffer }[] {
  const [present = '', ...retired] = listSigningSecrets(config)
  const secrets = [config.SECOND_FACTOR_SECRET, present, config.SECOND_FACTOR_PREVIOUS_SECRET, ...retired]
  return secrets
    .filter((secret) => secret !== '')
    .map((secret) => {
      const key = keyFrom(secret, 'second factor')
      return { id: createHash('sha256').update(key).digest('base64url').slice(0, 16), key }
    })
}
