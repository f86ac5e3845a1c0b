import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { copyOut, type CopyOut, type CopySource } from '../../platform/db/copy-out.ts'
import { messagesIn, toBlock, toHome } from '../../push/records/home.queries.ts'
import { selectInbox, selectNotifications } from '../../push/ledger/person.queries.ts'

/** `messages`: as the home has them. */
type Known = { now: Date; home: number; messages: RawBuilder<unknown> }
type Rows = (userId: number, known: Known) => RawBuilder<unknown>

/** `persons`: the columns that name a person and find its rows; a test finds every such column here, or left out
 * with a reason. */
type Section = { name: string; persons: string[]; rows: Rows }

const ofUser =
  (table: string, without: string[] = [], column = 'user_id'): Rows =>
  (userId) => sql`
    select to_jsonb(t) - ${without} ::text[] as row from ${sql.table(table)} t
      where ${sql.ref(`t.${column}`)} = ${userId}`

const own = (name: string, table: string, without: string[] = [], column = 'user_id'): Section => ({
  name,
  persons: [`${table}.${column}`],
  rows: ofUser(table, without, column),
})

const STAFF_OF_REPORT = ['assigned_to', 'resolution_note', 'resolved_by']

/** Secrets are left out of rows, and so is what tells of other people or was written by them. */
export const SECTIONS: readonly Section[] = [
  own('account', 'users', ['password_hash', 'has_long_password', 'search_text', 'status_reason']),
  {
    name: 'settings',
    persons: ['user_settings.user_id'],
    rows: (userId) =>
      sql`select to_jsonb(t) as row from user_settings t where user_id = ${userId} and deleted_at is null`,
  },
  own('push_preferences', 'push_preferences'),
  own('sessions', 'sessions', ['site']),
  own('second_factor', 'second_factors', ['key_id', 'sealed', 'last_step']),
  own('passkeys', 'passkeys', ['credential_id', 'public_key', 'sign_count', 'transports']),
  own('devices', 'mobile_devices', ['token', 'fallback_token']),
  own('browsers', 'staff_browsers', ['token', 'session_id']),
  own('mails', 'mails', ['due_at', 'useful_until', 'attempts']),
  own('blocked_people', 'user_blocks', [], 'blocker_id'),
  own('products', 'products', ['verified_by']),
  {
    name: 'product_revisions',
    persons: [],
    rows: (userId) => sql`
      select to_jsonb(k) as row from kept_revisions k join products p using (product_id) where p.user_id = ${userId}`,
  },
  {
    name: 'product_decisions',
    persons: [],
    rows: (userId) => sql`
      select to_jsonb(a) - '{actor_id,internal_note}'::text[] as row
      from products p join moderation_actions a using (product_id) where p.user_id = ${userId}`,
  },
  own('likes', 'likes'),
  {
    name: 'matches',
    persons: ['matches.first_user_id', 'matches.second_user_id'],
    rows: (userId) => sql`
      select to_jsonb(m) as row from matches m where first_user_id = ${userId}
      union all select to_jsonb(m) as row from matches m where second_user_id = ${userId}`,
  },
  {
    name: 'swaps',
    persons: ['swaps.requester_id', 'swaps.owner_id'],
    rows: (userId) => sql`
      select to_jsonb(s) - case when owner_id = ${userId} then '{note}' else '{}' end::text[] as row from (
        select * from swaps where requester_id = ${userId} union all select * from swaps where owner_id = ${userId}) s`,
  },
  {
    name: 'swap_rounds',
    persons: [],
    rows: (userId) => sql`
      select to_jsonb(r) as row from swaps s join swap_rounds r using (swap_id)
      where s.requester_id = ${userId} and r.proposed_by = 'requester'
      union all select to_jsonb(r) as row from swaps s join swap_rounds r using (swap_id)
      where s.owner_id = ${userId} and r.proposed_by = 'owner'`,
  },
  own('swap_messages', 'swap_messages', ['read_at'], 'sender_id'),
  own('chats', 'chat_sides'),
  {
    name: 'swap_disputes',
    persons: [],
    rows: (userId) => sql`
      select to_jsonb(d) - '{note,resolved_by}'::text[] as row from swaps s join swap_disputes d using (swap_id)
      where s.requester_id = ${userId} and d.side = 'requester'
      union all select to_jsonb(d) - '{note,resolved_by}'::text[] as row from swaps s
        join swap_disputes d using (swap_id)
      where s.owner_id = ${userId} and d.side = 'owner'`,
  },
  own('product_reports_made', 'product_reports', STAFF_OF_REPORT, 'reporter_id'),
  own('user_reports_made', 'user_reports', STAFF_OF_REPORT, 'reporter_id'),
  own('groups_owned', 'groups', [], 'owner_id'),
  own('group_memberships', 'group_members', ['decided_by']),
  own('subscriptions', 'subscriptions'),
  {
    name: 'notifications',
    persons: [],
    rows: (userId, { home, messages }) => sql`
      select jsonb_build_object('notification_id', n.notification_id, 'title', m.title, 'text', m.body, 'data', m.data,
        'event', m.event, 'type', m.type, 'device_id', n.mobile_devices_id, 'created_at', n.created_at, 'sent_at',
          n.sent_at,
        'is_delivered', n.is_delivered, 'shown_at', n.shown_at, 'opened_at', n.opened_at, 'dismissed_at',
          n.dismissed_at) as row
      from ${selectNotifications(home, sql`${userId}::bigint`)} n join ${messages} m using (message_id)`,
  },
  {
    name: 'inbox',
    persons: ['entries.user_id', 'reactions.user_id', 'inbox_marks.user_id'],
    rows: (userId, { home, messages }) => sql`
      select jsonb_build_object('message_id', e.message_id, 'title', m.title, 'text', m.body, 'data', m.data, 'event',
        m.event,
        'created_at', e.made_at, 'read_at', e.read_at) as row
      from ${selectInbox(home, sql`${userId}::bigint`)} e join ${messages} m using (message_id) where e.is_listed`,
  },
  {
    name: 'not_notified',
    persons: ['skips.user_ids'],
    rows: (userId, { home }) => sql`
      select jsonb_build_object('message_id', message_id, 'reason', reason, 'created_at', created_at) as row
      from skips where home = ${home} and block = ${toBlock(userId)} and ${userId}::bigint = any(user_ids)`,
  },
  {
    name: 'messages',
    persons: ['messages.sender_id', 'messages.recipient_id'],
    rows: (userId) => sql`
      select jsonb_build_object('message_id', message_id, 'is_from_you', sender_id is not distinct from ${userId},
        'title', title,
        'text', body, 'data', data, 'event', event, 'type', type, 'audience', audience, 'created_at', created_at) as row
      from (select * from messages where sender_id = ${userId}
        union select * from messages where recipient_id = ${userId}) m`,
  },
  {
    name: 'active_days',
    persons: ['user_activity_day.user_id'],
    rows: (userId, { now }) => sql`
      select jsonb_build_object('day', a.day) as row
      from users u
      cross join lateral generate_series(u.created_at::date, ${now}::timestamptz::date, interval '1 day') as d (day)
      join user_activity_day a on a.day = d.day::date and a.user_id = u.user_id
      where u.user_id = ${userId}`,
  },
  own('changes_of_state', 'state_changes', ['actor_id', 'note']),
  {
    name: 'logged_calls',
    persons: ['audit_log.actor_id', 'audit_log.origin_subject_id', 'audit_details.subject_id'],
    rows: (userId) => sql`
      select jsonb_build_object('at', l.at, 'action', l.action, 'is_yours', l.actor_id is not distinct from ${userId},
        'entity', l.entity, 'entity_id', l.entity_id, 'from', d.content) as row
      from audit_details d join audit_log l using (audit_id) where d.subject_id = ${userId} and d.part = 'origin'`,
  },
  {
    // Entries about other records than the account tell of reporters and hold the notes of staff.
    name: 'logged_changes',
    persons: ['audit_log.change_subject_id'],
    rows: (userId) => sql`
      select jsonb_build_object('at', l.at, 'action', l.action,
        'change', d.content #- '{before,status_reason}' #- '{after,status_reason}') as row
      from audit_details d join audit_log l using (audit_id)
      where d.subject_id = ${userId} and d.part = 'change' and l.entity = 'user'`,
  },
]

/** All sections from one snapshot, each found by an index. A line: number of the section, colon, row. */
export function copyOwnData(source: CopySource, userId: number, now: Date): Promise<CopyOut> {
  // The rows are not counted first, because the answer names no number.
  return copyOut(source, {
    rows: selectOwnData(source.db, userId, now),
    counted: sql`select 1 where false`,
    format: 'lines',
  })
}

export function selectOwnData(db: Db, userId: number, now: Date): RawBuilder<unknown> {
  const home = toHome(db, userId)
  const known = { now, home, messages: messagesIn(db, home) }
  const parts = SECTIONS.map(
    ({ rows }, place) =>
      sql`select ${place}::int as place, row_number() over () as n, row from (${rows(userId, known)}) t`,
  )
  return sql`
    select place || ':' || row::text from (${sql.join(parts, sql` union all `)}) sections order by place, n`
}
