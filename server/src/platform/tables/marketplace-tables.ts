import type { Generated, JSONColumnType } from 'kysely'
import type * as words from '../shared/words.ts'

export type ProductStatus = (typeof words.PRODUCT_STATUSES)[number]
export type Verification = (typeof words.VERIFICATIONS)[number]
export type Condition = (typeof words.CONDITIONS)[number]
export type ModerationAction = (typeof words.MODERATION_ACTIONS)[number]
export type ReportReason = (typeof words.REPORT_REASONS)[number]
export type ReportStatus = (typeof words.REPORT_STATUSES)[number]
export type MemberStatus = (typeof words.MEMBER_STATUSES)[number]
export type SwapStatus = (typeof words.SWAP_STATUSES)[number]
export type DisputeResolution = (typeof words.DISPUTE_RESOLUTIONS)[number]
export type SwapSide = (typeof words.SWAP_SIDES)[number]
export type SubscriptionStatus = (typeof words.SUBSCRIPTION_STATUSES)[number]
export type Store = (typeof words.STORES)[number]
export type Entity =
  'user' | 'product' | 'verification' | 'swap' | 'report' | 'subscription' | 'group_member' | 'group' | 'user_report'
export type ExportFormat = (typeof words.EXPORT_FORMATS)[number]
export type ActorKind = (typeof words.ACTOR_KINDS)[number]

type Tally = { basis: string; day: Date; origin: string; measure: string; quarters: number; n: number }
type Changing = { created_at: Date; updated_at: Date }

/** Of a product or a user. */
export type ReportColumns = Changing & {
  report_id: Generated<number>
  reporter_id: number | null
  details: string | null
  status: Generated<ReportStatus>
  assigned_to: number | null
  resolution_note: string | null
  resolved_by: number | null
  resolved_at: Date | null
  version: Generated<number>
}
type Versioned = { version: Generated<number> }

export type MarketplaceTables = {
  categories: Versioned & { category_id: Generated<number>; parent_id: number | null; slug: string; name: string }
  products: Changing & {
    product_id: Generated<number>
    user_id: number
    category_id: number
    title: string
    description: string
    condition: Condition
    images: JSONColumnType<string[]>
    estimated_value_cents: number | null
    currency: Generated<string>
    wants: string | null
    city: string | null
    status: Generated<ProductStatus>
    verification: Generated<Verification>
    submitted_at: Date
    verified_at: Date | null
    verified_by: number | null
    revision: Generated<number>
    hidden_at: Date | null
    /** Set by a rejection, until the product is verified. */
    rejected_at: Date | null
    version: Generated<number>
    deleted_at: Date | null
  }
  /** What others see of a product whose later revision waits. */
  kept_revisions: {
    product_id: number
    revision: number
    category_id: number
    title: string
    description: string
    images: JSONColumnType<string[]>
  }
  moderation_actions: {
    action_id: Generated<number>
    product_id: number
    action: ModerationAction
    reason_code: string | null
    user_message: string | null
    internal_note: string | null
    actor_id: number | null
    revision: number
    snapshot: JSONColumnType<Record<string, unknown>>
    message_id: number | null
    created_at: Date
  }
  product_reports: ReportColumns & {
    product_id: number
    reason: ReportReason
    resolution: (typeof words.REPORT_RESOLUTIONS)[number] | null
  }
  reported_products: {
    product_id: number
    open_count: number
    in_review_count: number
    actioned_count: number
    dismissed_count: number
    undecided_count: Generated<number>
    total_count: Generated<number>
    status: Generated<ReportStatus>
    first_reported_at: Date
    last_reported_at: Date
  }
  swaps: Changing & {
    swap_id: Generated<number>
    requester_id: number | null
    owner_id: number | null
    group_id: number | null
    origin: Generated<'request' | 'match'>
    status: Generated<SwapStatus>
    turn: Generated<SwapSide>
    round: Generated<number>
    note: string | null
    expires_at: Date
    responded_at: Date | null
    accepted_at: Date | null
    requester_confirmed_at: Date | null
    owner_confirmed_at: Date | null
    completed_at: Date | null
    closed_at: Date | null
    close_reason: string | null
    version: Generated<number>
  }
  swap_items: {
    swap_id: number
    product_id: number
    side: 'offered' | 'requested'
    is_held: Generated<boolean>
    asked_by: number | null
  }
  swap_rounds: {
    swap_id: number
    round: number
    proposed_by: SwapSide
    offered: number[]
    requested: number[]
    note: string | null
    created_at: Date
  }
  swap_messages: {
    swap_message_id: Generated<number>
    swap_id: number
    sender_id: number
    body: string
    read_at: Date | null
    created_at: Date
  }
  swap_disputes: {
    swap_id: number
    side: SwapSide | null
    reason: string | null
    opened_at: Date
    resolution: DisputeResolution | null
    note: string | null
    resolved_by: number | null
    resolved_at: Date | null
  }
  likes: { user_id: number; product_id: number; created_at: Date }
  matches: { first_user_id: number; second_user_id: number; created_at: Date }
  plans: Versioned & {
    plan_id: Generated<number>
    code: string
    name: string
    price_cents: number
    currency: string
    period: 'month' | 'year'
  }
  subscriptions: Changing & {
    subscription_id: Generated<number>
    user_id: number | null
    plan_id: number
    status: SubscriptionStatus
    provider: Store
    external_id: string
    current_period_end: Date
    started_at: Date
    cancelled_at: Date | null
    ended_at: Date | null
    /** When the store event that it follows happened. */
    store_event_at: Date | null
    version: Generated<number>
  }
  subscription_events: { provider: Store; event_id: string; subscription_id: number; received_at: Date }
  swap_tallies: Tally & { span: 'day' | 'month' }
  swap_tally_changes: Tally
  state_changes: {
    state_change_id: Generated<number>
    entity: Entity
    entity_id: number
    user_id: number | null
    from_state: string | null
    to_state: string
    actor: ActorKind
    actor_id: number | null
    note: string | null
    at: Date
  }
  exports: {
    export_id: Generated<number>
    format: ExportFormat
    columns: string[]
    filter: JSONColumnType<Record<string, unknown>>
    has_bom: boolean
    /** Whether the file hides addresses and phone numbers; null while it is not made. */
    masked: boolean | null
    status: Generated<'queued' | 'running' | 'done' | 'failed'>
    rows_expected: number | null
    bytes: Generated<number>
    sha256: string | null
    error: string | null
    requested_by: number
    requested_at: Date
    started_at: Date | null
    finished_at: Date | null
    expires_at: Date
    progress_at: Date | null
    attempts: Generated<number>
  }
  export_chunks: { export_id: number; seq: number; bytes: Buffer }
}
