import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { toMicros } from '../../platform/db/clock.ts'
import { joinWithAnd, type RowCondition } from '../../platform/lists/list-rows.ts'
import type { SwapSide } from '../../platform/tables/marketplace-tables.ts'
import { notBlocked, selectVisiblePerson } from '../../identity/blocks/hidden.queries.ts'
import type { PersonRow } from '../../platform/people/person.ts'
import { SWAP_SIDES } from '../../platform/shared/words.ts'
import type { Product } from '../products/products.queries.ts'
import { IS_OPEN, PROPOSED, type Swap } from './swaps.queries.ts'

type Bundle = { count: number; title: string | null; image_url: string | null }

type Unread =
  'requester_id' | 'owner_id' | 'note' | 'responded_at' | 'accepted_at' | 'completed_at' | 'closed_at' | 'close_reason'

/** `side`: the caller's. `other`: null once the account is gone or has blocked the caller. */
export type EntryRow = Omit<Swap, Unread> & {
  side: SwapSide
  other: PersonRow | null
  is_blocked: boolean
  offered: Bundle
  requested: Bundle
  last_message: { id: number; text: string; sender_id: number; created_at: string } | null
  unread: number
  /** The last move or line was made then, in microseconds since the epoch. */
  active_micros: number
}

export type SwapListRequest = {
  state?: 'open' | 'waiting_for_me' | 'done' | undefined
  /** If it is true, only swaps with lines that the person has not read are listed. */
  isUnread?: boolean | undefined
  activeSince?: Date | undefined
  by: 'created' | 'activity'
  /** The keys of the last row of the page before: its id, after its microseconds in the order by activity. */
  after?: readonly number[] | undefined
  limit: number
}

const LAST_TEXT = 200
const MOST_ROUNDS = 50

export async function listEntries(db: Db, userId: number, request: SwapListRequest): Promise<EntryRow[]> {
  const parts = SWAP_SIDES.map((side) => selectChosen(side, userId, request))
  const order = request.by === 'created' ? sql`swap_id desc` : sql`active_micros desc, swap_id desc`
  const chosen = sql`
    select swap_id from (${sql.join(parts, sql` union all `)}) mine order by ${order} limit ${request.limit}`
  const { rows } = await sql<EntryRow>`select * from (${entries(chosen, userId)}) entries order by ${order}`.execute(db)
  return rows
}

export async function findEntry(db: Db | Tx, userId: number, swapId: number): Promise<EntryRow | undefined> {
  const chosen = sql`select swap_id from swaps where swap_id = ${swapId} and ${userId}::bigint in (requester_id,
    owner_id)`
  const { rows } = await entries(chosen, userId).execute(db)
  return rows[0]
}

/** The order by activity looks at all swaps of the person: an index in that order would make each line write the
 * swap. */
function selectChosen(side: SwapSide, userId: number, request: SwapListRequest): RawBuilder<unknown> {
  const { by, after, limit } = request
  const own = sql`
    swaps s where s.${sql.ref(`${side}_id`)} = ${userId} and ${joinWithAnd(toConditions(side, userId, request))}`
  const swapId = after?.at(-1) ?? Number.MAX_SAFE_INTEGER
  if (by === 'created')
    return sql`(select s.swap_id from ${own} and s.swap_id < ${swapId} order by s.swap_id desc limit ${limit})`
  const [micros = Number.MAX_SAFE_INTEGER] = after ?? []
  return sql`(
    select swap_id, active_micros from (select s.swap_id, ${ACTIVE_MICROS} as active_micros from ${own}) own
    where (active_micros, swap_id) < (${micros}::bigint, ${swapId}::bigint)
    order by active_micros desc, swap_id desc limit ${limit})`
}

const ACTIVE_AT = sql`greatest(s.updated_at, (
  select l.created_at from swap_messages l where l.swap_id = s.swap_id order by l.swap_message_id desc limit 1))`
const ACTIVE_MICROS = toMicros(ACTIVE_AT)

function toConditions(
  side: SwapSide,
  userId: number,
  { state, isUnread, activeSince }: SwapListRequest,
): RowCondition[] {
  const unread = sql`exists (
    select from chat_sides c where c.swap_id = s.swap_id and c.user_id = ${userId} and c.unread > 0)`
  return [
    toCondition(side, state),
    isUnread === true && unread,
    activeSince && sql`${ACTIVE_AT} >= ${activeSince}::timestamptz`,
  ]
}

