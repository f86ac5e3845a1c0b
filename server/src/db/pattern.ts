/** A pattern of LIKE for "contains this text", in which `%` and `_` are themselves (decision A5). */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/**
 * How a text is searched in one that has a space before each of its words, and that a trigram index knows: `anywhere`; at the
 * `beginnings` of words, when it has only one or two letters; and `unindexed`, when it has none that the index could know.
 */
export function searchOf(text: string): { reach: 'anywhere' | 'beginnings' | 'unindexed'; pattern: string } {
  const isKnown = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(text)
  if (isKnown) return { reach: 'anywhere', pattern: containing(text) }
  const isWord = /^[\p{L}\p{N}]/u.test(text)
  return isWord
    ? { reach: 'beginnings', pattern: containing(` ${text}`) }
    : { reach: 'unindexed', pattern: containing(text) }
}
