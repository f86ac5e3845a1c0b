import { sql, type RawBuilder } from 'kysely'

/** A LIKE pattern for "contains this text", in which `%` and `_` are escaped (decision A5). */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/**
 * Where a search looked: through the whole text of all fields, at the beginnings of words, or at the first rows alone.
 */
export type SearchReach = 'anywhere' | 'word_beginnings' | 'first_20000'

/**
 * The fields that a search looks into, and the expression of their trigram index: each after a space, joined. `joints`:
 * the expression of their index of `joints_of`, when they have one.
 */
export type SearchedFields = { joined: RawBuilder<string>; fields: RawBuilder<string>[]; joints?: RawBuilder<unknown> }

/**
 * How far a trigram index can find a text. It knows words by three characters, of which two may be the edge before a
 * word and one the edge after it. A text of one or two letters has none within a word: it is found at the beginnings of
 * words. A text without a letter or digit has none at all, and is looked for in the first 20,000 rows of the list's
 * order.
 */
export function reachOf(text: string): SearchReach {
  if (/[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(text)) return 'anywhere'
  return /^[\p{L}\p{N}]/u.test(text) ? 'word_beginnings' : 'first_20000'
}

/** The condition that one of the fields holds a text. No text is found across two of them. */
export function anyFieldContains(searched: SearchedFields, text: string, reach: SearchReach): RawBuilder<boolean> {
  const together = joinedContains(searched, text, reach)
  // Only a space stands between two fields: a text without one is found within one of them.
  return text.includes(' ') ? sql<boolean>`(${together} and ${eachContains(searched, text, reach)})` : together
}

/**
 * The same condition in two parts: what an index decides and the planner can estimate, and what is looked at besides.
 */
export function indexedContains(
  searched: SearchedFields,
  text: string,
  reach: SearchReach,
): { byIndex: RawBuilder<boolean>; besides: RawBuilder<boolean>[] } {
  const isJointed = searched.joints !== undefined && reach === 'anywhere' && /[^ ] +[^ ]/.test(text)
  return {
    byIndex: isJointed
      ? sql<boolean>`${searched.joints} @@ joints_sought(${text})`
      : joinedContains(searched, text, reach),
    besides: text.includes(' ') ? [eachContains(searched, text, reach)] : [],
  }
}

/** The condition that the joined fields hold a text, which their trigram index decides. */
export function joinedContains({ joined }: SearchedFields, text: string, reach: SearchReach): RawBuilder<boolean> {
  return sql<boolean>`${joined} ilike ${containing(reach === 'word_beginnings' ? ` ${text}` : text)}`
}

function eachContains({ fields }: SearchedFields, text: string, reach: SearchReach): RawBuilder<boolean> {
  const each = fields.map((field) =>
    reach === 'word_beginnings'
      ? sql`(' ' || ${field}) ilike ${containing(` ${text}`)}`
      : sql`${field} ilike ${containing(text)}`,
  )
  return sql<boolean>`(${sql.join(each, sql` or `)})`
}
