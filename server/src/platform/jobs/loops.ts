/** A loop that says, each time that it comes around, by when it will do so again. */
type Loop = {
  /** It is alive, and comes around within so many milliseconds. */
  comesWithin(ms: number): void
  end(): void
}

/** The loops of a process that must come around, whether or not there is work. */
export type Loops = {
  /** Adds a loop by its name, for people; it is due at once. */
  open(name: string): Loop
  /** How many there are. */
  count(): number
  /** Those that are later than they may be, each by its name. */
  late(): string[]
}

/** Keeps loops. One is late `graceMs` after it promised to come; `now` is a clock that never jumps, in milliseconds. */
export function createLoops(graceMs: number, now: () => number = () => performance.now()): Loops {
  const due = new Map<symbol, { name: string; at: number }>()
  const open = (name: string): Loop => {
    const id = Symbol(name)
    const comesWithin = (ms: number) => void due.set(id, { name, at: now() + ms })
    comesWithin(0)
    return { comesWithin, end: () => void due.delete(id) }
  }
  const late = () => [...due.values()].filter(({ at }) => now() - at > graceMs).map(({ name }) => name)
  return { open, count: () => due.size, late }
}
