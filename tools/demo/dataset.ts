import type { Year } from './random.queries.ts'
import type { Words } from './words.ts'

/**
 * What is put into a database: who, when, how much, and from which ids on. All else follows from it by arithmetic on
 * the position of a user, product or swap, so that any range can be made by itself and is always the same.
 */
export type Dataset = {
  year: Year
  /** Users, products and swaps that are tried; some products and swaps are left out because they cannot be. */
  users: number
  products: number
  swaps: number
  /** Means for each user: further days of activity beside the first, and likes. */
  furtherDays: number
  likes: number
  /** Mean of chat messages for each swap. */
  chats: number
  /** The largest ids in use before. */
  after: { users: number; products: number; swaps: number; listings: number }
  /** `demo`: accounts called demo1, demo2 and so on; `load`: names as people have them. */
  accounts: 'demo' | 'load'
  passwordHash: string
  words: Words
  /** Names of the providers that reach a part of the phones; absent: Expo reaches all. */
  direct: { ios?: string; android?: string }
  /** These people verified, removed and decided. */
  staff: number[]
  goodCategories: number[]
  plans: number[]
  /** One statement makes this many users, products or swaps: what it sorts must fit into memory. */
  atOnce: number
}

/** Positions from `first` to `last`, both included. */
export type Range = { first: number; last: number }

/** Cuts 1 to `count` into ranges of `size`. */
export function listRanges(count: number, size: number): Range[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, index) => ({
    first: index * size + 1,
    last: Math.min(count, (index + 1) * size),
  }))
}
