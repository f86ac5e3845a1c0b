import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { countOrEstimate, type Counted } from '../../platform/db/count.ts'
import type { Source } from '../../platform/db/one-message.ts'
import { containing } from '../../platform/lists/pattern.ts'
import { byUsersIndex } from '../../identity/accounts/searched.queries.ts'
import type { Platform, Tables } from '../../platform/tables/tables.ts'

/** One copy of a message with its device; never a push token. */
export type CopyRow = Selectable<Tables['notifications']> & { device_id: string; platform: Platform }

export type RecipientRow = CopyRow & { name: string; email: string }

export type RecipientFilter = {
  /** In name, address or username. */
  search?: string | undefined
  name?: string | undefined
  email?: string | undefined
  status?: 'sent' | 'delivered' | 'opened' | undefined
  device_id?: string | undefined
  platform?: Platform | undefined
}

const COPY = sql`n.*, d.device_id, d.platform`

export async function listRecipients(
  db: Db,
  messageId: number,
  filter: RecipientFilter,
  page: { perPage: number; offset: number; direction: 'asc' | 'desc' },
): Promise<RecipientRow[]> {
  const rows = sql<RecipientRow>`
    select ${COPY}, u.name, u.email
    from notifications n
    join users u on u.user_id = n.user_id
    join mobile_devices d on d.id = n.mobile_devices_id
    where ${matching(messageId, filter)}
    order by n.notification_id ${sql.raw(page.direction)}
    limit ${page.perPage} offset ${page.offset}`
  if (!hasText(filter)) return (await rows.execute(db)).rows
  // With a stock server's settings the planner would read every user.
  return (await inPlannedTransaction(db, 'by any index', (tx) => rows.execute(tx))).rows
}

function hasText({ search, name, email }: RecipientFilter): boolean {
  return [search, name, email].some((text) => text !== undefined)
}

/** Counts the existing rows, to agree with the pages after a purge; `known`, from the counters, is the estimate. */
export function countRecipients(
  source: Source,
  messageId: number,
  filter: RecipientFilter,
  known: number | undefined,
): Promise<Counted> {
  const { device_id, platform } = filter
  const users = sql`join users u on u.user_id = n.user_id`
  const devices = sql`join mobile_devices d on d.id = n.mobile_devices_id`
  const rows = sql`select 1 from notifications n ${hasText(filter) ? users : sql``}
    ${(device_id ?? platform) ? devices : sql``} where ${matching(messageId, filter)}`
  const plans = hasText(filter) ? ({ plans: 'by any index' } as const) : {}
  return countOrEstimate(source, rows, { ...plans, ...(known !== undefined && { estimated: known }) })
}

export async function listCopiesOf(db: Db, userId: number, messageIds: number[]): Promise<CopyRow[]> {
  const { rows } = await sql<CopyRow>`
    select ${COPY}
    from notifications n join mobile_devices d on d.id = n.mobile_devices_id
    where n.user_id = ${userId} and n.message_id = any(${messageIds}::bigint[])
    order by n.mobile_devices_id`.execute(db)
  return rows
}

function matching(messageId: number, filter: RecipientFilter): RawBuilder<unknown> {
  const { search, name, email, status, device_id, platform } = filter
  const found = search === undefined ? '' : containing(search)
  const conditions = [
    sql`n.message_id = ${messageId}`,
    // Finds the few people first, instead of reading all copies.
    ...[search, name, email].flatMap((text) => (text === undefined ? [] : byUsersIndex(text))),
    ...(search === undefined
      ? []
      : [sql`(u.name ilike ${found} or u.email ilike ${found} or u.username ilike ${found})`]),
    ...(name === undefined ? [] : [sql`u.name ilike ${containing(name)}`]),
    ...(email === undefined ? [] : [sql`u.email ilike ${containing(email)}`]),
    ...(status === undefined ? [] : [STATUS_CONDITIONS[status]]),
    ...(device_id === undefined ? [] : [sql`d.device_id = ${device_id}`]),
    ...(platform === undefined ? [] : [sql`d.platform = ${platform}`]),
  ]
  return sql.join(conditions, sql` and `)
}

const STATUS_CONDITIONS = { sent: sql`n.is_send`, delivered: sql`n.is_delivered`, opened: sql`n.is_open` }
