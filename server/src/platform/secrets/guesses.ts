import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { normalized } from './password-length.ts'

// The most expensive 40 characters take 12 ms of the event loop, 100 take 48 ms. More only make a text harder.
const JUDGED = 40
const JUDGE = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: JUDGED, l33tMaxSubstitutions: 8 })

// Ten million guesses take 38 years at the 30 tries an hour that an account allows.
const PASSWORD_GUESSES = 1e7
// 32 random hexadecimal characters need 10^26 or more.
const SECRET_GUESSES = 1e24

const PRODUCT = ['swapbell', 'swap', 'bell']
const PLACEHOLDERS =
  'a access admin administrator an api audit audit-secret auth be bit bits bytes change changeit changeme default demo dev development dummy encryption example fake for here insecure is it jwt jwtsecret key keyboard cat letmein long local longer me must my not of or password placeholder please private prod production random replace replaced sample secret secrets secure session set sign signing some staging store string strong subscription super supersecret test testing than that the this to todo token use value very webhook webhook-secret with you your'

/** `about`: what others know of its owner, such as the address and the name. */
export function isGuessablePassword(password: string, about: string[]): boolean {
  return countGuesses(password, [...about, ...PRODUCT]) < PASSWORD_GUESSES
}

/** Programs make the secrets of services, so words in them make them guessable. */
export function isGuessableSecret(secret: string): boolean {
  const known = [...PRODUCT, ...PLACEHOLDERS.split(' ')]
  // Separators between words count as much as random characters do.
  const letters = secret.replaceAll(/[^A-Za-z0-9]/g, '')
  return [secret, letters].some((text) => countGuesses(text, known) < SECRET_GUESSES)
}

function countGuesses(text: string, known: string[]): number {
  // As it is hashed: one that a keyboard wrote in wide letters is the same in plain ones.
  return JUDGE.check(normalized(text).slice(0, JUDGED), known.map(normalized).flatMap(splitWords)).guesses
}

/** Itself and its words, as far as they could stand in what is judged. */
function splitWords(known: string): string[] {
  return [known, ...known.split(/[^\p{L}\p{N}]+/u)]
    .map((word) => word.slice(0, JUDGED))
    .filter((word) => word.length > 1)
}
