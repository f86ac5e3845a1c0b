/**
 * Changes that break nobody: the description says at last what the service has refused all along. A release empties
 * this list.
 */
export const REFUSED_BEFORE: readonly RegExp[] = [
  /(query parameter |body\.)(filter\.)?(start_date|end_date|last_active_from|last_active_to): has another pattern$/,
  /(query parameter |body\.)(filter\.)?(timezone|time_zone|language): has another pattern$/,
  /query parameter cursor: has another pattern$/,
  /query parameter (status|role|reason|verification|condition|visibility|columns): accepts only some values$/,
  /(query parameter |body\.(\w+\.)*)(title|text|reason): has another pattern$/,
]

/** The changes without those that a pattern names, and the patterns that name none. */
export function sift(changes: readonly string[], patterns: readonly RegExp[]) {
  return {
    changes: changes.filter((change) => !patterns.some((pattern) => pattern.test(change))),
    unused: patterns.filter((pattern) => !changes.some((change) => pattern.test(change))),
  }
}
