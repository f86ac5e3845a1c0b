import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { containing } from '../../db/pattern.ts'
import { COUNT_NAMES, type CountName, type MessageStatus, type Platform } from '../../db/tables.ts'
import type { StateFacts } from '../delivery/states.ts'

/** A campaign with its counters, summed over their slots. */
export type CampaignRow = { [Name in CountName]: number } & {
  message_id: number
  title: string
  body: string
  data: Record<string, unknown> | null
  audience: string
  status: MessageStatus
  pause_reason: string | null
  cursor_user_id: number
  last_user_id: number
  coordinated_at: Date | null
  open_batches: number
  sender_id: number | null
  sender_name: string | null
  created_at: Date
  started_at: Date | null
  completed_at: Date | null
  expires_at: Date
}

/** A page of promotional messages, newest first, and how many there are. */
export async function listCampaigns(
  db: Db,
  page: { perPage: number; offset: number },
): Promise<{ rows: CampaignRow[]; total: number }> {
  const chosen = sql`select * from messages where type = 'promotional' order by created_at desc, message_id desc limit ${page.perPage} offset ${page.offset}`
  const [{ rows }, total] = await Promise.all([
    withCounts(chosen).execute(db),
    db
      .selectFrom('messages')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('type', '=', 'promotional')
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.n }
}

/** One promotional message; undefined when there is none of that id. */
export async function findCampaign(db: Db, messageId: number): Promise<CampaignRow | undefined> {
  const { rows } = await withCounts(
    sql`select * from messages where message_id = ${messageId} and type = 'promotional'`,
  ).execute(db)
  return rows[0]
}

function withCounts(messages: ReturnType<typeof sql>) {
  const sums = COUNT_NAMES.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`)
  return sql<CampaignRow>`
    select m.message_id, m.title, m.body, m.data, m.audience, m.status, m.pause_reason, m.cursor_user_id, m.last_user_id,
      m.coordinated_at, m.sender_id, u.name as sender_name, m.created_at, m.started_at, m.completed_at, m.expires_at, c.*, b.*
    from (${messages}) m
    left join users u on u.user_id = m.sender_id
    cross join lateral (select ${sql.join(sums)} from message_counts where message_id = m.message_id) c
    cross join lateral (select count(*) as open_batches from batches
      where message_id = m.message_id and status in ('queued', 'submitting', 'waiting')) b
    order by m.created_at desc, m.message_id desc`
}

/** One copy of a campaign with whom it went to; never a push token. */
export type RecipientRow = StateFacts & {
  notification_id: number
  user_id: number
  name: string
  email: string
  device_id: string
  platform: Platform
  possible_duplicates: number
  created_at: Date
  sent_at: Date | null
  settled_at: Date | null
  opened_at: Date | null
}

export type RecipientFilter = {
  name?: string | undefined
  email?: string | undefined
  status?: 'sent' | 'delivered' | 'opened' | undefined
  device_id?: string | undefined
  platform?: Platform | undefined
}

/** A page of the copies of a message that match, in the order of their ids. */
export async function listRecipients(
  db: Db,
  messageId: number,
  filter: RecipientFilter,
  page: { perPage: number; offset: number },
): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select n.notification_id, n.user_id, u.name, u.email, d.device_id, d.platform, n.is_send, n.is_delivered, n.is_open,
      n.attempts, n.possible_duplicates, n.error_message, n.shown_at, n.dismissed_at, n.created_at, n.sent_at, n.settled_at, n.opened_at
    ${matching(messageId, filter)}
    order by n.notification_id
    limit ${page.perPage} offset ${page.offset}`.execute(db)
  return rows
}

/** How many copies of a message match. */
export async function countRecipients(db: Db, messageId: number, filter: RecipientFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n ${matching(messageId, filter)}`.execute(db)
  return rows[0]?.n ?? 0
}

function matching(messageId: number, { name, email, status, device_id, platform }: RecipientFilter) {
  const conditions = [
    sql`n.message_id = ${messageId}`,
    sql`n.deleted_at is null`,
    ...(name === undefined ? [] : [sql`u.name ilike ${containing(name)}`]),
    ...(email === undefined ? [] : [sql`u.email ilike ${containing(email)}`]),
    ...(status === undefined ? [] : [STATUS_CONDITIONS[status]]),
    ...(device_id === undefined ? [] : [sql`d.device_id = ${device_id}`]),
    ...(platform === undefined ? [] : [sql`d.platform = ${platform}`]),
  ]
  return sql`from notifications n
    join users u on u.user_id = n.user_id
    join mobile_devices d on d.id = n.mobile_devices_id
    where ${sql.join(conditions, sql` and `)}`
}

const STATUS_CONDITIONS = { sent: sql`n.is_send`, delivered: sql`n.is_delivered`, opened: sql`n.is_open` }
