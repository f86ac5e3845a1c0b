import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'

type Two = [number, number]

export async function insertPower(tx: Tx, [actorId, subjectId]: Two, at: Date): Promise<void> {
  await tx
    .insertInto('account_powers')
    .values({ actor_id: actorId, subject_id: subjectId, used_at: at })
    .onConflict((conflict) => conflict.columns(['actor_id', 'subject_id']).doUpdateSet({ used_at: at }))
    .execute()
}

/** Of either over the other. */
export async function hasPower(tx: Tx, two: Two, since: Date): Promise<boolean> {
  const found = await tx
    .selectFrom('account_powers')
    .select('used_at')
    .where(ofBoth(two))
    .where('used_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function deletePowers(tx: Tx, two: Two): Promise<void> {
  await tx.deleteFrom('account_powers').where(ofBoth(two)).execute()
}

export async function deleteOldPowers(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('account_powers').where('used_at', '<', before).execute()
}

function ofBoth([one, other]: Two) {
  return sql<boolean>`(actor_id, subject_id) in ((${one}, ${other}), (${other}, ${one}))`
}
