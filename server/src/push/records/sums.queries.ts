import { sql, type RawBuilder } from 'kysely'

type Sum<Key, Name extends string> = Key & Record<Name, number>

/** Adds up `added` of the same row. A row to which nothing is added is left out. */
export function sumRows<Key extends object, Name extends string>(
  changes: readonly { row: Key; added: { [Each in Name]?: number } }[],
  names: readonly Name[],
): Sum<Key, Name>[] {
  const zero = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  const sums = new Map<string, { row: Key; counts: Record<Name, number> }>()
  for (const { row, added } of changes) {
    const key = Object.values(row).join(' ')
    const sum = sums.get(key) ?? { row, counts: { ...zero } }
    sums.set(key, sum)
    for (const name of names) sum.counts[name] += added[name] ?? 0
  }
  return Array.from(sums.values(), ({ row, counts }) => ({ ...row, ...counts })).filter((sum) =>
    names.some((name) => sum[name] !== 0),
  )
}

/** What an `on conflict` sets of the table with this name. */
export function additions(table: string, names: readonly string[]): RawBuilder<unknown> {
  return sql.raw(names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', '))
}
