import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const TOKEN_BYTES = 32

/** A key of 32 bytes for one purpose. */
export function keyFrom(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

/** The present one first. A retired one is given until the last session that it signed has ended. */
export function listSigningSecrets(config: { JWT_SECRET: string; JWT_PREVIOUS_SECRET: string }): string[] {
  return [config.JWT_SECRET, ...config.JWT_PREVIOUS_SECRET.split('|')].filter((secret) => secret !== '')
}

/** AES-256-GCM. What it is `about` must be the same when it is decrypted. */
export function encrypt(key: Buffer, content: Uint8Array, about: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** Throws when the key differs or anything was changed. */
export function decrypt(key: Buffer, sealed: Buffer, about: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
  decipher.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
}

/** 43 random characters, and what is stored of them. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashOfToken(token) }
}

/** It takes the same time wherever two texts differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
