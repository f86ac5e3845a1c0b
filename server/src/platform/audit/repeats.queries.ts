import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'
import type { Tables } from '../tables/schema.ts'

export type Repeat = Selectable<Tables['audit_repeats']>

// Enough to see what the caller was looking for.
const TARGETS_MAX = 20

/** False when no count is open for the call. */
export async function addRepeat(
  db: Db | Tx,
  key: string,
  call: { target: string; entityId: number | undefined },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update audit_repeats set times = times + 1, last_at = ${now},
      entity_id = case when entity_id = ${call.entityId ?? null}::bigint then entity_id end,
      targets = case when ${call.target} = any(targets) or cardinality(targets) >= ${TARGETS_MAX}
        then targets else targets || ${call.target}::text end
    where fold_key = ${key} and ends_at > ${now} returning 1`.execute(db)
  return rows.length > 0
}

/** False when another process has just created it. */
export async function insertRepeat(
  tx: Tx,
  repeat: Omit<Insertable<Tables['audit_repeats']>, 'times'>,
): Promise<boolean> {
  const begun = await tx
    .insertInto('audit_repeats')
    .values({ ...repeat, times: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (begun.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Each is returned once. */
export async function takeEndedRepeats(
  tx: Tx,
  page: { key: string | undefined; now: Date; limit: number },
): Promise<Repeat[]> {
  const ofKey = page.key === undefined ? sql`true` : sql`fold_key = ${page.key}`
  const { rows } = await sql<Repeat>`
    with ended as (
      select fold_key from audit_repeats where ends_at <= ${page.now} and ${ofKey}
      order by ends_at limit ${page.limit} for update skip locked)
    delete from audit_repeats where fold_key in (select fold_key from ended)
    returning *`.execute(tx)
  return rows
}
