import { sql, type RawBuilder } from 'kysely'

/** Others than the owner see the product; `notBlocked` is asked beside. `product`: its alias in the query. */
export function isVisible(product: string): RawBuilder<boolean> {
  const p = sql.id(product)
  return sql<boolean>`(${p}.deleted_at is null and ${p}.hidden_at is null and ${p}.status not in ('draft', 'removed')
    and ${p}.verification <> 'rejected' and ${p}.rejected_at is null)`
}
