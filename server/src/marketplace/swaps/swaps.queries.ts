import { sql, type Insertable, type RawBuilder, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import { OPEN_SWAP, PROPOSED_SWAP } from '../../platform/shared/words.ts'
import type { DisputeResolution, MarketplaceTables, SwapStatus } from '../../platform/tables/marketplace-tables.ts'

export type Swap = Selectable<MarketplaceTables['swaps']>

export type SwapScope = { userIds: readonly number[]; productIds: readonly number[] }

export const PROPOSED = sql.raw(wordsIn(PROPOSED_SWAP))
export const IS_OPEN = sql`s.status in ${sql.raw(wordsIn(OPEN_SWAP))}`

export async function lockSwap(tx: Tx, swapId: number): Promise<Swap | undefined> {
  return tx.selectFrom('swaps').selectAll().where('swap_id', '=', swapId).forUpdate().executeTakeFirst()
}

export async function findSwap(db: Db | Tx, swapId: number): Promise<Swap | undefined> {
  return db.selectFrom('swaps').selectAll().where('swap_id', '=', swapId).executeTakeFirst()
}

export async function lockSides(tx: Tx, swapId: number): Promise<void> {
  await sql`
    select from users where user_id in (
      select unnest(array[requester_id, owner_id]) from swaps where swap_id = ${swapId})
    order by user_id for key share`.execute(tx)
}

/** They are in the order of their ids, as all locks of swaps. */
export function lockOpenSwaps(tx: Tx, whose: SwapScope): Promise<Swap[]> {
  return lockAmong(tx, selectOpenIds(whose), IS_OPEN)
}

export function lockProposalsWith(tx: Tx, productIds: number[]): Promise<Swap[]> {
  return lockAmong(tx, selectOpenIds({ userIds: [], productIds }), sql`s.status in ${PROPOSED}`)
}

export function lockAccepted(tx: Tx, swapIds: number[]): Promise<Swap[]> {
  return lockAmong(tx, sql`select unnest(${swapIds}::bigint[])`, sql`s.status = 'accepted'`)
}

async function lockAmong(tx: Tx, ids: RawBuilder<unknown>, condition: RawBuilder<unknown>): Promise<Swap[]> {
  const { rows } = await sql<Swap>`
    select s.* from swaps s where s.swap_id in (${ids}) and ${condition} order by s.swap_id for update of s`.execute(tx)
  return rows
}

/** Every product in the open swaps of these people or with these products, and the people's own. */
export async function listProductsOfSwaps(tx: Tx, whose: SwapScope): Promise<number[]> {
  const { rows } = await sql<{ product_id: number }>`
    select unnest(${whose.productIds}::bigint[]) as product_id
    union select product_id from products where user_id = any(${whose.userIds})
    union select i.product_id from swap_items i where i.swap_id in (${selectOpenIds(whose)})`.execute(tx)
  return rows.map((row) => row.product_id)
}

function selectOpenIds({ userIds, productIds }: SwapScope) {
  return sql`
    select s.swap_id from swaps s where s.requester_id = any(${userIds}::bigint[]) and ${IS_OPEN}
    union select s.swap_id from swaps s where s.owner_id = any(${userIds}::bigint[]) and ${IS_OPEN}
    union select s.swap_id from swap_items i join swaps s on s.swap_id = i.swap_id
      where i.product_id = any(${productIds}::bigint[]) and ${IS_OPEN}`
}

/** Proposals without an answer in time; skips those that are locked. */
export async function lockExpired(tx: Tx, now: Date, limit: number): Promise<Swap[]> {
  const { rows } = await sql<Swap>`
    select * from swaps where status in ${PROPOSED} and expires_at <= ${now}
    order by expires_at limit ${limit} for update skip locked`.execute(tx)
  return rows
}

/** Accepted swaps that one side confirmed before a moment, the oldest first. */
export async function listHalfConfirmed(tx: Tx, before: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ swap_id: number }>`
    select swap_id from swaps
    where status = 'accepted' and least(requester_confirmed_at, owner_confirmed_at) <= ${before}
    order by least(requester_confirmed_at, owner_confirmed_at) limit ${limit}`.execute(tx)
  return rows.map((row) => row.swap_id)
}

export async function insertSwap(tx: Tx, swap: Insertable<MarketplaceTables['swaps']>): Promise<Swap> {
  return tx.insertInto('swaps').values(swap).returningAll().executeTakeFirstOrThrow()
}

export async function insertRound(tx: Tx, round: Insertable<MarketplaceTables['swap_rounds']>): Promise<void> {
  await tx.insertInto('swap_rounds').values(round).execute()
}

export type SwapChange = Omit<Updateable<MarketplaceTables['swaps']>, 'swap_id' | 'version' | 'updated_at'>

export async function updateSwap(tx: Tx, swapId: number, change: SwapChange, now: Date): Promise<Swap> {
  return tx
    .updateTable('swaps')
    .set({ ...change, updated_at: now, version: sql<number>`version + 1` })
    .where('swap_id', '=', swapId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A completed swap counts as confirmed by both sides. */
export async function endSwaps(
  tx: Tx,
  swapIds: number[],
  { status, reason, now }: { status: SwapStatus; reason: string; now: Date },
): Promise<void> {
  const confirmed = sql`,
    requester_confirmed_at = coalesce(requester_confirmed_at, ${now}), owner_confirmed_at = coalesce(owner_confirmed_at,
      ${now}),
    completed_at = ${now}`
  await sql`
    update swaps set status = ${status}, close_reason = ${reason}, closed_at = ${now}, updated_at = ${now},
      version = version + 1 ${status === 'completed' ? confirmed : sql``}
    where swap_id = any(${swapIds})`.execute(tx)
}

export async function forgetUserNotes(tx: Tx, userIds: number[]): Promise<void> {
  await sql`update swaps set note = null where requester_id = any(${userIds}) and note is not null`.execute(tx)
  await sql`
    update swap_rounds r set note = null from swaps s
    where s.swap_id = r.swap_id and r.note is not null
      and (case r.proposed_by when 'owner' then s.owner_id else s.requester_id end) = any(${userIds})
      and (s.owner_id = any(${userIds}) or s.requester_id = any(${userIds}))`.execute(tx)
}

export async function insertDispute(tx: Tx, dispute: Insertable<MarketplaceTables['swap_disputes']>): Promise<void> {
  await tx.insertInto('swap_disputes').values(dispute).execute()
}

export async function endDisputes(
  tx: Tx,
  swapIds: number[],
  end: { resolution: DisputeResolution; note: string | null; resolvedBy: number | null; at: Date },
): Promise<void> {
  if (swapIds.length === 0) return
  await sql`
    update swap_disputes set resolution = ${end.resolution}, note = ${end.note},
      resolved_by = ${end.resolvedBy}, resolved_at = ${end.at}
    where swap_id = any(${swapIds}) and resolved_at is null`.execute(tx)
}

/** Empties the reasons of people, the notes of administrators in their disputes, and their own notes in others'. */
export async function forgetUserDisputes(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    update swap_disputes d set note = null,
      reason = case when (case d.side when 'owner' then s.owner_id else s.requester_id end) = any(${userIds}) then null
        else d.reason end
    from swaps s
    where s.swap_id = d.swap_id and (s.requester_id = any(${userIds}) or s.owner_id = any(${userIds}))`.execute(tx)
  await sql`update swap_disputes set note = null where resolved_by = any(${userIds}) and note is not null`.execute(tx)
}
