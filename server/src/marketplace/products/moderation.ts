import type { Db, Tx } from '../../platform/db/connect.ts'
import type { ActorKind, ModerationAction, Verification } from '../../platform/tables/marketplace-tables.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { forgetMessages } from '../../push/messages/control.ts'
import { recordStateChanges } from '../history/history.ts'
import {
  emptyDecisionWords,
  insertDecision,
  listDecisionMessages,
  listLastDecisions,
  listVerifiedSnapshots,
  type Decision,
} from './moderation.queries.ts'
import {
  deleteKeptRevision,
  insertKeptRevision,
  updateProductRow,
  type Product,
  type ProductChange,
  hasCategory,
} from './products.queries.ts'

/** Where a verification may go: to `pending` by the owner, elsewhere by a moderator (decisions C9, C10). */
export const VERIFICATION_MOVES: Readonly<Record<Verification, readonly Verification[]>> = {
  pending: ['verified', 'rejected', 'changes_requested'],
  verified: ['pending', 'rejected', 'changes_requested'],
  rejected: ['pending', 'verified'],
  changes_requested: ['pending', 'verified', 'rejected'],
}

/** The fields that moderators judge: an owner's edit of one needs a new verdict. */
const CONTENT_FIELDS = ['title', 'description', 'category_id', 'images'] as const

type VerificationChange = {
  product: Product
  to: Verification
  actor: ActorKind
  note?: string | null
  also?: ProductChange
}

/** The one function that changes a verification (decision C9); the caller holds the product locked. 409
 * INVALID_STATE when it cannot go there. */
export async function changeVerification(work: Work, change: VerificationChange): Promise<Product> {
  const { product, to, actor, note = null, also } = change
  const { product_id: productId, verification: from, user_id } = product
  if (!VERIFICATION_MOVES[from].includes(to))
    throw errors.invalidState(`Product ${productId} is ${from} and cannot become ${to}.`)
  const at = work.now()
  const isVerified = to === 'verified'
  // It goes before the product itself, because its listing depends on what others see.
  if (isVerified || to === 'rejected') await deleteKeptRevision(work.tx, productId)
  else if (from === 'verified' && (also?.revision ?? product.revision) !== product.revision)
    await insertKeptRevision(work.tx, productId)
  const changed = await updateProductRow(work.tx, productId, {
    ...also,
    verification: to,
    verified_at: isVerified ? at : null,
    verified_by: isVerified ? work.by.userId : null,
    ...(isVerified && { rejected_at: null }),
    ...(to === 'rejected' && { rejected_at: at }),
    updated_at: at,
  })
  const record = { entity: 'verification', entity_id: productId, user_id, from_state: from, to_state: to } as const
  await recordStateChanges(work, [{ ...record, actor, note }])
  return changed
}

/** Stores a decision with the product's content at that time. */
export async function recordDecision(
  work: Work,
  decision: {
    product: Product
    action: ModerationAction
    reasonCode?: string | null
    message?: string | null
    note?: string | null
    messageId?: number | null
  },
): Promise<void> {
  const { product, action, reasonCode = null, message = null, note = null, messageId = null } = decision
  await insertDecision(work.tx, {
    product_id: product.product_id,
    action,
    reason_code: reasonCode,
    user_message: message,
    internal_note: note,
    actor_id: work.by.userId,
    revision: product.revision,
    snapshot: Object.fromEntries(EDITABLE.map((name) => [name, product[name]])),
    message_id: messageId,
    created_at: work.now(),
  })
}

/** Gives for each product the last decision and what was verified last. */
export async function findStanding(
  db: Db,
  productIds: number[],
): Promise<Map<number, { decision: Decision | undefined; verified: Record<string, unknown> | undefined }>> {
  const [decisions, snapshots] = await Promise.all([
    listLastDecisions(db, productIds),
    listVerifiedSnapshots(db, productIds),
  ])
  const verified = new Map(snapshots.map(({ product_id, snapshot }) => [product_id, snapshot]))
  const decided = new Map(decisions.map((decision) => [decision.product_id, decision]))
  return new Map(productIds.map((id) => [id, { decision: decided.get(id), verified: verified.get(id) }]))
}

/** The fields that differ from the verified revision; none when the product was never verified. */
export function changedFields(
  now: Pick<Product, (typeof CONTENT_FIELDS)[number]>,
  verified: Record<string, unknown> | undefined,
): (typeof CONTENT_FIELDS)[number][] {
  if (verified === undefined) return []
  return CONTENT_FIELDS.filter((field) => JSON.stringify(now[field]) !== JSON.stringify(verified[field]))
}

/** Empties the messages to people who are purged; before their products go (decision C7). */
export async function forgetInModeration(tx: Tx, userIds: number[]): Promise<void> {
  await forgetMessages(tx, await listDecisionMessages(tx, userIds))
  await emptyDecisionWords(tx, userIds)
}

const EDITABLE = [...CONTENT_FIELDS, 'condition', 'wants', 'city', 'estimated_value_cents'] as const
type Editable = (typeof EDITABLE)[number]

export type ProductContent = Pick<Product, Editable>
export type ProductEdit = Partial<ProductContent & Pick<Product, 'status'>>

export function differing(product: Product, edit: Partial<ProductContent>): Editable[] {
  return (Object.keys(edit) as Editable[]).filter(
    (name) => edit[name] !== undefined && JSON.stringify(edit[name]) !== JSON.stringify(product[name]),
  )
}

export function nextRevision({ revision }: Product, changed: readonly string[]): { revision?: number } {
  return CONTENT_FIELDS.some((field) => changed.includes(field)) ? { revision: revision + 1 } : {}
}

/** 422 when there is no such category. */
export async function refuseUnknownCategory(tx: Tx, categoryId: number | undefined): Promise<void> {
  if (categoryId !== undefined && !(await hasCategory(tx, categoryId)))
    throw errors.validation({ category_id: ['no such category'] })
}
