import { sql, type RawBuilder } from 'kysely'

// Estimating each takes 0.3 ms.
const PAIRS = 5
// A word is frequent when so many texts of a sample have it.
const MANY = 6
const FEW_OTHERS = 1.25

/** A LIKE pattern in which `%` and `_` are escaped (decision A5). */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

export type SearchReach = 'anywhere' | 'word_beginnings' | 'first_20000'

/** `joined`: the expression of the trigram index, each field after a space; `joints`: of the `joints_of` index. */
export type SearchedFields = {
  joined: RawBuilder<string>
  fields: RawBuilder<string>[]
  joints?: RawBuilder<unknown>
  /** The trigram index, where frequent words are looked for by one of their trigrams (ADR 064). */
  index?: string
}

/** A trigram index stores three characters at a time, including word boundaries. */
export function reachOf(text: string): SearchReach {
  if (/[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(text)) return 'anywhere'
  return /^[\p{L}\p{N}]/u.test(text) ? 'word_beginnings' : 'first_20000'
}

export function anyFieldContains(searched: SearchedFields, text: string, reach: SearchReach): RawBuilder<boolean> {
  const together = joinedContains(searched, text, reach)
  // Only a space stands between two fields: a text without one is found within one of them.
  return text.includes(' ') ? sql<boolean>`(${together} and ${eachContains(searched, text, reach)})` : together
}

/**
 * What an index decides, which the planner does not see if `hidden`, and what is checked besides. The planner takes the
 * `parts` for independent of each other, so the rarest of them tells better how many rows match.
 */
export function indexedContains(
  searched: SearchedFields,
  text: string,
  { reach, sample }: { reach: SearchReach; sample: readonly string[] },
): Record<'byIndex' | 'hidden', RawBuilder<boolean>> & Record<'besides' | 'parts', RawBuilder<boolean>[]> {
  const { joined, joints } = searched
  const isJointed = joints !== undefined && reach === 'anywhere' && /[^ ] +[^ ]/.test(text)
  const thinned = isJointed ? undefined : thinnedPattern(text, sample)
  const [decided, value] = isJointed
    ? [sql`${joints} @@`, sql`joints_sought(${text})`]
    : [sql`${joined} ilike`, sql`${thinned ?? joinedPattern(text, reach)}::text`]
  const whole = joinedContains(searched, text, reach)
  return {
    byIndex: sql`${decided} ${value}`,
    hidden: sql`${decided} (select ${value})`,
    besides: thinned !== undefined || text.includes(' ') ? [eachContains(searched, text, reach)] : [],
    parts: isJointed ? pairsOf(text).map((pair) => sql`${decided} joints_sought(${pair})`) : [whole],
  }
}

/**
 * A LIKE pattern that matches every text that contains this one, and that a trigram index answers faster (ADR 064). It
 * has one trigram in place of a frequent word, if few others in the sample have it. Undefined: no word is replaced.
 */
export function thinnedPattern(text: string, sample: readonly string[]): string | undefined {
  const whole = containing(text)
  const thinned = whole.replaceAll(/[\p{L}\p{N}]{4,}/gu, (word) => {
    const told = tellingTrigram(word, sample)
    return told === undefined ? word : `%${told}%`
  })
  return thinned === whole ? undefined : thinned
}

/** The rarest trigram of a frequent word, if few texts without the word have it. Undefined otherwise. */
function tellingTrigram(word: string, sample: readonly string[]): string | undefined {
  const havingWord = countOf(word, sample)
  if (havingWord < MANY) return undefined
  const trigrams = Array.from({ length: word.length - 2 }, (_, place) => word.slice(place, place + 3))
  const counted = trigrams.map((trigram) => ({ trigram, count: countOf(trigram, sample) }))
  const rarest = counted.reduce((best, other) => (other.count < best.count ? other : best))
  return rarest.count <= havingWord * FEW_OTHERS ? rarest.trigram : undefined
}

function countOf(part: string, sample: readonly string[]): number {
  const sought = part.toLowerCase()
  return sample.filter((text) => text.includes(sought)).length
}

/** The first pairs of words that meet in a text, with a space beside each word that is whole. */
function pairsOf(text: string): string[] {
  const words = text.split(' ')
  const pairs = words.slice(1).map((word, place) => {
    const before = words[place]!
    return before !== '' && word !== ''
      ? `${place > 0 ? ' ' : ''}${before} ${word}${place + 2 < words.length ? ' ' : ''}`
      : ''
  })
  return pairs.filter((pair) => pair !== '').slice(0, PAIRS)
}

export function joinedContains({ joined }: SearchedFields, text: string, reach: SearchReach): RawBuilder<boolean> {
  return sql<boolean>`${joined} ilike ${joinedPattern(text, reach)}`
}

function joinedPattern(text: string, reach: SearchReach): string {
  return containing(reach === 'word_beginnings' ? ` ${text}` : text)
}

function eachContains({ fields }: SearchedFields, text: string, reach: SearchReach): RawBuilder<boolean> {
  const each = fields.map((field) =>
    reach === 'word_beginnings'
      ? sql`(' ' || ${field}) ilike ${containing(` ${text}`)}`
      : sql`${field} ilike ${containing(text)}`,
  )
  return sql<boolean>`(${sql.join(each, sql` or `)})`
}
