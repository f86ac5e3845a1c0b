/** The fields before and after, as far as they differ. */
export type RecordEntry = {
  at: Date
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** A record at a moment and now; `entries`: the oldest first. A field changed only after the moment had the value
 * that the entry gives as before; undefined where the entries do not tell. */
export function recordAt(entries: readonly RecordEntry[], moment: Date) {
  const was = new Map<string, unknown>()
  const is = new Map<string, unknown>()
  for (const { at, before, after } of entries) {
    const isLater = at > moment
    for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
      if (isLater && !was.has(name)) was.set(name, before?.[name])
      if (!isLater) was.set(name, after?.[name])
      is.set(name, after?.[name])
    }
  }
  return [...is.keys()].toSorted().map((name) => {
    const [before, after] = [was.get(name), is.get(name)]
    return { name, was: before, is: after, isChanged: JSON.stringify(before) !== JSON.stringify(after) }
  })
}
