import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { MarketplaceTables } from '../../platform/tables/marketplace-tables.ts'

type Stored = Selectable<MarketplaceTables['moderation_actions']>

export type Decision = Omit<Stored, 'action_id' | 'snapshot' | 'message_id'> & { actor_name: string | null }

export async function insertDecision(
  tx: Tx,
  decision: Omit<Insertable<MarketplaceTables['moderation_actions']>, 'snapshot'> & {
    snapshot: Record<string, unknown>
  },
): Promise<void> {
  await tx
    .insertInto('moderation_actions')
    .values({ ...decision, snapshot: JSON.stringify(decision.snapshot) })
    .execute()
}

export async function listDecisions(db: Db | Tx, productId: number, limit: number): Promise<Decision[]> {
  const { rows } = await sql<Decision>`
    select ${COLUMNS}, u.name as actor_name
    from moderation_actions m left join users u on u.user_id = m.actor_id
    where m.product_id = ${productId} order by m.action_id desc limit ${limit}`.execute(db)
  return rows
}

/** The last decision on the verification of each product; absent for products without one. */
export async function listLastDecisions(db: Db, productIds: number[]): Promise<Decision[]> {
  const { rows } = await sql<Decision>`
    select d.*, u.name as actor_name
    from ${selectLast(productIds, COLUMNS, sql`m.action in ('verify', 'reject', 'request_changes')`)}
    left join users u on u.user_id = d.actor_id`.execute(db)
  return rows
}

type Snapshot = { product_id: number; snapshot: Record<string, unknown> }

export async function listVerifiedSnapshots(db: Db, productIds: number[]): Promise<Snapshot[]> {
  const last = selectLast(productIds, sql`m.product_id, m.snapshot`, sql`m.action = 'verify'`)
  const { rows } = await sql<Snapshot>`select d.* from ${last}`.execute(db)
  return rows
}

const COLUMNS = sql`
  m.product_id, m.action, m.reason_code, m.user_message, m.internal_note, m.actor_id, m.revision, m.created_at`

function selectLast(productIds: number[], columns: RawBuilder<unknown>, condition: RawBuilder<unknown>) {
  return sql`unnest(${productIds}::bigint[]) as p(product_id)
    cross join lateral (
      select ${columns} from moderation_actions m
      where m.product_id = p.product_id and ${condition} order by m.action_id desc limit 1) d`
}

/** The messages by which people were told of decisions about their products. */
export async function listDecisionMessages(tx: Tx, userIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ message_id: number }>`
    select m.message_id from products p join moderation_actions m using (product_id)
    where p.user_id = any(${userIds}) and m.message_id is not null`.execute(tx)
  return rows.map((row) => row.message_id)
}

export async function emptyDecisionWords(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    update moderation_actions set user_message = null, internal_note = null
    where actor_id = any(${userIds})`.execute(tx)
}
