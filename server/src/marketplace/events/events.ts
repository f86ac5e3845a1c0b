import type { ReportStatus, SwapStatus, Verification } from '../../platform/tables/marketplace-tables.ts'
import type { EventKind } from '../../platform/events/event-kinds.ts'
import type { Place } from '../../platform/events/deep-links.ts'
import type { TextKey } from '../texts/en.ts'
import type { Values } from '../texts/texts.ts'
import type { About } from '../../platform/tables/about.ts'

export type Facts = {
  /**
   * `status` is what people are told, `now` the status that the swap has after it; `isUnanswered`: a proposal to which
   * nobody answered is over.
   */
  'swap.moved': { swapId: number; status: SwapStatus | 'confirmed'; now: SwapStatus; isUnanswered: boolean }
  'swap.message': { swapId: number; messageId: number }
  /** `productId`: the product of the one who is told, which `userId` likes. */
  match: { productId: number; userId: number }
  'group.join_requested': { groupId: number; userId: number }
  'group.joined': { groupId: number }
  'group.invited': { groupId: number }
  'product.verified': { productId: number }
  'product.refused': { productId: number; to: RefusedVerification; reasonCode: string; message: string }
  'product.removed': { productId: number; message?: string }
  'product.deleted': { productId: number }
  'product.warned': { productId: number; message?: string }
  'report.decided': { productId: number; status: Extract<ReportStatus, 'actioned' | 'dismissed'> }
}

type RefusedVerification = Extract<Verification, 'rejected' | 'changes_requested'>

/** The push that an event causes. It names records, and of people at most the one who acted. */
export type Push = {
  text: TextKey
  /** The text with the `name` of the person who acted, for receivers who allow names. A purge of that person empties
   * the message. */
  named?: TextKey
  values?: Values
  data: Record<string, unknown>
  place: Place
  /** The record, and the state in which the push is worth sending; absent: always. */
  about?: About
  /** A later push of the same key to the same person takes its place. */
  mergeKey?: string
  /** Whoever was told of no earlier push of the key has no interest in this one. */
  isEnd?: boolean
}

type Trigger<Name extends keyof Facts> = {
  /** What people mute pushes by; the app gets it as `data.event`. */
  kind: EventKind
  /** Who is told, in words, for docs/triggers.md; never the person who acted, nor across a block. */
  recipientsInWords: string
  push: (facts: Facts[Name]) => Push
  /** The next push of a key waits for so long after one, and tells of all that happened: `count` is a value of its
   * text. */
  quietMs?: number
}

const CHAT_QUIET_MS = 60_000

const OF_OWNER = { kind: 'system', recipientsInWords: 'the owner of the product' } as const

/** The pushes that events cause (spec: non-promotional events). `docs/triggers.md` is made from this table. */
export const TRIGGERS: { readonly [Name in keyof Facts]: Trigger<Name> } = {
  'swap.moved': {
    kind: 'swap_status',
    recipientsInWords: 'the other side; both if an administrator or a time limit caused it',
    push: ({ swapId, status, now, isUnanswered }) => ({
      text: `swap.${status}`,
      data: { transaction_id: swapId, status },
      place: { screen: 'swap', id: swapId },
      about: { kind: 'swap', swapId, status: now },
      mergeKey: `swap-${swapId}`,
      isEnd: isUnanswered,
    }),
  },
  'swap.message': {
    kind: 'new_message',
    recipientsInWords: 'the other side',
    push: ({ swapId, messageId }) => ({
      text: 'swap.message',
      named: 'swap.message_from',
      data: { transaction_id: swapId, message_id: messageId },
      place: { screen: 'swapMessages', id: swapId },
      about: { kind: 'line', messageId },
      mergeKey: `chat-${swapId}`,
    }),
    quietMs: CHAT_QUIET_MS,
  },
  match: {
    kind: 'swap_match',
    recipientsInWords: 'the one who liked first',
    push: ({ productId, userId }) => ({
      text: 'match',
      named: 'match_with',
      data: { product_id: productId, user_id: userId },
      place: { screen: 'matches' },
    }),
  },
  'group.join_requested': {
    kind: 'group_join_request',
    recipientsInWords: 'owner and administrators of the group',
    push: ({ groupId, userId }) => ({
      text: 'group.join_requested',
      data: { group_id: groupId },
      place: { screen: 'groupRequests', id: groupId },
      about: { kind: 'join', groupId, userId },
    }),
  },
  'group.joined': {
    kind: 'group_join_request',
    recipientsInWords: 'the one who asked to join, when they are approved',
    push: ({ groupId }) => ({ text: 'group.joined', ...aboutGroup(groupId) }),
  },
  'group.invited': {
    kind: 'group_join_request',
    recipientsInWords: 'the one who is invited',
    push: ({ groupId }) => ({ text: 'group.invited', ...aboutGroup(groupId) }),
  },
  'product.verified': {
    ...OF_OWNER,
    push: ({ productId }) => ({ text: 'product.verified', ...aboutProduct(productId, { verification: 'verified' }) }),
  },
  'product.refused': {
    ...OF_OWNER,
    push: ({ productId, to, reasonCode, message }) => ({
      text: `product.${to}`,
      values: { message },
      ...aboutProduct(productId, { verification: to, reason_code: reasonCode }),
    }),
  },
  'product.removed': { ...OF_OWNER, push: (facts) => toWords('product.removed', facts) },
  'product.deleted': {
    ...OF_OWNER,
    // The product is there for nobody any more.
    push: ({ productId }) => ({
      text: 'product.deleted',
      data: { product_id: productId },
      place: { screen: 'notifications' },
    }),
  },
  'product.warned': { ...OF_OWNER, push: (facts) => toWords('product.warned', facts) },
  'report.decided': {
    kind: 'system',
    recipientsInWords: 'those who reported the product',
    push: ({ productId, status }) => ({
      text: `report.${status}`,
      data: { product_id: productId, report_status: status },
      place: { screen: 'reports' },
    }),
  },
}

/** It has the words of `message`, else the usual ones. */
function toWords(text: 'product.removed' | 'product.warned', { productId, message }: Facts[typeof text]): Push {
  const about = aboutProduct(productId, {})
  return message === undefined ? { text, ...about } : { text: `${text}_because`, values: { message }, ...about }
}

function aboutProduct(id: number, data: Record<string, string>): Pick<Push, 'data' | 'place'> {
  return { data: { product_id: id, ...data }, place: { screen: 'product', id } }
}

function aboutGroup(id: number): Pick<Push, 'data' | 'place'> {
  return { data: { group_id: id }, place: { screen: 'group', id } }
}
