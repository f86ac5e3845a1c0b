export const PLATFORMS = ['ios', 'android', 'unknown'] as const

/** Decision B8. */
export const SKIP_REASONS = [
  'no_device',
  'signed_out',
  'opted_out',
  'inactive',
  'deleted',
  'too_big',
  'stopped',
  'stale',
  'inbox_only',
] as const

/** A swap whose proposal waits for an answer. */
export const PROPOSED_SWAP = ['pending', 'countered'] as const
export const OPEN_SWAP = [...PROPOSED_SWAP, 'accepted', 'disputed'] as const

export const UNDECIDED_REPORT = ['open', 'in_review'] as const
