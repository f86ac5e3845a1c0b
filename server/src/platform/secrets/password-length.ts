import { errors } from '../shared/errors.ts'
import type { Role } from '../tables/tables.ts'

export const PASSWORD_LENGTH = { least: 8, leastOfAdministrators: 12, most: 128 }

/** An administrator may have it. Characters are counted as they are hashed. */
export function isLongPassword(password: string): boolean {
  return Array.from(normalized(password)).length >= PASSWORD_LENGTH.leastOfAdministrators
}

/** 422 for an administrator's password under 12 characters (decision C2). */
export function refuseShortPassword(role: Role, isLong: boolean): void {
  if (role === 'user' || isLong) return
  const least = PASSWORD_LENGTH.leastOfAdministrators
  throw errors.validation({ password: [`must have at least ${least} characters for an administrator`] })
}

/** Keyboards encode a character in several ways; NFKC unifies them (NIST SP 800-63B, 3.1.1.2). */
export function normalized(password: string): string {
  return password.normalize('NFKC')
}
