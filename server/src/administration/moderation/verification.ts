import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Verification } from '../../platform/db/marketplace-tables.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fromNow, type Clock } from '../../platform/shared/clock.ts'
import { deepLink } from '../../platform/shared/deep-links.ts'
import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { sendToUsersIn, type DirectSend } from '../../push/messages/messages.ts'
import { resolveReportsOf } from '../../marketplace/product-reports/outcomes.ts'
import { lockProduct, productDetails, toDecision, type ProductDetails } from '../products/details.ts'
import { changedFields, changeVerification, recordDecision, standingOf } from '../../marketplace/products/moderation.ts'
import { listProducts, type ProductsWanted } from '../products/products.ts'
import type { ProductPage } from '../products/products-search.queries.ts'

type VerificationDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'provider' | 'auditKeys'>

/** Why a product cannot stay as it is; the owner is told. */
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

export type Verdict = { productId: number; note: string | null } & (
  { to: 'verified' } | { to: 'rejected' | 'changes_requested'; reasonCode: (typeof REASONS)[number]; message: string }
) & {
    /** What the moderator has seen: the record's versions, or the revision of what it says. */
    seen: { versions: Expected; revision: number | undefined }
  }

/** A page of the products that wait for verification (decision C10). 422 on a category that there is not. */
export async function listQueue(
  { db, clock }: { db: Db; clock: Clock },
  wanted: Omit<ProductsWanted, 'deleted' | 'isWaiting'>,
  page: ProductPage,
) {
  const { rows: products, ...found } = await listProducts(db, { ...wanted, deleted: 'exclude', isWaiting: true }, page)
  const standing = await standingOf(
    db,
    products.map(({ id }) => id),
  )
  const rows = products.map((product) => {
    const { decision, verified } = standing.get(product.id) ?? {}
    const waitedMs = clock.now() - Date.parse(product.submitted_at)
    return {
      ...product,
      waiting_seconds: Math.max(0, Math.floor(waitedMs / 1_000)),
      previous_decision: decision ? toDecision(decision) : null,
      changed_fields: changedFields({ ...product, category_id: product.category.id }, verified),
      last_verified: verified ?? null,
    }
  })
  return { rows, ...found }
}

const ACTIONS = { verified: 'verify', rejected: 'reject', changes_requested: 'request_changes' } as const

/**
 * Decides on the verification of a product (decision C10): the verdict, what the owner is told of it and the events, in one
 * transaction. A rejection also ends the product's undecided reports. To verify what is verified changes nothing. 404 when the
 * product is not there, 409 INVALID_STATE when it cannot be judged or has this verdict already, 412 with the product when it
 * is not as the moderator saw it. `also` runs in the transaction.
 */
export async function decideVerification(
  deps: VerificationDeps,
  actor: Actor,
  verdict: Verdict,
  also?: (tx: Tx, product: ProductDetails) => Promise<void>,
): Promise<ProductDetails> {
  return inTransaction(deps.db, async (tx) => {
    const { productId, to, note } = verdict
    const product = await lockProduct(tx, productId, undefined)
    refuseUnjudgeable(product)
    if (product.verification !== 'verified' || to !== 'verified') {
      await refuseUnseen(tx, product, verdict.seen)
      const at = fromNow(deps.clock)
      const reasonCode = to === 'verified' ? null : verdict.reasonCode
      const message = to === 'verified' ? null : verdict.message
      const judged = await changeVerification(tx, product, {
        to,
        actor: 'administrator',
        actorId: actor.userId,
        note: reasonCode,
        at,
      })
      if (to === 'rejected')
        await resolveReportsOf(deps, tx, productId, { resolution: 'rejected', note, actorId: actor.userId, at })
      const messageId = await tellOwner(deps, tx, product.user_id, verdict)
      const decision = { action: ACTIONS[to], actorId: actor.userId, at, reasonCode, message, note, messageId }
      await recordDecision(tx, judged, decision)
    }
    const details = await productDetails(tx, productId)
    await also?.(tx, details)
    if (details.verification !== product.verification) await recordVerdict(deps, tx, actor, product, verdict)
    return details
  })
}

type Judged = Awaited<ReturnType<typeof lockProduct>>

function refuseUnjudgeable({ product_id, status }: Judged): void {
  if (status === 'draft' || status === 'swapped' || status === 'removed')
    throw errors.invalidState(`Product ${product_id} is ${status}, so no decision is possible.`)
}

async function refuseUnseen(tx: Tx, product: Judged, seen: Verdict['seen']): Promise<void> {
  const isSeen =
    isExpected(seen.versions, product.version) && (seen.revision === undefined || seen.revision === product.revision)
  if (!isSeen) throw errors.staleVersion(await productDetails(tx, product.product_id))
}

const TITLES = { rejected: 'Your product was not accepted', changes_requested: 'Your product needs a change' }
const VERIFIED = { title: 'Your product is verified', text: 'Others can trust what it says.' }

/** Tells the owner (spec: system notification), in the moderator's words where there are any. */
async function tellOwner(deps: VerificationDeps, tx: Tx, ownerId: number, verdict: Verdict): Promise<number> {
  const link = deepLink(deps.config, { screen: 'product', id: verdict.productId })
  const data = { event: 'system', product_id: verdict.productId, verification: verdict.to, link }
  const content =
    verdict.to === 'verified'
      ? { ...VERIFIED, data }
      : {
          title: TITLES[verdict.to],
          text: verdict.message,
          data: { ...data, reason_code: verdict.reasonCode },
        }
  const send: DirectSend = {
    origin: 'automatic',
    userIds: [ownerId],
    content,
    promotional: false,
    senderId: null,
    rules: { fields: { text: 'message' } },
    userField: null,
  }
  return (await sendToUsersIn(deps, tx, send)).messageId
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
