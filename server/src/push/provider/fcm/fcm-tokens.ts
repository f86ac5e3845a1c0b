// Google promises no form. Registration tokens have an installation's id, a colon, and the rest.
const REGISTRATION_TOKEN = /^[\w-]{8,64}:[\w-]{64,1024}$/
/** Firebase: an installation's id has 17 bytes in base64url, of which the first four bits are 0111. */
const INSTALLATION_ID = /^[c-f][\w-]{21}$/

export function isFcmToken(token: string): boolean {
  return REGISTRATION_TOKEN.test(token) || INSTALLATION_ID.test(token)
}

export function isInstallationId(token: string): boolean {
  return INSTALLATION_ID.test(token)
}

// A registration token, also one that was cut off. In JSON the letter of an escape, as of a new line, may be before it.
const TOKEN_IN_TEXT = /(?:(?<![\w-])(?<!(?<!\\)\\)|(?<=\\[bfnrt]))[\w-]{8,64}:(?:[\w-]{64,1024}|APA91[\w-]{1,1024})/g
// Any installation's id but one in 4,000, which is like a name in our lines: small letters, and a capital or a sign
// only before one.
const ID_IN_TEXT =
  /(?:(?<![\w-])(?<!(?<!\\)\\)|(?<=\\[bfnrt]))(?=[c-f])(?![a-z]+(?:[A-Z_-][a-z]+)*(?![\w-]))[\w-]{22}(?![\w-])/g

export const FCM_TOKENS = [TOKEN_IN_TEXT, ID_IN_TEXT] as const
