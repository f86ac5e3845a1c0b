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
