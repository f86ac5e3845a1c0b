import { sql, type RawBuilder } from 'kysely'

/** A LIKE pattern in which `%` and `_` are escaped (decision A5). */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

export type SearchReach = 'anywhere' | 'word_beginnings' | 'first_20000'

/** A trigram index finds three characters in a row, word boundaries included; one such word is enough. */
export function findReach(search: string): SearchReach {
  const words = splitWords(search)
  if (words.some(hasTrigram)) return 'anywhere'
  return words.some((word) => /^[\p{L}\p{N}]/u.test(word)) ? 'word_beginnings' : 'first_20000'
}

export function containsWords(text: RawBuilder<string>, search: string, reach: SearchReach): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(containsEachWord(text, search, reach), sql` and `)})`
}

/**
 * A short word beside others must begin a word, because it is within nearly every text. In `text` a space precedes
 * each word.
 */
export function containsEachWord(text: RawBuilder<string>, search: string, reach: SearchReach): RawBuilder<boolean>[] {
  const words = splitWords(search)
  const beginsWord = (word: string) => !hasTrigram(word) && (reach === 'word_beginnings' || words.length > 1)
  return words.map((word) => sql<boolean>`${text} ilike ${containing(beginsWord(word) ? ` ${word}` : word)}`)
}

function splitWords(search: string): string[] {
  return [...new Set(search.trim().split(/\s+/u))]
}

function hasTrigram(word: string): boolean {
  return /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(word)
}
