import type { Tx } from '../../platform/db/connect.ts'

/** False when it was used before. */
export async function insertUsedLink(
  tx: Tx,
  { linkId, expiresAt }: { linkId: string; expiresAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_links')
    .values({ link_id: linkId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
