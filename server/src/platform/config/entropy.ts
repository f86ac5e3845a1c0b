/** Roughly how many bits cannot be guessed: it separates typed or repeated texts from random ones. */
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

function copiedFrom(characters: string[], at: number): number {
  let longest = 0
  for (let from = 0; from < at; from++) {
    let length = 0
    while (at + length < characters.length && characters[from + length] === characters[at + length]) length++
    longest = Math.max(longest, length)
  }
  return longest >= PIECE_LEAST ? longest : 0
}

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
