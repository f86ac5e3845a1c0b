import type { Generated, GeneratedAlways } from 'kysely'
import type { EventKind } from '../events/event-kinds.ts'
import type * as words from '../shared/words.ts'

type Timestamps = { created_at: Generated<Date>; updated_at: Generated<Date> }

export type Role = (typeof words.ROLES)[number]
export type UserStatus = (typeof words.USER_STATUSES)[number]
export type Platform = (typeof words.PLATFORMS)[number]
export type MessageType = 'promotional' | 'non_promotional'
export type MessageOrigin = 'bulk' | 'named' | 'test' | 'group_join' | 'automatic' | 'system'

export type Audience = 'all' | 'sandbox' | 'users'
export type Lane = 'campaign' | 'transactional'
export type MessageStatus = (typeof words.MESSAGE_STATUSES)[number]
export type BreakerState = 'closed' | 'open' | 'half_open' | 'halted'

export type PushTables = {
  users: Timestamps & {
    user_id: Generated<number>
    username: string
    email: string
    name: string
    password_hash: string
    role: Generated<Role>
    status: Generated<UserStatus>
    is_test_user: Generated<boolean>
    version: Generated<number>
    deleted_at: Date | null
    phone: string | null
    city: string | null
    avatar_url: string | null
    status_reason: string | null
    suspended_until: Date | null
    email_verified_at: Date | null
    pending_email: string | null
    purge_after: Date | null
    last_active_at: Date | null
    /** UTC, YYYY-MM-DD. */
    last_active_day: string | null
    /** The password is known to have the 12 characters of an administrator. */
    has_long_password: Generated<boolean>
    language: Generated<string>
    time_zone: Generated<string>
    search_text: GeneratedAlways<string>
  }
  user_blocks: { blocker_id: number; blocked_id: number; created_at: Date }
  user_settings: Timestamps & {
    id: Generated<number>
    user_id: number
    setting_name: string
    setting_value: string
    deleted_at: Date | null
  }
  mobile_devices: Timestamps & {
    id: Generated<number>
    user_id: number
    token: string
    device_id: string
    platform: Platform
    provider: Generated<string>
    last_registered_at: Date
    removed_at: Date | null
    removed_reason: string | null
    restored_at: Generated<Date | null>
    is_proven: Generated<boolean>
    fallback_token: Generated<string | null>
    fallback_provider: Generated<string | null>
    gone_by: Generated<string | null>
    /** It registered the phone, which rings as long as the session lives. */
    session_id: Generated<string | null>
  }
  skips: { block: number; message_id: number; reason: SkipReason; user_ids: number[]; created_at: Date }
  used_links: { link_id: string; expires_at: Date }
  rate_limits: { key: string; window_start: Date; hits: number; expires_at: Date }
  idempotency_keys: {
    caller: string
    route: string
    key: string
    body_hash: Buffer
    claim_until: Date
    status_code: number | null
    answer: Buffer | null
    expires_at: Date
    /** People whose data the answer contains. */
    about: number[] | null
  }
  messages: {
    message_id: Generated<number>
    /** Null: older than this column. */
    origin: MessageOrigin | null
    type: MessageType
    audience: Audience
    lane: Lane
    needs_opt_in: boolean
    title: string
    body: string
    data: Record<string, unknown> | null
    sender_id: number | null
    /** The one person to whom it is sent, if it is one. */
    recipient_id: number | null
    event: EventKind | null
    /** The record it is about, and the state in which it is worth sending; its writer reads it. */
    about: Record<string, unknown> | null
    /** A later message of the same key to the same person takes its place. */
    merge_key: string | null
    merges: Generated<number>
    /** Nothing of it is due before this; null: something may be. */
    sleeps_until: Date | null
    status: Generated<MessageStatus>
    pause_reason: string | null
    cursor_user_id: Generated<number>
    /** Where there are several homes: up to which user the people of each have their batches, in the order of homes. */
    home_cursors?: number[] | null
    last_user_id: Generated<number>
    coordinated_at: Date | null
    /** The request that started it, as a traceparent. */
    trace_context: string | null
    created_at: Date
    started_at: Date | null
    completed_at: Date | null
    expires_at: Date
    updated_at: Date
    is_chat: Generated<boolean>
    /** It ends what earlier messages of its merge key began. */
    is_end: Generated<boolean>
    is_inbox_only: Generated<boolean>
    /** The record that it is about, as `swap:7`. */
    subject: string | null
    restored_at: Date | null
  }
  message_counts: { message_id: number; slot: number } & { [Name in CountName]: Generated<number> }
  provider_counts: { message_id: number; slot: number; provider: string; accepted: Generated<number> }
  /** Read and written by `push/ledger`. */
  batches: { batch_id: Generated<number>; message_id: number; user_ids: number[]; created_at: Date }
  work: {
    work_id: Generated<number>
    batch_id: number
    message_id: number
    provider: string | null
    places: number[]
    due_at: Date
    failures: Generated<number>
    is_entered: Generated<boolean>
    platform: Platform | null
  }
  requests: {
    request_id: Generated<number>
    provider: string
    message_ids: number[]
    batch_ids: number[]
    started_at: Date
    lease_until: Date
    outcome: 'accepted' | 'refused' | 'unknown' | null
    code: string | null
    settled_at: Date | null
    next_receipt_at: Date | null
    receipts_asked_at: Date | null
  }
  entries: { user_id: number; message_id: number; made_at: Date; is_listed: boolean; has_copy: boolean }
  reactions: {
    user_id: number
    message_id: number
    device_id: Generated<number>
    made_at: Date
    read_at: Date | null
    opened_at: Date | null
    archived_at: Date | null
    shown_at: Date | null
    dismissed_at: Date | null
  }
  /** A view of the batches, a row a copy. */
  notifications: {
    notification_id: number
    message_id: number
    message_at: Date
    batch_id: number
    user_id: number
    mobile_devices_id: number
    created_at: Date
    updated_at: Date
    sent_at: Date | null
    settled_at: Date | null
    opened_at: Date | null
    shown_at: Date | null
    dismissed_at: Date | null
    deleted_at: Date | null
    attempts: number
    possible_duplicates: number
    is_send: boolean
    is_delivered: boolean | null
    is_open: boolean
    ticket_id: string | null
    error_message: string | null
    provider: string
    way: string
  }
  /** Read and written by `push/ledger`. */
  unread: { block: number; entries: number[]; lines: number[]; changed_at: Date; unwritten: Generated<string> }
  badge_nodes: {
    user_id: number
    due_at: Date | null
    attempts: Generated<number>
    begun_version: Generated<number>
    written_version: Generated<number>
    etag: string | null
  }
  badge_removals: { user_id: number; due_at: Date; attempts: Generated<number> }
  /** Copies of messages made before can not be found any more, and are deleted in steps. */
  lettings_go: { made_before: Date; let_go_at: Date; deleted_at: Date | null }
}

export type SkipReason = (typeof words.SKIP_REASONS)[number]

/** `message_counts` holds them in slots. */
export const COUNT_NAMES = [
  'selected',
  'skipped_no_device',
  'skipped_signed_out',
  'skipped_opted_out',
  'skipped_inactive',
  'skipped_deleted',
  'skipped_too_big',
  'skipped_stopped',
  'skipped_stale',
  'skipped_inbox_only',
  'notified',
  'notifications',
  'sent',
  'delivered',
  'opened',
  'failed',
  'possible_duplicates',
] as const
export type CountName = (typeof COUNT_NAMES)[number]
