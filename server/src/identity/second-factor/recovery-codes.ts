import { createHash, randomBytes } from 'node:crypto'

const CODES = 10
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const LENGTH = 16

/** Each code has 80 random bits, such as `ABCD-EFGH-IJKL-MN23`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const letters = Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('')
    return letters.match(/.{4}/g)!.join('-')
  })
}

/** The case of letters and the dashes do not matter. A fast hash is enough: 80 random bits cannot be guessed. */
export function hashOfRecoveryCode(userId: number, code: string): Buffer {
  const plain = code.replaceAll('-', '').toUpperCase()
  return createHash('sha256').update(`recovery ${userId} ${plain}`).digest()
}

/** False for a recovery code; a request holds one of these two forms. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}
