import type { Tx } from '../../platform/db/connect.ts'
import type { ListSource } from '../../platform/lists/search.queries.ts'
import type { Verification } from '../../platform/tables/marketplace-tables.ts'
import { fromNow, type Clock } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import type { Ground } from '../../platform/work/work.ts'
import { publish, type MarketplaceEvent } from '../../marketplace/events/publish.ts'
import { resolveReportsOf } from '../../marketplace/product-reports/outcomes.ts'
import { refuseHeldByOther } from '../desk/desk.ts'
import { detailedProduct, type DetailedProduct } from '../products/details.ts'
import { lockProduct } from '../../marketplace/products/lock.ts'
import type { Product } from '../../marketplace/products/products.queries.ts'
import { changedFields, changeVerification, recordDecision, standingOf } from '../../marketplace/products/moderation.ts'
import { listProducts, type ProductsWanted } from '../products/products.ts'
import type { ProductPage } from '../products/products-search.queries.ts'

type VerificationDeps = Ground

export const REASONS = [
  'prohibited_item',
  'counterfeit',
  'misleading',
  'unclear_photos',
  'incomplete_description',
  'wrong_category',
  'offensive',
  'duplicate',
  'unsafe',
  'other',
] as const

export type Waiting = Awaited<ReturnType<typeof listQueue>>['rows'][number]

export type Verdict = { productId: number; note: string | null } & (
  { to: 'verified' } | { to: 'rejected' | 'changes_requested'; reasonCode: (typeof REASONS)[number]; message: string }
) & {
    /** The record's versions, or the revision of what it says. */
    seen: { versions: Expected; revision: number | undefined }
  }

/** 422 for an unknown category (decision C10). */
export async function listQueue(
  deps: ListSource & { clock: Clock },
  wanted: Omit<ProductsWanted, 'deleted' | 'isWaiting'>,
  page: ProductPage,
) {
  const waiting = { ...wanted, deleted: 'exclude', isWaiting: true } as const
  const { rows: products, ...found } = await listProducts(deps, waiting, page)
  const ids = products.map((product) => product.product_id)
  const standing = await standingOf(deps.db, ids)
  const rows = products.map((product) => {
    const { decision, verified } = standing.get(product.product_id) ?? {}
    const waitedMs = Math.max(0, deps.clock.now() - product.submitted_at.getTime())
    return { product, waitedMs, decision, verified, changed: changedFields(product, verified) }
  })
  return { rows, ...found }
}

const ACTIONS = { verified: 'verify', rejected: 'reject', changes_requested: 'request_changes' } as const

/** A rejection also ends the product's undecided reports; verifying again changes nothing (decision C10). 409
 * INVALID_STATE when it cannot be judged, 409 CONFLICT while another moderator looks at it, 412 with the product
 * when the moderator saw another. */
export async function decideVerification(
  deps: VerificationDeps,
  tx: Tx,
  actor: Actor,
  verdict: Verdict,
): Promise<DetailedProduct> {
  const { productId, to, note } = verdict
  const product = await lockProduct(tx, productId)
  refuseUnjudgeable(product)
  await refuseHeldByOther(deps, tx, { desk: 'verification', productId }, actor)
  if (product.verification !== 'verified' || to !== 'verified') {
    await refuseUnseen(tx, product, verdict.seen)
    const at = fromNow(deps.clock)
    const reasonCode = to === 'verified' ? null : verdict.reasonCode
    const message = to === 'verified' ? null : verdict.message
    const by = { actorId: actor.userId, at }
    const changed = await changeVerification(tx, product, { to, actor: 'administrator', note: reasonCode, ...by })
    if (to === 'rejected') await resolveReportsOf(deps, tx, productId, { resolution: 'rejected', note, ...by })
    const messageId = await tellOwner(deps, tx, product.user_id, verdict)
    const decision = { action: ACTIONS[to], ...by, reasonCode, message, note, messageId }
    await recordDecision(tx, changed, decision)
    await recordVerdict(deps, tx, actor, product, verdict)
  }
  return detailedProduct(tx, productId)
}

function refuseUnjudgeable({ product_id, status }: Product): void {
  if (status === 'draft' || status === 'swapped' || status === 'removed')
    throw errors.invalidState(`Product ${product_id} is ${status}, so no decision is possible.`)
}

async function refuseUnseen(tx: Tx, product: Product, seen: Verdict['seen']): Promise<void> {
  const isSeen =
    isExpected(seen.versions, product.version) && (seen.revision === undefined || seen.revision === product.revision)
  if (!isSeen) throw errors.staleVersion(await detailedProduct(tx, product.product_id))
}

/** The owner reads the moderator's words where there are any (spec: system notification). Gives the message's id. */
async function tellOwner(deps: VerificationDeps, tx: Tx, ownerId: number, verdict: Verdict): Promise<number | null> {
  const { productId } = verdict
  const event: MarketplaceEvent =
    verdict.to === 'verified'
      ? { name: 'product.verified', facts: { productId }, by: null, told: [ownerId] }
      : { name: 'product.refused', facts: verdict, by: null, told: [ownerId] }
  const [messageId = null] = await publish(deps, tx, [event])
  return messageId
}

function recordVerdict(
  deps: VerificationDeps,
  tx: Tx,
  actor: Actor,
  before: { product_id: number; user_id: number; verification: Verification },
  { to, note, ...verdict }: Verdict,
): Promise<void> {
  const words = 'reasonCode' in verdict ? { reason_code: verdict.reasonCode, message: verdict.message } : {}
  return recordAudit(tx, deps, actor, {
    action: `product.${ACTIONS[to]}`,
    entity: 'product',
    entityId: before.product_id,
    change: {
      before: { verification: before.verification },
      after: { verification: to, ...words, ...(note !== null && { note }) },
      subjectId: before.user_id,
    },
  })
}
