import { sql, type RawBuilder } from 'kysely'

/** A moment as its microseconds since 1970, for a cursor: a `Date` has only milliseconds of it. */
export function microsOf(moment: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(extract(epoch from ${moment}) * 1000000)::bigint`
}

/** The moment of microseconds since 1970, exactly. */
export function atMicros(micros: number): RawBuilder<Date> {
  return sql<Date>`('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond')`
}
