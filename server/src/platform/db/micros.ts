import { sql, type RawBuilder } from 'kysely'

/** Gives microseconds, which a cursor needs: a `Date` has only milliseconds. */
export function toMicros(moment: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(extract(epoch from ${moment}) * 1000000)::bigint`
}

export function atMicros(micros: number): RawBuilder<Date> {
  return sql<Date>`('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond')`
}
