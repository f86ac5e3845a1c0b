/** Numbers that are the same for the same seed. */
export type Random = {
  /** Gives a number from 0 to 1. */
  next(): number
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  pick<T>(items: readonly [T, ...T[]]): T
  /** Some of the items, in random order. */
  some<T>(items: readonly T[], count: number): T[]
}

/** Starts a generator (mulberry32); generators of one seed with different `purpose` differ. */
export function toRandom(seed: number, purpose: string): Random {
  let state = Buffer.from(purpose).reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193), seed >>> 0)
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const some = <T>(items: readonly T[], count: number) =>
    items
      .map((item) => ({ item, place: next() }))
      .toSorted((a, b) => a.place - b.place)
      .slice(0, count)
      .map(({ item }) => item)
  return { next, between, some, pick: (items) => items[between(0, items.length - 1)] ?? items[0] }
}