function toCondition(side: SwapSide, state: SwapListRequest['state']): RawBuilder<unknown> {
  if (state === undefined) return sql`true`
  if (state === 'open') return IS_OPEN
  if (state === 'done') return sql`not ${IS_OPEN}`
  const other = side === 'owner' ? 'requester' : 'owner'
  return sql`${IS_OPEN} and (s.status in ${PROPOSED} and s.turn = ${side} or s.status = 'accepted'
    and s.${sql.ref(`${side}_confirmed_at`)} is null and s.${sql.ref(`${other}_confirmed_at`)} is not null)`
}

function entries(chosen: RawBuilder<unknown>, userId: number): RawBuilder<EntryRow> {
  return sql<EntryRow>`
    select s.swap_id, s.status, s.origin, s.group_id, s.turn, s.round, s.expires_at, s.requester_confirmed_at,
      s.owner_confirmed_at,
      s.created_at, s.updated_at, s.version, me.side,
      ${selectVisiblePerson(userId, 'o')} as other,
      not ${notBlocked(userId, sql`o.user_id`)} as is_blocked,
      ${bundle('offered')} as offered, ${bundle('requested')} as requested,
      (select json_build_object('id', m.swap_message_id, 'text', left(m.body, ${LAST_TEXT}), 'sender_id', m.sender_id,
        'created_at', m.created_at)
        from swap_messages m where m.swap_id = s.swap_id order by m.swap_message_id desc limit 1) as last_message,
      coalesce(c.unread, 0) as unread, ${ACTIVE_MICROS} as active_micros
    from (${chosen}) chosen
    join swaps s on s.swap_id = chosen.swap_id
    cross join lateral (select case when s.requester_id = ${userId} then 'requester' else 'owner' end as side,
      case when s.requester_id = ${userId} then s.owner_id else s.requester_id end as other_id) me
    left join users o on o.user_id = me.other_id and o.deleted_at is null
    left join chat_sides c on c.swap_id = s.swap_id and c.user_id = ${userId}`
}

/** Its first product is the one listed first. Products are shown as others see them: in the verified revision, and
 * without an image when they are off the market or rejected. */
function bundle(side: 'offered' | 'requested'): RawBuilder<Bundle> {
  return sql<Bundle>`(
    select json_build_object('count', count(*), 'title',
      (array_agg(coalesce(k.title, p.title) order by p.product_id))[1],
      'image_url', (array_agg(${IMAGE} order by p.product_id))[1])
    from ${PRODUCTS} where i.swap_id = s.swap_id and i.side = ${side})`
}

const PRODUCTS = sql`swap_items i join products p using (product_id) left join kept_revisions k using (product_id)`
const IMAGE = sql`
  case when p.deleted_at is null and p.hidden_at is null and p.status <> 'removed' and p.verification <> 'rejected'
    and p.rejected_at is null
    then coalesce(k.images, p.images) ->> 0 end`

export type ItemRow = Pick<Product, 'product_id' | 'title' | 'status'> & {
  side: 'offered' | 'requested'
  image_url: string | null
}

export type RoundRow = Awaited<ReturnType<typeof listRounds>>[number]

/** `note`: of the administrator who resolved it, for administrators. */
export type DisputeRow = NonNullable<Awaited<ReturnType<typeof findDispute>>>

export async function listItems(db: Db, swapId: number): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select p.product_id, i.side, coalesce(k.title, p.title) as title, ${IMAGE} as image_url, p.status
    from ${PRODUCTS} where i.swap_id = ${swapId} order by i.side, p.product_id`.execute(db)
  return rows
}

export function listRounds(db: Db | Tx, swapId: number) {
  return db
    .selectFrom('swap_rounds')
    .select(['round', 'proposed_by', 'offered', 'requested', 'note', 'created_at'])
    .where('swap_id', '=', swapId)
    .orderBy('round', 'desc')
    .limit(MOST_ROUNDS)
    .execute()
}

export function findDispute(db: Db | Tx, swapId: number) {
  return db
    .selectFrom('swap_disputes')
    .select(['side', 'reason', 'opened_at', 'resolution', 'note', 'resolved_by', 'resolved_at'])
    .where('swap_id', '=', swapId)
    .executeTakeFirst()
}

/** True when the owner is somebody with whom the person never agreed on a swap. */
export async function isOfStranger(db: Db, userId: number, productId: number): Promise<boolean> {
  const { rows } = await sql`
    select from products p where p.product_id = ${productId} and p.user_id <> ${userId} and not exists (
      select from swaps s where s.accepted_at is not null
        and least(s.requester_id, s.owner_id) = least(p.user_id, ${userId})
        and greatest(s.requester_id, s.owner_id) = greatest(p.user_id, ${userId}))`.execute(db)
  return rows.length > 0
}
