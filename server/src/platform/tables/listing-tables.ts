import type { JSONColumnType } from 'kysely'
import type { Condition } from './marketplace-tables.ts'

/** What others see of products, and how lists find it (ADR 040). */
export type ListingTables = {
  /** What others see of a product whose later revision waits. */
  kept_revisions: {
    product_id: number
    revision: number
    category_id: number
    title: string
    description: string
    images: JSONColumnType<string[]>
  }
  /** Of each product what lists of the app filter and order by; kept by triggers (migration 0020). */
  listings: {
    product_id: number
    /** Null: it was never listed. */
    listing_id: number | null
    user_id: number
    category_id: number
    city: string | null
    condition: Condition
    is_listed: boolean
    like_count: number
    words: string
  }
}
