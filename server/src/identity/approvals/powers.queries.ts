import { sql } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'

export type Two = [number, number]

export async function insertPower(
  tx: Tx,
  { actorId, subjectId, at }: { actorId: number; subjectId: number; at: Date },
): Promise<void> {
  await tx
    .insertInto('account_powers')
    .values({ actor_id: actorId, subject_id: subjectId, used_at: at })
    .onConflict((conflict) => conflict.columns(['actor_id', 'subject_id']).doUpdateSet({ used_at: at }))
    .execute()
}

/** True if somebody may hold both: an account holds itself and those it has power over, also through others. */
export async function isOnePerson(tx: Tx, { two: [one, other], since }: { two: Two; since: Date }): Promise<boolean> {
  const { rows } = await sql`
    with recursive holders (account, holder) as (
      select id, id from unnest(array[${one}, ${other}]::bigint[]) id
      union
      select h.account, p.actor_id from holders h
      join account_powers p on p.subject_id = h.holder and p.used_at > ${since})
    select from holders h join holders o using (holder) where h.account = ${one} and o.account = ${other}
    limit 1`.execute(tx)
  return rows.length > 0
}

export async function deletePowers(tx: Tx, [one, other]: Two): Promise<void> {
  await sql`
    delete from account_powers
    where (actor_id, subject_id) in ((${one}, ${other}), (${other}, ${one}))`.execute(tx)
}
