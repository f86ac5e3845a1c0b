import type { ReportStatus, SwapStatus, Verification } from '../../platform/tables/marketplace-tables.ts'
import type { Place } from '../../platform/shared/deep-links.ts'

/** What is known of each event of the marketplace that people are told of, by its name. */
export type Facts = {
  'swap.moved': { swapId: number; status: SwapStatus | 'confirmed' }
  'swap.message': { swapId: number; messageId: number }
  match: object
  'group.join_requested': { groupId: number }
  'product.verified': { productId: number }
  'product.refused': { productId: number; to: RefusedVerification; reasonCode: string; message: string }
  'product.removed': { productId: number }
  'product.warned': { productId: number }
  'report.decided': { productId: number; status: DecidedReport }
}

type RefusedVerification = Extract<Verification, 'rejected' | 'changes_requested'>
type DecidedReport = Extract<ReportStatus, 'actioned' | 'dismissed'>

/** A push: what it says, what the app learns of it, and where a tap leads. It names records and never people. */
export type Push = { title: string; text: string; data: Record<string, unknown>; place: Place }

/**
 * The one table of what an event causes, beside the rows of history that come with it: the push to those who are told
 * (spec: non-promotional events). Another effect, such as a badge, belongs here.
 */
export const PUSHES: { readonly [Name in keyof Facts]: (facts: Facts[Name]) => Push } = {
  'swap.moved': ({ swapId, status }) => ({
    title: 'Swap update',
    text: SWAP_TEXTS[status],
    data: { event: 'swap_status', transaction_id: swapId, status },
    place: { screen: 'swap', id: swapId },
  }),
  'swap.message': ({ swapId, messageId }) => ({
    title: 'New message',
    text: 'You have a new message about a swap.',
    data: { event: 'new_message', transaction_id: swapId, message_id: messageId },
    place: { screen: 'swapMessages', id: swapId },
  }),
  match: () => ({
    title: 'It is a swap match',
    text: 'Somebody with a product that you like is interested in one of yours.',
    data: { event: 'swap_match' },
    place: { screen: 'matches' },
  }),
  'group.join_requested': ({ groupId }) => ({
    title: 'Join request',
    text: 'Somebody asks to join your group.',
    data: { event: 'group_join_request', group_id: groupId },
    place: { screen: 'groupRequests', id: groupId },
  }),
  'product.verified': ({ productId }) => ({
    title: 'Your product is verified',
    text: 'Others can trust what it says.',
    data: { event: 'system', product_id: productId, verification: 'verified' },
    place: { screen: 'product', id: productId },
  }),
  'product.refused': ({ productId, to, reasonCode, message }) => ({
    title: REFUSED_TITLES[to],
    text: message,
    data: { event: 'system', product_id: productId, verification: to, reason_code: reasonCode },
    place: { screen: 'product', id: productId },
  }),
  'product.removed': ({ productId }) => ({
    title: 'Product removed',
    text: 'One of your products was removed because it is against our rules.',
    data: { event: 'system', product_id: productId },
    place: { screen: 'product', id: productId },
  }),
  'product.warned': ({ productId }) => ({
    title: 'A warning',
    text: 'One of your products was reported, and the report is right. Please read our rules.',
    data: { event: 'system', product_id: productId },
    place: { screen: 'product', id: productId },
  }),
  'report.decided': ({ productId, status }) => ({
    title: 'Your report',
    text: REPORT_TEXTS[status],
    data: { event: 'system', product_id: productId, report_status: status },
    place: { screen: 'reports' },
  }),
}

const SWAP_TEXTS: Record<SwapStatus | 'confirmed', string> = {
  pending: 'You have a new swap proposal.',
  countered: 'You have a counter-proposal for your swap.',
  accepted: 'Your swap was accepted.',
  confirmed: 'The other side has confirmed your swap.',
  completed: 'Your swap is complete.',
  declined: 'Your swap proposal was declined.',
  withdrawn: 'A swap proposal was withdrawn.',
  expired: 'A swap proposal has expired.',
  cancelled: 'Your swap was cancelled.',
  disputed: 'There is a dispute about your swap.',
  invalidated: 'A swap is no longer possible.',
}

const REFUSED_TITLES: Record<RefusedVerification, string> = {
  rejected: 'Your product was not accepted',
  changes_requested: 'Your product needs a change',
}

const REPORT_TEXTS: Record<DecidedReport, string> = {
  actioned: 'We have acted on a product that you reported. Thank you.',
  dismissed: 'We have looked at a product that you reported and found nothing against our rules.',
}
