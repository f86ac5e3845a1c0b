import refused from './refused-before.json' with { type: 'json' }

/**
 * Changes for which the version stays, each by itself: the description says at last what the service has refused all
 * along, or the change is meant, and the changelog tells it. A release empties the list.
 */
export const REFUSED_BEFORE: readonly string[] = refused

/** The changes that are not listed, and those that are listed in vain. */
export function sift(changes: readonly string[], listed: readonly string[]) {
  return {
    changes: changes.filter((change) => !listed.includes(change)),
    unused: listed.filter((change) => !changes.includes(change)),
  }
}
