import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { PageBounds, PageRows } from '../../platform/lists/pagination.ts'
import type { MarketplaceTables } from '../../platform/tables/marketplace-tables.ts'
import { userConditions } from '../users/users-list.queries.ts'

type NewExport = Omit<Insertable<MarketplaceTables['exports']>, 'filter'> & { filter: object }

export type StoredExport = NonNullable<Awaited<ReturnType<typeof findExport>>>

export function findExport(db: Db | Tx, exportId: number, now: Date) {
  return db
    .selectFrom('exports')
    .selectAll()
    .where('export_id', '=', exportId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export type ListedExport = StoredExport & { requester_name: string }

export async function listExports(db: Db, now: Date, { perPage, offset }: PageBounds): Promise<PageRows<ListedExport>> {
  const kept = db.selectFrom('exports as e').where('e.expires_at', '>', now)
  const rows = await kept
    .innerJoin('users as u', 'u.user_id', 'e.requested_by')
    .selectAll('e')
    .select('u.name as requester_name')
    .orderBy('e.export_id', 'desc')
    .limit(perPage)
    .offset(offset)
    .execute()
  const { n } = await kept.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return { rows, total: n }
}

/** Deletes what was written of its file; false when the export was over already. */
export async function giveUpExport(
  tx: Tx,
  { exportId, error, at }: { exportId: number; error: 'CANCELLED' | 'STALLED'; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('exports')
    .set({ status: 'failed', error, finished_at: at, filter: sql`filter - 'search'` })
    .where('export_id', '=', exportId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await tx.deleteFrom('export_chunks').where('export_id', '=', exportId).execute()
  return true
}

export async function findChunk(db: Db, exportId: number, seq: number): Promise<Buffer | undefined> {
  const chunk = await db
    .selectFrom('export_chunks')
    .select('bytes')
    .where((on) => on.and({ export_id: exportId, seq }))
    .executeTakeFirst()
  return chunk?.bytes
}

export async function insertExport(tx: Tx, request: NewExport): Promise<number> {
  const { export_id } = await tx
    .insertInto('exports')
    .values({ ...request, filter: JSON.stringify(request.filter) })
    .returning('export_id')
    .executeTakeFirstOrThrow()
  return export_id
}

/** It begins at the first byte, also after a process died halfway. Gives the number of the attempt, which ends the
 * one before; undefined when the export is over. */
export async function beginExport(
  tx: Tx,
  { exportId, masked, now }: { exportId: number; masked: boolean; now: Date },
): Promise<number | undefined> {
  const begun = await tx
    .updateTable('exports')
    .set({ status: 'running', started_at: now, progress_at: now, masked, bytes: 0, rows_expected: null })
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('export_id', '=', exportId)
    .where('status', 'in', ['queued', 'running'])
    .returning('attempts')
    .executeTakeFirst()
  if (begun) await tx.deleteFrom('export_chunks').where('export_id', '=', exportId).execute()
  return begun?.attempts
}

export async function updateExpectedRows(db: Db, exportId: number, rows: number): Promise<void> {
  await db.updateTable('exports').set({ rows_expected: rows }).where('export_id', '=', exportId).execute()
}

/** False when this attempt is over, because it was cancelled, ended or begun anew. */
export async function insertChunk(
  tx: Tx,
  chunk: { exportId: number; attempt: number; seq: number; bytes: Buffer; now: Date },
): Promise<boolean> {
  const { exportId, attempt, seq, bytes, now } = chunk
  const { numUpdatedRows } = await tx
    .updateTable('exports')
    .set({ bytes: sql<number>`bytes + ${bytes.length}`, progress_at: now })
    .where((on) => on.and({ export_id: exportId, status: 'running', attempts: attempt }))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await tx.insertInto('export_chunks').values({ export_id: exportId, seq, bytes }).execute()
  return true
}

export async function finishExport(
  db: Db | Tx,
  { exportId, attempt }: { exportId: number; attempt: number },
  end: { finished_at: Date } & ({ status: 'done'; sha256: string } | { status: 'failed'; error: string }),
): Promise<void> {
  await db
    .updateTable('exports')
    .set({ ...end, filter: sql`filter - 'search'` })
    .where((on) => on.and({ export_id: exportId, status: 'running', attempts: attempt }))
    .execute()
}

/** A search is kept until its file is made. */
export async function deleteExportsOfSearches(tx: Tx, userIds: number[]): Promise<void> {
  const kept = await tx
    .selectFrom('exports')
    .select(['export_id', sql<string>`filter ->> 'search'`.as('search')])
    .where(sql<boolean>`filter ? 'search'`)
    .execute()
  for (const { export_id, search } of kept)
    await sql`
      delete from exports where export_id = ${export_id} and exists (
        select from users u where u.user_id = any(${userIds})
          and ${userConditions({ deleted: 'include', search })})`.execute(tx)
}
