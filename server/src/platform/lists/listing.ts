import { Type, type TSchema } from 'typebox'
import { errors } from '../shared/errors.ts'
import { isDate, isZone, startOfDay } from '../shared/zones.ts'
import { Page } from '../http/envelope.ts'
import { PageQuery } from './pagination.ts'

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})$/
const Moment = Type.String({ minLength: 10, maxLength: 40, description: '`YYYY-MM-DD` in `timezone`, or an instant.' })

/** Decision A5: the end day is included, an end instant is not. */
export const RangeQuery = {
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
  timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'IANA name; default UTC.' })),
}

export const ListQuery = {
  ...PageQuery,
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  sort_order: Type.Optional(Type.Enum(['asc', 'desc'])),
}

export function searchIn(fields: string) {
  const description = `A text that ${fields} holds, in whatever case; \`%\` and \`_\` are themselves.`
  return Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
}

export function searchOf(query: { search?: string | undefined }): string | undefined {
  const text = query.search?.trim()
  return text === '' ? undefined : text
}

export function rangeIn(of: string) {
  const start = {
    ...Moment,
    description: `${of}, from this date on (\`YYYY-MM-DD\` in \`timezone\`) or from this instant on.`,
  }
  const end = { ...Moment, description: `${of}, to the end of this date, or before this instant.` }
  return { ...RangeQuery, start_date: Type.Optional(start), end_date: Type.Optional(end) }
}

export function sortedBy<Column extends string>(columns: readonly Column[], direction: 'asc' | 'desc') {
  return {
    sort_by: Type.Optional(Type.Enum([...columns], { description: `Default \`${columns[0]}\`.` })),
    sort_order: Type.Optional(Type.Enum(['asc', 'desc'], { description: `Default \`${direction}\`.` })),
  }
}

export function wordsIn(words: readonly string[]) {
  const description = `One or more of ${words.join(', ')}; separated by commas.`
  return Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
}

export function columnsOf<Column extends string>(
  field: string,
  names: readonly string[] | undefined,
  allowed: readonly Column[],
): Column[] {
  if (names === undefined) return [...allowed]
  const columns = names.map((name) => name.trim())
  if (!columns.every((name): name is Column => (allowed as readonly string[]).includes(name)))
    throw errors.validation({ [field]: [`must be some of: ${allowed.join(', ')}`] })
  if (new Set(columns).size < columns.length) throw errors.validation({ [field]: ['must not repeat a column'] })
  return columns
}

export const SEARCH_REACH = Type.Optional(
  Type.Enum(['anywhere', 'word_beginnings', 'first_20000'], {
    description:
      'Where a search looked. In a list of more than 20,000 rows one or two letters are found at the beginnings of words, and a text without a letter or digit in the first 20,000 rows of the order.',
  }),
)

export function SearchedPage<T extends TSchema>(item: T) {
  return Type.Interface([Page(item)], { search_reach: SEARCH_REACH })
}

/** From inclusive to exclusive; absent: open on that side. */
export type Range = { from: Date | undefined; to: Date | undefined; timezone: string }

/** 422 on an invalid date, or an end before the start; `names` are the fields for the faults. */
export function rangeOf(
  query: { start_date?: string | undefined; end_date?: string | undefined; timezone?: string | undefined },
  names = { start: 'start_date', end: 'end_date' },
): Range {
  const timezone = query.timezone ?? 'UTC'
  if (!isZone(timezone)) throw errors.validation({ timezone: ['must be an IANA time zone, such as Europe/Berlin'] })
  const from = query.start_date === undefined ? undefined : momentOf(names.start, query.start_date, timezone, 0)
  const to = query.end_date === undefined ? undefined : momentOf(names.end, query.end_date, timezone, 1)
  if (from && to && from >= to) throw errors.validation({ [names.end]: [`must not be before ${names.start}`] })
  return { from, to, timezone }
}

function momentOf(field: string, text: string, timezone: string, addDays: number): Date {
  if (isDate(text)) return startOfDay(text, timezone, addDays)
  const moment = new Date(INSTANT.test(text) && isDate(text.slice(0, 10)) ? text : NaN)
  if (Number.isNaN(moment.getTime()))
    throw errors.validation({ [field]: ['must be a date (YYYY-MM-DD) or an ISO 8601 instant'] })
  return moment
}

/** A list or words separated by commas; absent: any. 422 on one that is not in `allowed`. */
export function wordsOf<Word extends string>(
  field: string,
  given: string | string[] | undefined,
  allowed: readonly Word[],
): Word[] | undefined {
  if (given === undefined) return undefined
  const words = (typeof given === 'string' ? given.split(',') : given).map((word) => word.trim())
  const known = allowed.filter((word) => words.includes(word))
  if (words.every((word) => (allowed as readonly string[]).includes(word))) return known
  throw errors.validation({ [field]: [`must be one or more of: ${allowed.join(', ')}`] })
}
