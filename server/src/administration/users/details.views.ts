import type { UserRow } from './profile.queries.ts'
import type { FoundProfile } from './profile.ts'

export function toItem(row: UserRow) {
  return {
    id: row.user_id,
    user_id: row.user_id,
    username: row.username,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    is_test_user: row.is_test_user,
    city: row.city,
    avatar_url: row.avatar_url,
    email_verified: row.email_verified_at !== null,
    last_active_at: row.last_active_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    deleted_at: row.deleted_at?.toISOString() ?? null,
    version: row.version,
    counts: {
      products: row.products,
      transactions: row.transactions,
      open_reports: row.open_reports,
      devices: row.devices,
    },
  }
}

export function toDetails(row: UserRow) {
  return {
    ...toItem(row),
    phone: row.phone,
    status_reason: row.status_reason,
    suspended_until: row.suspended_until?.toISOString() ?? null,
    restorable_until: row.purge_after?.toISOString() ?? null,
  }
}

export function toProfile({ failedSignIns, ...row }: FoundProfile) {
  const { subscription } = row
  return {
    ...toDetails(row),
    sessions: row.sessions.map(({ created_at, last_seen_at, expires_at, ...session }) => ({
      ...session,
      created_at: inUtc(created_at),
      last_seen_at: inUtc(last_seen_at),
      expires_at: inUtc(expires_at),
    })),
    failed_sign_ins: failedSignIns ?? null,
    devices: row.seen.map((device) => ({ ...device, last_seen_at: inUtc(device.last_seen_at) })),
    subscription: subscription && {
      ...subscription,
      started_at: inUtc(subscription.started_at),
      current_period_end: inUtc(subscription.current_period_end),
      cancelled_at: subscription.cancelled_at === null ? null : inUtc(subscription.cancelled_at),
    },
    history: row.history.map((change) => ({ ...change, at: inUtc(change.at) })),
  }
}

/** The database writes times in JSON in its own time zone. */
function inUtc(moment: string): string {
  return new Date(moment).toISOString()
}
