type Loop = {
  /** It is alive, and its next round begins within this many milliseconds. */
  comesWithin(ms: number): void
  end(): void
}

export type Loops = {
  open(name: string): Loop
  count(): number
  late(): string[]
}

/** A loop is late `graceMs` after its deadline; `now` is a clock that never jumps, in milliseconds. */
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
