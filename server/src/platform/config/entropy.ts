/**
 * About how many bits of a text nobody could guess: what follows from the characters before it (a repetition, a row of the
 * alphabet or of the keyboard, a copy of an earlier piece) counts once, any other character as one of twice as many as the
 * text has. It tells texts that were typed or repeated from random ones; it is no measure of how random those are.
 */
export function bitsOf(text: string): number {
  const characters = Array.from(text.slice(0, LONGEST).toLowerCase())
  const distinct = new Set(text).size
  if (distinct < 2) return 0
  let surprises = 0
  for (let at = 0; at < characters.length; surprises++) {
    const known = Math.max(copiedFrom(characters, at), rowFrom(characters, at))
    at += Math.max(known, 1)
  }
  return surprises * Math.log2(distinct * 2)
}

const LONGEST = 1_000
const PIECE_LEAST = 3
const FORWARDS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
]
const ROWS = [...FORWARDS, ...FORWARDS.map((row) => Array.from(row).toReversed().join(''))]

/** How many characters from `at` on stood in the text before, three or more; else 0. */
function copiedFrom(characters: string[], at: number): number {
  let longest = 0
  for (let from = 0; from < at; from++) {
    let length = 0
    while (at + length < characters.length && characters[from + length] === characters[at + length]) length++
    longest = Math.max(longest, length)
  }
  return longest >= PIECE_LEAST ? longest : 0
}

/** How many characters from `at` on stand in a row of the alphabet, the digits or the keyboard, three or more; else 0. */
function rowFrom(characters: string[], at: number): number {
  let length = PIECE_LEAST
  const piece = () => characters.slice(at, at + length).join('')
  if (at + length > characters.length || !ROWS.some((row) => row.includes(piece()))) return 0
  while (at + length < characters.length) {
    length++
    if (!ROWS.some((row) => row.includes(piece()))) return length - 1
  }
  return length
}
