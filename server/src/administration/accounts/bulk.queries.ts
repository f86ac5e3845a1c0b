import { sql, type Insertable } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import type { AppError } from '../../platform/shared/errors.ts'
import { BARRED } from '../../platform/shared/words.ts'
import type { BulkAction, OfficeTables } from '../../platform/tables/office-tables.ts'
import type { Role } from '../../platform/tables/tables.ts'
import { userConditions, type UserFilter } from '../users/users-list.queries.ts'
import { must } from '../../platform/shared/must.ts'

export type Bulk = NonNullable<Awaited<ReturnType<typeof findBulk>>>

export type BulkItem = NonNullable<Awaited<ReturnType<typeof lockOpenItem>>>

/** Why an account is not changed, besides what its change alone would be refused for. */
export const NOT_CHANGED = [
  'OWN_ACCOUNT',
  'NO_RIGHT',
  'DELETED',
  'UNCHANGED',
  'CHANGED_SINCE',
  'SUSPENSION_OVER',
  'STALLED',
] as const

export type ItemEnd = {
  outcome: 'changed' | 'skipped'
  code?: (typeof NOT_CHANGED)[number]
  refusal?: AppError
  was?: { status_reason: string | null; suspended_until: Date | null }
}

/** Returns its id; undefined when the change that it undoes is already undone. */
export async function insertBulk(tx: Tx, bulk: Insertable<OfficeTables['bulk_changes']>): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('bulk_changes')
    .values(bulk)
    .onConflict((conflict) => conflict.column('undoes').doNothing())
    .returning('bulk_id')
    .executeTakeFirst()
  return inserted?.bulk_id
}

