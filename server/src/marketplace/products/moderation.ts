import type { Db, Tx } from '../../platform/db/connect.ts'
import type { ActorKind, ModerationAction, Verification } from '../../platform/tables/marketplace-tables.ts'
import { errors } from '../../platform/shared/errors.ts'
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
import { deleteKeptRevision, insertKeptRevision } from './kept-revisions.queries.ts'
import { updateProductRow, type Product, type ProductChange } from './products.queries.ts'

/** Where a verification may go: to `pending` by the owner, elsewhere by a moderator (decisions C9, C10). */
export const VERIFICATION_MOVES: Readonly<Record<Verification, readonly Verification[]>> = {
  pending: ['verified', 'rejected', 'changes_requested'],
  verified: ['pending', 'rejected', 'changes_requested'],
  rejected: ['pending', 'verified'],
  changes_requested: ['pending', 'verified', 'rejected'],
}

/** The fields that moderators judge: an owner's edit of one needs a new verdict. */
export const CONTENT_FIELDS = ['title', 'description', 'category_id', 'images'] as const

export type VerificationChange = {
  to: Verification
  actor: ActorKind
  actorId: number | null
  note: string | null
  at: Date
  also?: ProductChange
}

/** The one function that changes a verification (decision C9); the caller holds the product locked. 409
 * INVALID_STATE when it cannot go there. */
export async function changeVerification(tx: Tx, product: Product, change: VerificationChange): Promise<Product> {
  if (!VERIFICATION_MOVES[product.verification].includes(change.to))
    throw errors.invalidState(
      `Product ${product.product_id} is ${product.verification} and cannot become ${change.to}.`,
    )
  const isVerified = change.to === 'verified'
  // It goes before the product itself, because its listing depends on what others see.
  if (isVerified || change.to === 'rejected') await deleteKeptRevision(tx, product.product_id)
  else if (isNewRevision(product, change)) await insertKeptRevision(tx, product.product_id)
  const changed = await updateProductRow(tx, product.product_id, {
    ...change.also,
    verification: change.to,
    verified_at: isVerified ? change.at : null,
    verified_by: isVerified ? change.actorId : null,
    ...(isVerified && { rejected_at: null }),
    ...(change.to === 'rejected' && { rejected_at: change.at }),
    updated_at: change.at,
  })
  const { product_id: entity_id, user_id, verification: from_state } = product
  const by = { actor: change.actor, actor_id: change.actorId, note: change.note, at: change.at }
  await recordStateChanges(tx, [{ entity: 'verification', entity_id, user_id, from_state, to_state: change.to, ...by }])
  return changed
}

function isNewRevision({ verification, revision }: Product, { also }: VerificationChange): boolean {
  return verification === 'verified' && also?.revision !== undefined && also.revision !== revision
}

/** Stores a decision with the product's content at that time. */
export async function recordDecision(
  tx: Tx,
  product: Product,
  decision: {
    action: ModerationAction
    actorId: number | null
    at: Date
    reasonCode?: string | null
    message?: string | null
    note?: string | null
    messageId?: number | null
  },
): Promise<void> {
  const { title, description, category_id, images, condition, wants, city, estimated_value_cents } = product
  await insertDecision(tx, {
    product_id: product.product_id,
    action: decision.action,
    reason_code: decision.reasonCode ?? null,
    user_message: decision.message ?? null,
    internal_note: decision.note ?? null,
    actor_id: decision.actorId,
    revision: product.revision,
    snapshot: { title, description, category_id, images, condition, wants, city, estimated_value_cents },
    message_id: decision.messageId ?? null,
    created_at: decision.at,
  })
}

/** Gives for each product the last decision and what was verified last. */
export async function standingOf(
  db: Db,
  productIds: number[],
): Promise<Map<number, { decision: Decision | undefined; verified: Record<string, unknown> | undefined }>> {
  const [decisions, snapshots] = await Promise.all([
    listLastDecisions(db, productIds),
    listVerifiedSnapshots(db, productIds),
  ])
  const [decisionOf, verifiedOf] = [
    new Map(decisions.map((decision) => [decision.product_id, decision])),
    new Map(snapshots.map(({ product_id, snapshot }) => [product_id, snapshot])),
  ]
  return new Map(productIds.map((id) => [id, { decision: decisionOf.get(id), verified: verifiedOf.get(id) }]))
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
  if (userIds.length === 0) return
  await forgetMessages(tx, await listDecisionMessages(tx, userIds))
  await emptyDecisionWords(tx, userIds)
}
