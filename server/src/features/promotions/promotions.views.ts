import { Type } from 'typebox'
import { Nullable, Timestamp } from '../../http/envelope.ts'
import { divideAudience } from '../delivery/audience-counts.ts'
import { stateOf, STATES } from '../delivery/states.ts'
import type { CampaignRow, RecipientRow } from './promotions.queries.ts'

const FreeObject = Type.Object({}, { additionalProperties: true })

/** A campaign as the panel sees it (decision B21). */
export const Campaign = Type.Object({
  notification_id: Type.Integer(),
  title: Type.String(),
  body: Type.String(),
  data: Nullable(FreeObject),
  audience: Type.Enum(['all', 'sandbox', 'users']),
  status: Type.Enum(['queued', 'sending', 'paused', 'stopped', 'completed']),
  pause_reason: Nullable(Type.String()),
  counts: Type.Object({
    selected: Type.Integer(),
    skipped: Type.Object({
      no_device: Type.Integer(),
      opted_out: Type.Integer(),
      inactive: Type.Integer(),
      deleted: Type.Integer(),
      too_big: Type.Integer(),
      stopped: Type.Integer(),
    }),
    notified: Type.Integer({ description: 'Users who have a notification.' }),
    waiting: Type.Integer({
      description: 'Users of whom nothing is decided yet: selected = skipped + notified + waiting, at any moment.',
    }),
    notifications: Type.Integer({ description: 'Copies, one a device: delivered + failed + pending.' }),
    sent: Type.Integer({ description: 'Copies that the provider accepted.' }),
    delivered: Type.Integer({ description: 'Copies that the provider handed to Apple or Google; no more is known.' }),
    opened: Type.Integer({ description: 'Copies: a tap on one phone opens all that the person has.' }),
    failed: Type.Integer(),
    pending: Type.Integer(),
    possible_duplicates: Type.Integer({ description: 'Copies sent again after an unknown outcome.' }),
  }),
  progress: Type.Object({ percent: Type.Integer(), batches_left: Type.Integer() }),
  sender: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  expires_at: Timestamp,
})

export function toCampaignView(row: CampaignRow) {
  return {
    notification_id: row.message_id,
    title: row.title,
    body: row.body,
    data: row.data,
    audience: row.audience,
    status: row.status,
    pause_reason: row.pause_reason,
    counts: toCounts(row),
    progress: { percent: percentOf(row), batches_left: row.open_batches },
    sender: row.sender_id === null ? null : { user_id: row.sender_id, name: row.sender_name ?? '' },
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  }
}

function toCounts(row: CampaignRow) {
  return {
    ...divideAudience(row),
    notifications: row.notifications,
    sent: row.sent,
    delivered: row.delivered,
    opened: row.opened,
    failed: row.failed,
    pending: row.notifications - row.delivered - row.failed,
    possible_duplicates: row.possible_duplicates,
  }
}

/** How far a campaign is: the part of the audience that has batches, and of those the part that is done. */
function percentOf(row: CampaignRow): number {
  if (row.status === 'completed' || row.status === 'stopped') return 100
  const batches = Math.ceil((row.selected - row.skipped_inactive - row.skipped_opted_out) / 50)
  if (batches === 0) return 0
  const reached = row.coordinated_at === null ? row.cursor_user_id / Math.max(row.last_user_id, 1) : 1
  return Math.max(0, Math.min(99, Math.floor(100 * reached * (1 - row.open_batches / batches))))
}

/** One copy of a campaign (decision B22). */
export const Recipient = Type.Object({
  notification_id: Type.Integer(),
  user_id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  device_id: Type.String(),
  platform: Type.Enum(['ios', 'android']),
  is_send: Type.Boolean(),
  is_delivered: Nullable(Type.Boolean()),
  is_open: Type.Boolean(),
  state: Type.Enum([...STATES]),
  error_message: Nullable(Type.String()),
  attempts: Type.Integer({ description: 'Requests with this notification that left for the provider, or may have.' }),
  possible_duplicates: Type.Integer(),
  created_at: Timestamp,
  sent_at: Nullable(Timestamp),
  settled_at: Nullable(Timestamp),
  opened_at: Nullable(Timestamp),
  shown_at: Nullable(Timestamp),
  dismissed_at: Nullable(Timestamp),
})

export function toRecipientView(row: RecipientRow) {
  return {
    ...row,
    state: stateOf(row),
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    settled_at: row.settled_at?.toISOString() ?? null,
    opened_at: row.opened_at?.toISOString() ?? null,
    shown_at: row.shown_at?.toISOString() ?? null,
    dismissed_at: row.dismissed_at?.toISOString() ?? null,
  }
}