/** Undefined also when it has expired. */
export function findBulk(db: Db | Tx, bulkId: number, now: Date) {
  return db
    .selectFrom('bulk_changes')
    .selectAll()
    .where('bulk_id', '=', bulkId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** The state that an action gives an account, and which accounts already have it. */
const ACTIONS = {
  suspend: { status: sql`'suspended'`, deleted: sql`false`, isSo: sql`u.status in ${sql.raw(wordsIn(BARRED))}` },
  activate: { status: sql`'active'`, deleted: sql`false`, isSo: sql`u.status = 'active'` },
  delete: { status: sql`u.status`, deleted: sql`true`, isSo: sql`false` },
  restore: { status: sql`u.status`, deleted: sql`false`, isSo: sql`u.deleted_at is null` },
} as const satisfies Record<BulkAction, unknown>

export type Selection = {
  action: BulkAction
  reason: string | null
  who: { ids: number[] } | { filter: UserFilter }
  actorId: number
  managed: Role[]
  /** Selects at most one account more, so that the caller sees that there are too many. */
  limit: number
}

/** Freezes the accounts of a bulk change in their present state, with a result for those that it cannot change.
 * Gives how many they are. */
export async function insertSelection(tx: Tx, bulkId: number, selection: Selection): Promise<number> {
  const { action, reason, who, actorId, managed, limit } = selection
  const { status, deleted, isSo } = ACTIONS[action]
  const isSelected = 'ids' in who ? sql`u.user_id = any(${int8Array(who.ids)})` : userConditions(who.filter)
  const isGone = action === 'restore' ? sql`false` : sql`u.deleted_at is not null`
  const { numAffectedRows } = await sql`
    insert into bulk_items (bulk_id, user_id, from_status, from_deleted, to_status, to_deleted, to_reason, outcome,
      code)
    select ${bulkId}, user_id, status, is_deleted, to_status, to_deleted, ${action === 'suspend' ? reason : null}::text,
      case when code is not null then 'skipped' end, code
    from (
      select u.user_id, u.status, u.deleted_at is not null as is_deleted, ${status} as to_status,
        ${deleted} as to_deleted,
        case when u.user_id = ${actorId} then 'OWN_ACCOUNT' when not (u.role = any(${managed})) then 'NO_RIGHT'
          when ${isGone} then 'DELETED' when ${isSo} then 'UNCHANGED' end as code
      from users u where ${isSelected} order by u.user_id limit ${limit + 1}) selected`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Makes an undo: from the state that each account got to the one it had. */
export async function insertReversal(tx: Tx, bulkId: number, undoes: number): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into bulk_items (bulk_id, user_id, from_status, from_deleted, to_status, to_deleted, to_reason, to_until)
    select ${bulkId}, user_id, to_status, to_deleted, from_status, from_deleted, was_reason, was_until
    from bulk_items where bulk_id = ${undoes} and outcome = 'changed'`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Starts a prepared bulk change, or keeps it prepared for longer; false when it was started before. */
export async function updatePrepared(
  tx: Tx,
  bulkId: number,
  change: { requested_by: number; started_at: Date; expires_at: Date; status: 'running' } | { expires_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('bulk_changes')
    .set(change)
    .where((on) => on.and({ bulk_id: bulkId, status: 'prepared' }))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function markProgress(
  db: Db,
  bulkId: number,
  { at, begins }: { at: Date; begins: boolean },
): Promise<void> {
  await db
    .updateTable('bulk_changes')
    .set({ progress_at: at })
    .$if(begins, (bulk) => bulk.set(({ eb }) => ({ attempts: eb('attempts', '+', 1) })))
    .where('bulk_id', '=', bulkId)
    .execute()
}

export async function markDone(db: Db, bulkId: number, at: Date): Promise<void> {
  await db
    .updateTable('bulk_changes')
    .set({ status: 'done', finished_at: at })
    .where((on) => on.and({ bulk_id: bulkId, status: 'running' }))
    .execute()
}

export async function listOpenIds(db: Db, bulkId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('bulk_items')
    .select('user_id')
    .where('bulk_id', '=', bulkId)
    .where('outcome', 'is', null)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Undefined when the account already has a result. */
export function lockOpenItem(tx: Tx, { bulkId, userId }: { bulkId: number; userId: number }) {
  return tx
    .selectFrom('bulk_items')
    .select(['user_id', 'from_status', 'from_deleted', 'to_status', 'to_deleted', 'to_reason', 'to_until'])
    .select(IS_CHANGED_SINCE.as('is_changed_since'))
    .where((on) => on.and({ bulk_id: bulkId, user_id: userId }))
    .where('outcome', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

// A change since the selection counts also where the state is the same again. An undo finds the one change of the bulk
// that it undoes, which does not count.
const IS_CHANGED_SINCE = sql<boolean>`(
  select count(*) > count(distinct undone.bulk_id)
  from bulk_changes b left join bulk_changes undone on undone.bulk_id = b.undoes
  join state_changes h on h.entity = 'user' and h.entity_id = bulk_items.user_id
    and h.at > coalesce(undone.created_at, b.created_at)
  where b.bulk_id = bulk_items.bulk_id)`

/** Accounts that have a result keep it. Without `userId` all others are settled. */
export async function settleItems(
  db: Db | Tx,
  { bulkId, userId }: { bulkId: number; userId?: number },
  { outcome, code, refusal, was }: ItemEnd,
): Promise<void> {
  const end = {
    outcome,
    code: refusal?.code ?? code ?? null,
    ...(was && { was_reason: was.status_reason, was_until: was.suspended_until }),
  }
  const settle = db.updateTable('bulk_items').set(end).where('bulk_id', '=', bulkId).where('outcome', 'is', null)
  await (userId === undefined ? settle : settle.where('user_id', '=', userId)).execute()
}

export type BulkCount = { outcome: 'changed' | 'skipped' | null; code: string | null; n: number }

export async function countItems(db: Db | Tx, bulkId: number): Promise<BulkCount[]> {
  return db
    .selectFrom('bulk_items')
    .select(['outcome', 'code', sql<number>`count(*)::int`.as('n')])
    .where('bulk_id', '=', bulkId)
    .groupBy(['outcome', 'code'])
    .orderBy('outcome')
    .orderBy('code')
    .execute()
}

export type BulkRow = Awaited<ReturnType<typeof listItems>>[number]

export async function listItems(
  db: Db,
  bulkId: number,
  page: { perPage: number; offset: number; outcome?: 'waiting' | 'changed' | 'skipped' | undefined },
) {
  const { perPage, offset, outcome } = page
  const items = db
    .selectFrom('bulk_items as i')
    .innerJoin('users as u', 'u.user_id', 'i.user_id')
    .select(['i.user_id', 'u.name', 'u.username', 'i.from_status', 'i.from_deleted', 'i.to_status', 'i.to_deleted'])
    .select(['i.outcome', 'i.code'])
    .where('i.bulk_id', '=', bulkId)
    .orderBy('i.user_id')
    .limit(perPage)
    .offset(offset)
  if (outcome === undefined) return items.execute()
  return items.where('i.outcome', 'is not distinct from', outcome === 'waiting' ? null : outcome).execute()
}

/** A change goes with its undo, not before: the foreign key would delete that too. */
export async function deleteExpiredBulks(db: Db, now: Date): Promise<void> {
  await sql`
    delete from bulk_changes b where b.expires_at <= ${now} and b.status <> 'running' and not exists (
      select from bulk_changes u where u.undoes = b.bulk_id
        and (u.expires_at > ${now} or u.status = 'running'))`.execute(db)
}

export async function clearReasonsAbout(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    update bulk_changes set reason = null
    where reason is not null
      and bulk_id in (select bulk_id from bulk_items where user_id = any(${int8Array(userIds)}))`.execute(tx)
}

export async function digestOfItems(tx: Tx, bulkId: number): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    select encode(sha256(convert_to(coalesce(string_agg(
      concat_ws(' ', user_id, from_status, from_deleted, to_status, to_deleted, to_reason, code), ';' order by user_id),
        ''), 'UTF8')), 'hex')
      as digest
    from bulk_items where bulk_id = ${bulkId}`.execute(tx)
  return must(rows[0], 'digest of a bulk change').digest
}
