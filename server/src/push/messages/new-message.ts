import type { MessageType } from '../../platform/tables/tables.ts'
import type { Work } from '../../platform/work/work.ts'
import type { Send } from './send.ts'

type Said = Pick<Send, 'content' | 'lane' | 'origin' | 'senderId' | 'event' | 'about' | 'isInboxOnly'> & {
  audience: Pick<Send['audience'], 'kind'>
}

/** The row of a message; `progress`: what differs from one that is not coordinated yet. */
export function newMessage<Progress extends object>(work: Work, said: Said, progress: Progress) {
  const { content, audience, lane, origin, senderId, event = null, about, isInboxOnly = false } = said
  const now = work.now()
  return {
    origin,
    type: typeOf(said),
    audience: audience.kind,
    lane,
    // A promotional send to named users ignores their preference (spec: sending rule 3).
    needs_opt_in: lane === 'transactional' || audience.kind !== 'users',
    event,
    is_inbox_only: isInboxOnly,
    title: content.title,
    body: content.text,
    data: toJson(content.data),
    about: toJson(about),
    sender_id: senderId,
    recipient_id: null,
    trace_context: work.trace(),
    created_at: now,
    updated_at: now,
    expires_at: work.now(work.config.MESSAGE_TTL_SECONDS * 1_000),
    ...progress,
  }
}

/** What the service says goes to everyone in the lane of campaigns, and is not promotional. */
function typeOf({ lane, origin }: Said): MessageType {
  return lane === 'campaign' && origin !== 'system' ? 'promotional' : 'non_promotional'
}

/** The driver stores text as JSON as it is; the type is the column's. */
function toJson(value: Record<string, unknown> | null | undefined): Record<string, unknown> | null {
  return value ? (JSON.stringify(value) as unknown as Record<string, unknown>) : null
}
