import type { Condition, ProductStatus, Verification } from '../../platform/tables/marketplace-tables.ts'

/** The API's description lists them in this order. */
export const STATUSES = [
  'draft',
  'active',
  'reserved',
  'swapped',
  'paused',
  'removed',
] as const satisfies ProductStatus[]
export const VERIFICATIONS = ['pending', 'verified', 'rejected', 'changes_requested'] as const satisfies Verification[]
export const CONDITIONS = ['new', 'like_new', 'good', 'fair'] as const satisfies Condition[]
