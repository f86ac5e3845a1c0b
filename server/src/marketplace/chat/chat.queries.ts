import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { notBlocked } from '../../identity/blocks/hidden.queries.ts'
import type { MarketplaceTables, SwapStatus } from '../../platform/tables/marketplace-tables.ts'

export type ChatLine = Selectable<MarketplaceTables['swap_messages']>

/** `has_received`: the other side has written to the sender in this chat. */
export type ChatFacts = {
  status: SwapStatus
  is_requester: boolean
  other_id: number | null
  responded_at: Date | null
  has_received: boolean
  is_blocked: boolean
  is_other_gone: boolean
}

/** Locks a chat until the transaction ends; undefined for strangers. Moves of the swap and other lines wait, so
 * lines become visible in the order of their ids. */
export async function lockChat(tx: Tx, swapId: number, userId: number): Promise<ChatFacts | undefined> {
  const { rows } = await sql<ChatFacts>`
    select s.status, s.requester_id = ${userId} as is_requester, other.id as other_id, s.responded_at,
      exists (select from chat_sides c where c.swap_id = s.swap_id and c.user_id = ${userId}) as has_received,
      not ${notBlocked(userId, sql`other.id`)} as is_blocked,
      not exists (select from users u where u.user_id = other.id and u.deleted_at is null) as is_other_gone
    from swaps s
    cross join lateral (select case when s.requester_id = ${userId} then s.owner_id else s.requester_id end as id) other
    where s.swap_id = ${swapId} and ${userId}::bigint in (s.requester_id, s.owner_id)
    for no key update of s`.execute(tx)
  return rows[0]
}

export async function isSwapSide(db: Db | Tx, swapId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from swaps where swap_id = ${swapId} and ${userId}::bigint in (requester_id, owner_id)`.execute(db)
  return rows.length > 0
}

export async function haveAgreed(db: Db | Tx, userId: number, otherId: number): Promise<boolean> {
  const { rows } = await sql`
    select from swaps where accepted_at is not null
      and least(requester_id, owner_id) = ${Math.min(userId, otherId)}
      and greatest(requester_id, owner_id) = ${Math.max(userId, otherId)} limit 1`.execute(db)
  return rows.length > 0
}

/** How many lines about proposals of the sender the receiver has left without a line and without a move. */
export async function countUnanswered(tx: Tx, senderId: number, receiverId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(c.received), 0)::int as n
    from swaps s join chat_sides c on c.swap_id = s.swap_id and c.user_id = ${receiverId}
    where s.requester_id = ${senderId} and s.owner_id = ${receiverId} and s.responded_at is null
      and not exists (select from chat_sides a where a.swap_id = s.swap_id and a.user_id = ${senderId})`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Stores a line of a chat that its caller has locked, and gives its id. */
export async function insertLine(
  tx: Tx,
  line: { swapId: number; senderId: number; receiverId: number; text: string; at: Date },
): Promise<number> {
  const { rows } = await sql<{ swap_message_id: number }>`
    with line as (
      insert into swap_messages (swap_id, sender_id, body, created_at)
      values (${line.swapId}, ${line.senderId}, ${line.text}, ${line.at}) returning swap_message_id),
    side as (
      insert into chat_sides as c (swap_id, user_id, received, unread) values (${line.swapId}, ${line.receiverId}, 1, 1)
      on conflict (swap_id, user_id) do update set received = c.received + 1, unread = c.unread + 1)
    select swap_message_id from line`.execute(tx)
  return rows[0]!.swap_message_id
}

/** Marks the received lines up to one as read. The person's row is locked first, so that of two calls at once each
 * line counts for one. */
export async function markRead(
  tx: Tx,
  { swapId, userId, upTo, at }: { swapId: number; userId: number; upTo: number; at: Date },
): Promise<{ unread: number; marked: number }> {
  const { rows } = await sql<{ unread: number; marked: number }>`
    with mine as materialized (
      select read_up_to from chat_sides where swap_id = ${swapId} and user_id = ${userId} for no key update),
    marked as (
      update swap_messages m set read_at = ${at} from mine
      where m.swap_id = ${swapId} and m.swap_message_id > mine.read_up_to and m.swap_message_id <= ${upTo}
        and m.sender_id <> ${userId} and m.read_at is null
      returning m.swap_message_id)
    update chat_sides c set unread = c.unread - (select count(*) from marked),
      read_up_to = greatest(c.read_up_to, (select max(swap_message_id) from marked))
    where c.swap_id = ${swapId} and c.user_id = ${userId} and exists (select from mine)
    returning c.unread, (select count(*) from marked) as marked`.execute(tx)
  return rows[0] ?? { unread: 0, marked: 0 }
}

/** The newest lines; those before an id, newest first; or those after one, oldest first. */
export type LinesRequest = { before?: number | undefined; after?: number | undefined; limit: number }

export async function listLines(db: Db | Tx, swapId: number, request: LinesRequest): Promise<ChatLine[]> {
  const { before, after, limit } = request
  const isForward = after !== undefined
  return db
    .selectFrom('swap_messages')
    .selectAll()
    .where('swap_id', '=', swapId)
    .$if(before !== undefined, (lines) => lines.where('swap_message_id', '<', before!))
    .$if(isForward, (lines) => lines.where('swap_message_id', '>', after!))
    .orderBy('swap_message_id', isForward ? 'asc' : 'desc')
    .limit(limit)
    .execute()
}

export async function deleteUserSides(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    delete from chat_sides where swap_id in (
      select swap_id from swaps where requester_id = any(${userIds})
      union select swap_id from swaps where owner_id = any(${userIds}))`.execute(tx)
}
