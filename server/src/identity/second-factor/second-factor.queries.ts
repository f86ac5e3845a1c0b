import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/schema.ts'

export type Factor = Selectable<Tables['second_factors']>
type Sealed = Pick<Factor, 'key_id' | 'sealed'>

export function findFactor(db: Db | Tx, userId: number): Promise<Factor | undefined> {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

export function lockFactor(tx: Tx, userId: number): Promise<Factor | undefined> {
  return tx.selectFrom('second_factors').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()
}

/** Replaces an unconfirmed one; false when a confirmed one exists. */
export async function putUnconfirmed(tx: Tx, factor: Sealed & { user_id: number; created_at: Date }): Promise<boolean> {
  const stored = await tx
    .insertInto('second_factors')
    .values(factor)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ key_id: factor.key_id, sealed: factor.sealed, created_at: factor.created_at, last_step: null })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  return (stored.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function confirmFactor(tx: Tx, { userId, at }: { userId: number; at: Date }): Promise<void> {
  await tx.updateTable('second_factors').set({ confirmed_at: at }).where('user_id', '=', userId).execute()
}

/** False when a code of this step or a later one was used before. */
export async function useStep(tx: Tx, { userId, step }: { userId: number; step: number }): Promise<boolean> {
  const used = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where((on) => on.or([on('last_step', 'is', null), on('last_step', '<', step)]))
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

export async function deleteFactor(tx: Tx, userId: number): Promise<boolean> {
  const deleted = await tx.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

export async function deleteRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

export async function replaceRecoveryCodes(
  tx: Tx,
  { userId, hashes }: { userId: number; hashes: Buffer[] },
): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }))
  await tx.insertInto('recovery_codes').values(rows).execute()
}

export async function spendRecoveryCode(
  tx: Tx,
  { userId, hash, at }: { userId: number; hash: Buffer; at: Date },
): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where((on) => on.and({ user_id: userId, code_hash: hash }))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

export async function countRecoveryCodes(db: Db | Tx, userId: number): Promise<number> {
  const { n } = await db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return n
}

export function lockFactorsUnderOtherKeys(
  tx: Tx,
  { keyId, after, limit }: { keyId: string; after: number; limit: number },
): Promise<Factor[]> {
  return tx
    .selectFrom('second_factors')
    .selectAll()
    .where('key_id', '<>', keyId)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function updateSeals(tx: Tx, seals: (Sealed & { user_id: number })[]): Promise<void> {
  if (seals.length === 0) return
  await sql`
    update second_factors f set key_id = s.key_id, sealed = s.sealed
    from unnest(${seals.map(({ user_id }) => user_id)}::bigint[], ${seals.map(({ key_id }) => key_id)}::text[],
      ${seals.map(({ sealed }) => sealed)}::bytea[]) as s (user_id, key_id, sealed)
    where f.user_id = s.user_id`.execute(tx)
}

export async function deleteUnconfirmed(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('second_factors').where('confirmed_at', 'is', null).where('created_at', '<', before).execute()
}
