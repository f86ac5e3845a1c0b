import { sql, type RawBuilder } from 'kysely'
import type { ListPage, Order, RowCondition } from '../../platform/lists/list-rows.ts'
import type { SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Swap } from '../../marketplace/swaps/swaps.queries.ts'
import { defineList } from '../../platform/lists/define-list.queries.ts'

// Each is the first column of an index whose second is the id; a swap without this time sorts as the oldest.
const ORDERS = {
  created: { keys: [sql`s.created_at`] },
  accepted: { keys: [sql`coalesce(s.accepted_at, '-infinity'::timestamptz)`] },
  completed: { keys: [sql`coalesce(s.completed_at, '-infinity'::timestamptz)`] },
  id: { keys: [sql`s.swap_id`], isUnique: true },
} satisfies Record<string, Order>

export type SwapFilter = {
  /** Only `created` works without a range, because not all swaps have the other times. */
  basis: 'created' | 'accepted' | 'completed'
  from?: Date | undefined
  to?: Date | undefined
  statuses?: SwapStatus[] | undefined
  origin?: Swap['origin'] | undefined
  userId?: number | undefined
  peopleIds?: number[] | undefined
  productId?: number | undefined
  groupId?: number | undefined
}

export type SwapPage = ListPage<keyof typeof ORDERS>

type Unread = 'requester_id' | 'owner_id' | 'round' | 'note' | 'requester_confirmed_at' | 'owner_confirmed_at'

export type SwapRow = Omit<Swap, Unread> & {
  requester: Person | null
  owner: Person | null
  items: { product_id: number; title: string; side: 'offered' | 'requested' }[]
  rounds: number
}

export type Person = { id: number; username: string; name: string }

/** Null once the account is purged. */
export function selectPerson(user: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${user}.user_id is not null
    then json_build_object('id', ${user}.user_id, 'username', ${user}.username, 'name', ${user}.name) end`
}

export const swapReport = defineList<SwapFilter, SwapPage['by'], SwapRow>(
  { table: 'swaps', alias: 's', id: 'swap_id', orders: ORDERS, toConditions },
  (chosen, order) => sql`
    select s.swap_id, s.status, s.origin, s.turn, s.group_id,
      ${selectPerson(sql`requester`)} as requester, ${selectPerson(sql`owner`)} as owner,
      coalesce(i.items, '[]') as items, s.round as rounds, s.close_reason, s.created_at, s.responded_at, s.accepted_at,
      s.completed_at, s.closed_at, s.expires_at, s.updated_at, s.version
    from (${chosen}) chosen
    join swaps s on s.swap_id = chosen.swap_id
    left join users requester on requester.user_id = s.requester_id
    left join users owner on owner.user_id = s.owner_id
    left join lateral (
      select json_agg(json_build_object('product_id', p.product_id, 'title', p.title, 'side', item.side)
        order by item.side, p.product_id) as items
      from swap_items item join products p on p.product_id = item.product_id where item.swap_id = s.swap_id) i on true
    order by ${order}`,
)

export function toConditions(filter: SwapFilter): RowCondition[] {
  const { basis, from, to, statuses, origin, userId, peopleIds, productId, groupId } = filter
  const [moment] = ORDERS[basis].keys
  return [
    from && sql`${moment} >= ${from}`,
    to && sql`${moment} < ${to} and s.${sql.ref(`${basis}_at`)} is not null`,
    statuses && sql`s.status = any(${statuses})`,
    origin && sql`s.origin = ${origin}`,
    groupId !== undefined && sql`s.group_id = ${groupId}`,
    userId !== undefined && sql`s.swap_id in (${selectSwaps([userId])})`,
    peopleIds && sql`s.swap_id in (${selectSwaps(peopleIds)})`,
    productId !== undefined && sql`s.swap_id in (select swap_id from swap_items where product_id = ${productId})`,
  ]
}

function selectSwaps(people: number[]): RawBuilder<unknown> {
  return sql`select swap_id from swaps where requester_id = any(${people})
    union all select swap_id from swaps where owner_id = any(${people})`
}
