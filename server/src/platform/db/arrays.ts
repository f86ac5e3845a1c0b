import { sql, type RawBuilder } from 'kysely'

// The driver would escape each element as text: two regular expressions and a closure for every number.
export function int8Array(numbers: readonly (number | null)[]): string {
  return `{${numbers.map((number) => number ?? 'null').join(',')}}`
}

/** Records as rows for a `from`, with the fields of `columns` in their order. */
export function asRows<Row extends object>(
  records: readonly Row[],
  columns: { [Name in keyof Row]?: 'bigint' | 'int' | 'text' | 'boolean' | 'timestamptz' },
): RawBuilder<unknown> {
  const arrays = Object.entries(columns).map(([name, type]) => {
    const values = records.map((record) => record[name as keyof Row])
    const isNumbers = type === 'bigint' || type === 'int'
    return sql`${isNumbers ? int8Array(values as (number | null)[]) : values}::${sql.raw(`${String(type)}[]`)}`
  })
  return sql`unnest(${sql.join(arrays)})`
}
