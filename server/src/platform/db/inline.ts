import type { RawBuilder } from 'kysely'
import { escapeLiteral } from 'pg'
import type { Db } from './connect.ts'

/** A statement with its parameters in it, for COPY and messages of several statements. */
export function inline(db: Db, query: RawBuilder<unknown>): string {
  const { sql, parameters } = query.compile(db)
  return sql.replaceAll(/\$(\d+)/g, (_, n: string) => toLiteral(parameters[Number(n) - 1]))
}

function toLiteral(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return `(${value})`
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return escapeLiteral(value)
  // It is a number, because PostgreSQL does not read the years 0 and 10000 as JavaScript writes them.
  if (value instanceof Date) return `to_timestamp(${value.getTime() / 1_000})`
  // An empty array has no type; as text it takes the type that it is compared with.
  if (Array.isArray(value)) return value.length === 0 ? `'{}'` : `array[${value.map(toLiteral).join(', ')}]`
  throw new TypeError('A statement has a parameter of a type that cannot be written into it.')
}

/**
 * Writes the words of an `in`. A partial index serves a statement only if the statement has the same words as literals.
 */
export function wordsIn(words: readonly string[]): string {
  return `(${words.map((word) => escapeLiteral(word)).join(', ')})`
}
