import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import { OPEN_SWAP } from '../../platform/shared/words.ts'
import type { PersonRow } from '../../platform/people/person.ts'
import type { SwapSide } from '../../platform/tables/marketplace-tables.ts'
import type { Decision } from '../products/moderation.queries.ts'
import type { Product } from '../products/products.queries.ts'
import { isVisible } from '../products/visible.queries.ts'
import type { Swap } from '../swaps/swaps.queries.ts'
import type { FactsRow } from '../swaps/transitions.ts'
import { notBlocked } from '../../identity/blocks/hidden.queries.ts'

export type Content = { title: string; description: string; images: string[]; category: CategoryRow }
type CategoryRow = { id: number; slug: string; name: string }

type Columns = 'product_id' | 'condition' | 'wants' | 'estimated_value_cents' | 'currency' | 'status' | 'verification'

export type PageRow = Pick<Product, Columns | 'revision' | 'version' | 'submitted_at' | 'created_at' | 'updated_at'> & {
  product_city: string | null
  content: Content
  /** The revision that others see while a later one waits. */
  kept: (Content & { revision: number }) | null
  like_count: number
  is_listed: boolean
  is_liked: boolean
  is_requested: boolean
} & PersonRow

export async function findPage(db: Db | Tx, viewerId: number, productId: number): Promise<PageRow | undefined> {
  const { rows } = await sql<PageRow>`
    select p.product_id, p.condition, p.wants, p.city as product_city, p.estimated_value_cents, p.currency, p.status,
      p.verification,
      p.revision, p.version, p.submitted_at, p.created_at, p.updated_at,
      jsonb_build_object('title', p.title, 'description', p.description, 'images', p.images,
        'category', jsonb_build_object('id', c.category_id, 'slug', c.slug, 'name', c.name)) as content,
      case when k.product_id is not null then jsonb_build_object('title', k.title, 'description', k.description,
        'images', k.images, 'revision', k.revision,
        'category', jsonb_build_object('id', kc.category_id, 'slug', kc.slug, 'name', kc.name)) end as kept,
      l.like_count, l.is_listed,
      exists (select from likes where likes.user_id = ${viewerId} and likes.product_id = p.product_id) as is_liked,
      exists (select from swap_items i where i.asked_by = ${viewerId} and i.product_id = p.product_id) as is_requested,
      u.user_id, u.username, u.name, u.avatar_url, u.city
    from products p
    join listings l on l.product_id = p.product_id
    join categories c on c.category_id = p.category_id
    join users u on u.user_id = p.user_id
    left join kept_revisions k on k.product_id = p.product_id
    left join categories kc on kc.category_id = k.category_id
    where p.product_id = ${productId} and p.deleted_at is null
      and (p.user_id = ${viewerId} or ${isVisible('p')} and ${notBlocked(viewerId, sql`p.user_id`)})`.execute(db)
  return rows[0]
}

export type SwapOfProduct = Pick<Swap, 'swap_id' | 'updated_at'> & FactsRow & { viewer_side: SwapSide }

export async function listOpenSwapsWith(
  db: Db | Tx,
  { viewerId, productId, limit }: { viewerId: number; productId: number; limit: number },
): Promise<SwapOfProduct[]> {
  const { rows } = await sql<SwapOfProduct>`
    select s.swap_id, s.status, s.turn, s.requester_confirmed_at, s.owner_confirmed_at, s.updated_at,
      case when s.requester_id = ${viewerId} then 'requester' else 'owner' end as viewer_side
    from swap_items i join swaps s using (swap_id)
    where i.product_id = ${productId} and ${viewerId} in (s.requester_id, s.owner_id)
      and s.status in ${sql.raw(wordsIn(OPEN_SWAP))}
    order by s.swap_id desc limit ${limit}`.execute(db)
  return rows
}

export type OwnersDecision = Pick<Decision, 'action' | 'reason_code' | 'revision'> & {
  message: string | null
  at: Date
}

export async function findLastDecision(db: Db | Tx, productId: number): Promise<OwnersDecision | undefined> {
  const { rows } = await sql<OwnersDecision>`
    select action, reason_code, user_message as message, revision, created_at as at from moderation_actions
    where product_id = ${productId} order by action_id desc limit 1`.execute(db)
  return rows[0]
}

export type PublicRow = PersonRow & { created_at: Date; products: number; completed_swaps: number }

export async function findPublicPage(db: Db, viewerId: number, userId: number): Promise<PublicRow | undefined> {
  const { rows } = await sql<PublicRow>`
    select u.user_id, u.username, u.name, u.avatar_url, u.city, u.created_at,
      (select count(*) from listings l where l.user_id = u.user_id and l.is_listed) as products,
      (select count(*) from swaps s where s.requester_id = u.user_id and s.status = 'completed')
        + (select count(*) from swaps s where s.owner_id = u.user_id and s.status = 'completed') as completed_swaps
    from users u
    where u.user_id = ${userId} and u.status = 'active' and u.deleted_at is null
      and ${notBlocked(viewerId, sql`u.user_id`)}`.execute(db)
  return rows[0]
}
