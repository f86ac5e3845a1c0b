import type { SwapStatus } from './marketplace-tables.ts'

/** A record, and the state in which a push about it is worth sending (`messages.about`). */
export type About =
  | { kind: 'swap'; swapId: number; status: SwapStatus }
  | { kind: 'line'; messageId: number }
  | { kind: 'join'; groupId: number; userId: number }
  | { kind: 'between'; userId: number; otherId: number }

/** docs/triggers.md shows these words. */
export const STALE_WHEN: { readonly [Kind in About['kind']]: string } = {
  swap: 'the swap has another status',
  line: 'the line was read or deleted',
  join: 'the request was answered or withdrawn',
  between: 'one of the two has blocked the other',
}
