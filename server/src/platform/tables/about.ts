import type { SwapStatus } from './marketplace-tables.ts'

/**
 * A record, and the state in which a push about it is worth sending (`messages.about`). `between`: who caused it and
 * who is told, neither of whom has blocked the other.
 */
export type About = { between?: [number, number] } & (
  | { kind: 'swap'; swapId: number; status: SwapStatus }
  | { kind: 'line'; messageId: number }
  | { kind: 'join'; groupId: number; userId: number }
  | { kind: 'people'; between: [number, number] }
)
