import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import * as words from '../../platform/shared/words.ts'
import type { Decision as DecisionRow } from '../../marketplace/products/moderation.queries.ts'
import type { NamedReport } from '../../marketplace/reports/reports.queries.ts'
import type { DetailedProduct } from './products.ts'
import type { ProductRow } from './products-search.queries.ts'

export const Category = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Slug or id of a category; its subcategories are included.',
  }),
)

export const PRODUCT = {
  id: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  category: Type.Object({ id: Type.Integer(), slug: Type.String(), name: Type.String() }),
  condition: Type.Enum(words.CONDITIONS),
  images: Type.Array(Type.String()),
  estimated_value_cents: Nullable(Type.Integer()),
  currency: Type.String(),
  wants: Nullable(Type.String()),
  city: Nullable(Type.String()),
  status: Type.Enum(words.PRODUCT_STATUSES),
  verification: Type.Enum(words.VERIFICATIONS),
  owner: Type.Object({
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String(),
    status: Type.Enum(words.USER_STATUSES),
  }),
  open_reports: Type.Integer({ description: 'Reports that are not decided.' }),
  revision: Type.Integer({ description: 'Increases with each edit of the content that moderators check.' }),
  version: Type.Integer(),
  submitted_at: Timestamp,
  verified_at: Nullable(Timestamp),
  verified_by: Nullable(Type.Integer()),
  hidden_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
}

export const Product = Component('Product', PRODUCT)

export const Decision = Component('Decision', {
  action: Type.Enum(words.MODERATION_ACTIONS),
  reason_code: Nullable(Type.String()),
  message: Nullable(Type.String({ description: 'The text that the owner received.' })),
  note: Nullable(Type.String({ description: 'For administrators only.' })),
  by: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
  revision: Type.Integer(),
  at: Timestamp,
})

// A product has such states by its status and by its verification.
const State = Type.Enum([...words.PRODUCT_STATUSES, 'deleted', ...words.VERIFICATIONS])
type StateName = Static<typeof State>

const Change = Component('StateChange', {
  from: Type.Union([State, Type.Null()]),
  to: State,
  actor: Type.Enum(words.ACTOR_KINDS),
  actor_id: Nullable(Type.Integer()),
  note: Nullable(Type.String()),
  at: Timestamp,
})

const OpenReport = Component('OpenProductReport', {
  id: Type.Integer(),
  reporter: Nullable(Type.Object({ user_id: Type.Integer(), username: Type.String() })),
  reason: Type.Enum(words.REPORT_REASONS),
  details: Nullable(Type.String()),
  status: Type.Enum(words.UNDECIDED_REPORT),
  assigned_to: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
  version: Type.Integer(),
  created_at: Timestamp,
})

export const ProductDetails = Component('ProductDetails', {
  ...PRODUCT,
  swaps: Type.Object({ total: Type.Integer(), open: Type.Integer() }),
  reports: Type.Array(OpenReport, { description: 'The newest fifty undecided reports.' }),
  moderation: Type.Array(Decision, { description: 'The last fifty decisions, newest first.' }),
  history: Type.Object({ status: Type.Array(Change), verification: Type.Array(Change) }),
})

export function toProduct(row: ProductRow): Static<typeof Product> {
  return {
    ...pickFields(Product, row),
    id: row.product_id,
    category: { id: row.category_id, slug: row.category_slug, name: row.category_name },
    owner: { id: row.user_id, username: row.owner_username, name: row.owner_name, status: row.owner_status },
  }
}

export function toProductDetails(detailed: DetailedProduct): Static<typeof ProductDetails> {
  const { product, swaps, reports, decisions, history } = detailed
  return {
    ...toProduct(product),
    swaps,
    reports: reports.map((row) => ({ ...pickFields(OpenReport, row), ...toPeople(row), id: row.report_id })),
    moderation: decisions.map(toDecision),
    history: { status: history.status.map(toChange), verification: history.verification.map(toChange) },
  }
}

export function toDecision(decision: DecisionRow): Static<typeof Decision> {
  return {
    ...pickFields(Decision, decision),
    message: decision.user_message,
    note: decision.internal_note,
    by: decision.actor_id === null ? null : { user_id: decision.actor_id, name: decision.actor_name ?? '' },
    at: decision.created_at,
  }
}

function toChange(change: DetailedProduct['history']['status'][number]): Static<typeof Change> {
  const { from_state: from, to_state: to } = change
  return { ...pickFields(Change, change), from: from as StateName | null, to: to as StateName }
}

export function toPeople({ reporter_id, reporter_username, assigned_to, assignee_name }: NamedReport) {
  return {
    reporter: reporter_id === null ? null : { user_id: reporter_id, username: reporter_username ?? '' },
    assigned_to: assigned_to === null ? null : { user_id: assigned_to, name: assignee_name ?? '' },
  }
}
