import { Type } from 'typebox'
import { Nullable, Timestamp } from '../../platform/http/envelope.ts'

export const STATUSES = ['draft', 'active', 'reserved', 'swapped', 'paused', 'removed'] as const
export const VERIFICATIONS = ['pending', 'verified', 'rejected', 'changes_requested'] as const
export const CONDITIONS = ['new', 'like_new', 'good', 'fair'] as const

/** The parameter by which products of a category are chosen. */
export const Category = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Slug or id of a category; its subcategories are included.',
  }),
)

const PRODUCT = {
  id: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  category: Type.Object({ id: Type.Integer(), slug: Type.String(), name: Type.String() }),
  condition: Type.Enum([...CONDITIONS]),
  images: Type.Array(Type.String()),
  estimated_value_cents: Nullable(Type.Integer()),
  currency: Type.String(),
  wants: Nullable(Type.String()),
  city: Nullable(Type.String()),
  status: Type.Enum([...STATUSES]),
  verification: Type.Enum([...VERIFICATIONS]),
  owner: Type.Object({
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String(),
    status: Type.String(),
  }),
  open_reports: Type.Integer({ description: 'Reports that are not decided.' }),
  revision: Type.Integer({ description: 'Counts the edits of the content that moderators check.' }),
  version: Type.Integer(),
  submitted_at: Timestamp,
  verified_at: Nullable(Timestamp),
  verified_by: Nullable(Type.Integer()),
  hidden_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
}

/** A product as lists show it (decision C9). */
export const Product = Type.Object(PRODUCT)

const Decision = Type.Object({
  action: Type.Enum(['verify', 'reject', 'request_changes', 'remove', 'restore']),
  reason_code: Nullable(Type.String()),
  message: Nullable(Type.String({ description: 'The text that the owner received.' })),
  note: Nullable(Type.String({ description: 'For administrators only.' })),
  by: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
  revision: Type.Integer(),
  at: Timestamp,
})

const Change = Type.Object({
  from: Nullable(Type.String()),
  to: Type.String(),
  actor: Type.Enum(['user', 'administrator', 'system']),
  actor_id: Nullable(Type.Integer()),
  note: Nullable(Type.String()),
  at: Timestamp,
})

/** An undecided report, as far as the product's page shows it. */
const OpenReport = Type.Object({
  id: Type.Integer(),
  reporter: Nullable(Type.Object({ user_id: Type.Integer(), username: Type.String() })),
  reason: Type.String(),
  details: Nullable(Type.String()),
  status: Type.Enum(['open', 'in_review']),
  assigned_to: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
  version: Type.Integer(),
  created_at: Timestamp,
})

/** A product in detail. */
export const ProductDetails = Type.Object({
  ...PRODUCT,
  swaps: Type.Object({ total: Type.Integer(), open: Type.Integer() }),
  reports: Type.Array(OpenReport, { description: 'The newest fifty undecided reports.' }),
  moderation: Type.Array(Decision, { description: 'The last fifty decisions, newest first.' }),
  history: Type.Object({ status: Type.Array(Change), verification: Type.Array(Change) }),
})

/** A product that waits for verification (decision C10). */
export const WaitingProduct = Type.Object({
  ...PRODUCT,
  waiting_seconds: Type.Integer(),
  previous_decision: Nullable(Decision),
  changed_fields: Type.Array(Type.Enum(['title', 'description', 'category_id', 'images']), {
    description: 'Fields that differ from the last verified version.',
  }),
  last_verified: Nullable(
    Type.Object({}, { additionalProperties: true, description: 'The content of the last verified version.' }),
  ),
})
