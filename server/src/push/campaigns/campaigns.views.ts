import { Type, type TInteger, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import { MESSAGE_STATUSES, PLATFORMS, SKIP_REASONS } from '../../platform/shared/words.ts'
import { divideAudience } from './audience-counts.ts'
import { toState, STATES } from '../records/states.ts'
import type { Providers } from '../provider/registry.ts'
import type { MessageFacts, MessageRow } from './campaigns.queries.ts'
import type { CopyRow, RecipientRow } from './recipients.queries.ts'
import { OUTCOMES } from './user-messages.queries.ts'
import type { PROVIDER_COUNTS } from '../records/provider-counts.queries.ts'

const Skipped = Object.fromEntries(SKIP_REASONS.map((reason) => [reason, Type.Integer()]))
const FreeObject = Type.Object({}, { additionalProperties: true })
export const NotificationType = Type.Enum(['promotional', 'non_promotional'])

/** Spec: `notification_content`; decision B2. */
const Content = Component('MessageContent', { title: Type.String(), body: Type.String(), data: Nullable(FreeObject) })

export const MESSAGE_FIELDS = {
  id: Type.Integer(),
  notification_id: Type.Integer({ description: 'The message’s id, the same as `id`.' }),
  notification_type: NotificationType,
  notification_content: Content,
  origin: Type.Union([Type.Enum(['bulk', 'named', 'test', 'group_join', 'automatic', 'system']), Type.Null()], {
    description: 'The call that created it; automatic: the service itself; null: it is older than this field.',
  }),
  audience: Type.Enum(['all', 'sandbox', 'users']),
  status: Type.Enum(MESSAGE_STATUSES),
  sender: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
  created_at: Timestamp,
}

const ProviderReport = Component('ProviderReport', {
  provider: Nullable(
    Type.String({
      description: 'Null: copies counted before counts were kept by provider, or deleted before they were read.',
    }),
  ),
  delivery_known: Type.Union([Type.Enum(['by receipt', 'at once']), Type.Null()], {
    description:
      '`by receipt`: delivered is what receipts confirm. `at once`: Apple, Google or the service of a browser took the push itself, so what it accepted is delivered. Null: the provider is not set up any more.',
  }),
  accepted: Type.Integer({ description: 'Copies that it accepted.' }),
  delivered: Type.Integer({ description: 'Copies that were handed to Apple, Google or the service of a browser.' }),
  failed: Type.Integer(),
  gone: Nullable(
    Type.Integer({ description: 'Those of the failed whose phone has no such token any more. Null: not known.' }),
  ),
  opened: Type.Integer({ description: 'A tap on one phone opens all copies of the user.' }),
})

const MessageFields = Type.Object(MESSAGE_FIELDS)

/** A message as the panel sees it, campaign or not (decision B21). */
export const MessageReport = Component('Campaign', {
  ...MESSAGE_FIELDS,
  title: Type.String(),
  body: Type.String(),
  data: Nullable(FreeObject),
  pause_reason: Nullable(Type.String()),
  counts: Type.Object({
    selected: Type.Integer(),
    skipped: Type.Object(Skipped as Record<SkipReason, TInteger>),
    notified: Type.Integer({ description: 'Users who have a notification.' }),
    waiting: Type.Integer({
      description: 'Users about whom nothing is decided yet. Always selected = skipped + notified + waiting.',
    }),
    notifications: Type.Integer({ description: 'Copies, one for each device: delivered + failed + pending.' }),
    sent: Type.Integer({ description: 'Copies that the provider accepted.' }),
    delivered: Type.Integer({
      description: 'Copies that were handed to Apple, Google or the service of a browser. More is not known.',
    }),
    opened: Type.Integer({ description: 'Copies. A tap on one phone opens all copies of the user.' }),
    failed: Type.Integer(),
    pending: Type.Integer(),
    possible_duplicates: Type.Integer({ description: 'Copies sent again after an unknown outcome.' }),
  }),
  providers: Type.Array(ProviderReport, { description: 'What became of the copies, by the provider they went to.' }),
  progress: Type.Object({ percent: Type.Integer(), batches_left: Type.Integer() }),
  started_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  expires_at: Timestamp,
  updated_at: Timestamp,
  notifications_deleted_at: Nullable({
    ...Timestamp,
    description: 'When its recipients were deleted with their month. The counts stay. Null: they are not deleted.',
  }),
  homes_not_counted: Type.Optional(
    Type.Array(Type.Integer(), {
      description:
        'Only of a database that is divided among servers, while one is away: its homes, whose people the counts leave out.',
    }),
  ),
})

export function toMessageReport(row: MessageRow, providers: Providers) {
  return {
    ...pickFields(MessageReport, row),
    ...toMessageFields(row),
    counts: toCounts(row),
    providers: toProviderReports(row, providers),
    progress: { percent: toPercent(row), batches_left: row.open_batches },
  }
}

export function toMessageFields(row: MessageFacts) {
  return {
    ...pickFields(MessageFields, row),
    id: row.message_id,
    notification_id: row.message_id,
    notification_type: row.type,
    notification_content: toContent(row),
    sender: row.sender_id === null ? null : { user_id: row.sender_id, name: row.sender_name ?? '' },
  }
}

function toContent({ title, body, data }: Pick<MessageRow, 'title' | 'body' | 'data'>) {
  return { title, body, data }
}

function toCounts(row: MessageRow) {
  return {
    ...pickFields(MessageReport.properties.counts, row),
    ...divideAudience(row),
    pending: row.notifications - row.delivered - row.failed,
  }
}

/** Multiplies three shares: people who are selected, those of them who are decided, their copies that left or ended. */
function toPercent(row: MessageRow): number {
  if (row.status === 'completed' || row.status === 'stopped') return 100
  // A send to everyone leaves these out before it begins.
  const leftOut = row.audience === 'users' ? 0 : row.skipped_inactive + row.skipped_opted_out
  const people = row.selected - leftOut
  const decided = people - divideAudience(row).waiting
  const ended = row.notifications === 0 ? 1 : Math.min(1, (row.sent + row.failed) / row.notifications)
  const selected = row.coordinated_at === null ? row.cursor_user_id / Math.max(row.last_user_id, 1) : 1
  return Math.max(0, Math.min(99, Math.floor((100 * selected * decided * ended) / Math.max(people, 1))))
}

const Copy = Component('NotificationCopy', {
  id: Type.Integer(),
  notification_id: Type.Integer({ description: 'The copy’s id, the same as `id`.' }),
  user_id: Type.Integer(),
  mobile_devices_id: Type.Integer(),
  device_id: Type.String(),
  platform: Type.Enum([...PLATFORMS]),
  is_send: Type.Boolean(),
  is_delivered: Nullable(Type.Boolean()),
  is_open: Type.Boolean(),
  state: Type.Enum([...STATES]),
  ticket_id: Nullable(Type.String({ description: 'The provider’s id of this push.' })),
  error_message: Nullable(Type.String()),
  attempts: Type.Integer({
    description: 'Requests with this notification that were sent, or may have been sent, to the provider.',
  }),
  possible_duplicates: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
  sent_at: Nullable(Timestamp),
  settled_at: Nullable(Timestamp),
  opened_at: Nullable(Timestamp),
  shown_at: Nullable(Timestamp),
  dismissed_at: Nullable(Timestamp),
})

export const OUTCOME_FIELDS = {
  outcome: Type.Enum(OUTCOMES),
  skip_reason: Type.Union([Type.Enum([...SKIP_REASONS]), Type.Null()], { description: 'Null unless skipped.' }),
  skipped_at: Nullable(Timestamp),
  notifications: Type.Array(Copy, { description: 'One for each device that was chosen.' }),
}

export function toCopyView(row: CopyRow) {
  return { ...pickFields(Copy, row), id: row.notification_id, state: toState(row) }
}

/** A copy is shown with its recipient and content (decision B22). */
export const Recipient = Type.Interface([Copy], {
  name: Type.String(),
  email: Type.String(),
  notification_type: NotificationType,
  notification_content: Content,
})

export function toRecipientView(row: RecipientRow, message: MessageRow) {
  return {
    ...toCopyView(row),
    name: row.name,
    email: row.email,
    notification_type: message.type,
    notification_content: toContent(message),
  }
}

/** The columns add up to the counts of the message. */
function toProviderReports(row: MessageRow, providers: Providers): Static<typeof ProviderReport>[] {
  const known = row.providers.map((one) => ({
    ...one,
    delivery_known: providers.find(({ provider }) => provider.name === one.provider)?.provider.deliveryKnown ?? null,
  }))
  const sum = (name: (typeof PROVIDER_COUNTS)[number]) => row.providers.reduce((all, one) => all + one[name], 0)
  const rest = {
    accepted: row.sent - sum('accepted'),
    delivered: row.delivered - sum('delivered'),
    failed: row.failed - sum('failed'),
    opened: row.opened - sum('opened'),
  }
  const isComplete = Object.values(rest).every((count) => count <= 0)
  return isComplete ? known : [...known, { provider: null, delivery_known: null, gone: null, ...rest }]
}
