export const PLATFORMS = ['ios', 'android', 'web', 'unknown'] as const

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

/** A worker may send them. */
export const RUNNING_MESSAGE = ['queued', 'sending'] as const
export const UNFINISHED_MESSAGE = [...RUNNING_MESSAGE, 'paused'] as const
export const MESSAGE_STATUSES = [...UNFINISHED_MESSAGE, 'stopped', 'completed'] as const

/** The roles stand from the lowest to the highest. */
export const ROLES = ['user', 'analyst', 'moderator', 'admin', 'super_admin'] as const
export const USER_STATUSES = ['active', 'inactive', 'suspended', 'banned'] as const
/** Such a person cannot sign in, gets no mail, and nobody sees their products. */
export const BARRED = ['suspended', 'banned'] as const
export const ACTOR_KINDS = ['user', 'administrator', 'system'] as const

export const PRODUCT_STATUSES = ['draft', 'active', 'reserved', 'swapped', 'paused', 'removed'] as const
export const VERIFICATIONS = ['pending', 'verified', 'rejected', 'changes_requested'] as const
export const CONDITIONS = ['new', 'like_new', 'good', 'fair'] as const
export const MODERATION_ACTIONS = ['verify', 'reject', 'request_changes', 'remove', 'restore'] as const

export const SWAP_STATUSES = [
  'pending',
  'countered',
  'accepted',
  'completed',
  'declined',
  'withdrawn',
  'expired',
  'cancelled',
  'disputed',
  'invalidated',
] as const
export const SWAP_SIDES = ['requester', 'owner'] as const
export const DISPUTE_RESOLUTIONS = ['completed', 'cancelled', 'invalidated'] as const
/** A swap whose proposal waits for an answer. */
export const PROPOSED_SWAP = ['pending', 'countered'] as const
export const OPEN_SWAP = [...PROPOSED_SWAP, 'accepted', 'disputed'] as const

export const UNDECIDED_REPORT = ['open', 'in_review'] as const

export const REPORT_STATUSES = ['open', 'in_review', 'actioned', 'dismissed'] as const
export const REPORT_REASONS = [
  'prohibited_item',
  'scam',
  'misleading',
  'offensive',
  'counterfeit',
  'duplicate',
  'unsafe',
  'other',
] as const
export const REPORT_RESOLUTIONS = ['rejected', 'removed', 'deleted', 'warned', 'other'] as const
export const USER_REPORT_REASONS = [
  'scam',
  'no_show',
  'harassment',
  'hate',
  'impersonation',
  'spam',
  'underage',
  'other',
] as const
export const USER_REPORT_RESOLUTIONS = ['warned', 'suspended', 'other'] as const

export const GROUP_STATUSES = ['active', 'archived'] as const
export const GROUP_VISIBILITIES = ['public', 'private'] as const
export const JOIN_POLICIES = ['open', 'request', 'invite'] as const
export const MEMBER_ROLES = ['owner', 'admin', 'member'] as const
export const MEMBER_STATUSES = ['invited', 'pending', 'approved', 'rejected', 'left', 'banned'] as const

export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const
export const STORES = ['app_store', 'play_store', 'stripe', 'manual'] as const

export const EXPORT_FORMATS = ['csv', 'xlsx', 'json', 'ndjson'] as const
export const BULK_ACTIONS = ['suspend', 'activate', 'delete', 'restore'] as const
export const APPROVAL_KINDS = ['send', 'bulk', 'role'] as const
export const APPROVAL_STATUSES = ['waiting', 'approved', 'refused', 'expired'] as const
