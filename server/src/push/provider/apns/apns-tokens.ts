const DEVICE_TOKEN = /^[\da-f]{64,400}$/i

/** Hexadecimal; Apple asks not to rely on the length, which is 64 today. Some apps give capital letters. */
export function isDeviceToken(token: string): boolean {
  return DEVICE_TOKEN.test(token) && token.length % 2 === 0
}

/**
 * What the log removes from its lines. Digests of 64 digits go too, but not the end of the audit log (ADR 12). In JSON
 * the letter of an escape, as of a new line, may stand before a token.
 */
export const APNS_TOKENS = [
  /(?<!"audit_head":")(?:(?<![\da-z])(?<!(?<!\\)\\)|(?<=\\[bfnrt]))[\da-f]{64,400}(?![\da-z])/gi,
] as const
