import { Type, type TSchema } from 'typebox'
import { errors } from '../shared/errors.ts'
import { isDate, isZone, NO_ZONE, startOfDay, ZONE_NAME } from '../shared/zones.ts'
import { Page } from '../http/envelope.ts'
import { PageQuery } from './pagination.ts'

const INSTANT = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})`
const NO_MOMENT = 'must be a date (YYYY-MM-DD) or an ISO 8601 instant'

export const Moment = Type.String({
  pattern: String.raw`^(?:\d{4}-\d{2}-\d{2}|${INSTANT})$`,
  'x-fault': NO_MOMENT,
  maxLength: 40,
  description: '`YYYY-MM-DD` in `timezone`, or an instant.',
  examples: ['2026-11-01'],
})

export function Zone(description: string) {
  const examples = ['Europe/Brussels']
  return Type.String({ minLength: 1, maxLength: 64, pattern: ZONE_NAME, 'x-fault': NO_ZONE, description, examples })
}

/** Decision A5: the end day is included, an end instant is not. */
export const RangeQuery = {
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
  timezone: Type.Optional(Zone('IANA name; default UTC.')),
}

export const ListQuery = {
  ...PageQuery,
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  sort_order: Type.Optional(Type.Enum(['asc', 'desc'])),
}

export function searchIn(fields: string) {
  return described(`Finds this text in ${fields}`)
}

export function wordSearchIn(fields: string) {
  return described(`Finds all words of this text in ${fields}, in any order`)
}

function described(search: string) {
  const description = `${search}; upper and lower case are equal, and \`%\` and \`_\` are ordinary characters.`
  return Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
}

export function readSearch(query: { search?: string | undefined }): string | undefined {
  const text = query.search?.trim()
  return text === '' ? undefined : text
}

export function rangeIn(of: string) {
  const start = {
    ...Moment,
    description: `${of}: from this date (\`YYYY-MM-DD\` in \`timezone\`) or this instant on.`,
  }
  const end = { ...Moment, description: `${of}: to the end of this date, or before this instant.` }
  return { ...RangeQuery, start_date: Type.Optional(start), end_date: Type.Optional(end) }
}

export function sortedBy<Column extends string>(columns: readonly Column[], direction: 'asc' | 'desc') {
  return {
    sort_by: Type.Optional(Type.Enum(columns, { description: `Default \`${columns[0]}\`.` })),
    sort_order: Type.Optional(Type.Enum(['asc', 'desc'], { description: `Default \`${direction}\`.` })),
  }
}

export const SEARCH_REACH = Type.Optional(
  Type.Enum(['anywhere', 'word_beginnings', 'first_20000'], {
    description:
      'Where the search looked. In a list of more than 20,000 rows, one or two letters are found only at the beginning of words, and a text without a letter or digit only in the first 20,000 rows of the order.',
  }),
)

export function SearchedPage<T extends TSchema>(item: T) {
  return Type.Interface([Page(item)], { search_reach: SEARCH_REACH })
}

/** `from` inclusive, `to` exclusive; absent: open on that side. */
export type Range = { from: Date | undefined; to: Date | undefined; timezone: string }

/** 422 on an invalid date, or an end before the start; `names` are the fields for the faults. */
export function readRange(
  query: { start_date?: string | undefined; end_date?: string | undefined; timezone?: string | undefined },
  names = { start: 'start_date', end: 'end_date' },
): Range {
  const timezone = query.timezone ?? 'UTC'
  if (!isZone(timezone)) throw errors.validation({ timezone: [NO_ZONE] })
  const from = query.start_date === undefined ? undefined : parseMoment(names.start, query.start_date, timezone, 0)
  const to = query.end_date === undefined ? undefined : parseMoment(names.end, query.end_date, timezone, 1)
  if (from && to && from >= to) throw errors.validation({ [names.end]: [`must not be before ${names.start}`] })
  return { from, to, timezone }
}

function parseMoment(field: string, text: string, timezone: string, addDays: number): Date {
  if (isDate(text)) return startOfDay(text, timezone, addDays)
  const moment = new Date(isDate(text.slice(0, 10)) ? text : NaN)
  if (Number.isNaN(moment.getTime())) throw errors.validation({ [field]: [NO_MOMENT] })
  return moment
}

/** Words that the schema admits (`Words`), as a list or separated by commas; absent: any. */
export function readWords<Word extends string>(
  given: string | string[] | undefined,
  allowed: readonly Word[],
): Word[] | undefined {
  const words = typeof given === 'string' ? given.split(',').map((word) => word.trim()) : given
  return words && allowed.filter((word) => words.includes(word))
}
