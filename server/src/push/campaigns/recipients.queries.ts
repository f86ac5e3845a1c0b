import { sql, type RawBuilder, type Selectable } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { countOrEstimate, type Counted } from '../../platform/db/count.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { must } from '../../platform/shared/must.ts'
import { everyHome, groupByHome, homeSql, toHome, unionOfHomes } from '../records/home.queries.ts'
import { COPY } from '../ledger/ledger.ts'
import { copiesFor } from '../ledger/person.queries.ts'
import type { Source } from '../../platform/db/one-message.ts'
import { containing, containsWords } from '../../platform/lists/pattern.ts'
import { byUsersIndex, USER_TEXT, toUserSearch } from '../../identity/accounts/user-search.queries.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import type { Tables } from '../../platform/tables/schema.ts'

/** One copy of a message with its device; never a push token. */
export type CopyRow = Selectable<Tables['notifications']> & { device_id: string; platform: Platform }

export type RecipientRow = CopyRow & { name: string; email: string }

export type RecipientFilter = {
  /** The name, the address or the username contains it. */
  search?: string | undefined
  name?: string | undefined
  email?: string | undefined
  status?: 'sent' | 'delivered' | 'opened' | 'failed' | undefined
  device_id?: string | undefined
  platform?: Platform | undefined
}

const COLUMNS = sql`n.*, d.device_id, d.platform`
const PHONES = sql`join mobile_devices d on d.id = n.mobile_devices_id`

/** They are in the order of people, then of their copies. */
export async function listRecipients(
  db: Db,
  messageId: number,
  filter: RecipientFilter,
  page: { perPage: number; offset: number; direction: 'asc' | 'desc' },
): Promise<RecipientRow[]> {
  const { copies, conditions, place, plans } = foundBy(db, messageId, filter)
  const way = sql.raw(page.direction)
  const rows = sql<RecipientRow>`
    select ${COLUMNS}, u.name, u.email from ${copies} ${PHONES} where ${sql.join(conditions, sql` and `)}
    order by ${place} ${way}, n.notification_id ${way}
    limit ${page.perPage} offset ${page.offset}`
  return (await inPlannedTransaction(db, plans, (tx) => rows.execute(tx))).rows
}

/** Counts the existing rows, to agree with the pages after a purge; `known`, from the counters, is the estimate. */
export async function countRecipients(
  source: Source,
  messageId: number,
  filter: RecipientFilter,
  known: number | undefined,
): Promise<Counted> {
  const { copies, conditions } = foundBy(source.db, messageId, filter)
  const rows = sql`select 1 from ${copies} ${PHONES} where ${sql.join(conditions, sql` and `)}`
  const isOfAll = Object.values(filter).every((value) => value === undefined)
  return isOfAll
    ? { total: await countCopies(source.db, messageId), isEstimate: false }
    : countOrEstimate(source, rows, { plans: 'by any index', ...(known !== undefined && { estimated: known }) })
}

/** The copies of purged people have no phone any more. */
async function countCopies(db: Db, messageId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(cardinality(array_remove(device_ids, 0))), 0)::int as n from batches
    where home in ${everyHome(db)} and message_id = ${messageId}`.execute(db)
  return must(rows[0], 'count of copies').n
}

export async function listUserCopies(db: Db, userId: number, messageIds: number[]): Promise<CopyRow[]> {
  const { rows } = await sql<CopyRow>`
    select ${COLUMNS}
    from unnest(${int8Array(messageIds)}::bigint[]) m(message_id)
    cross join lateral ${copiesFor(toHome(db, userId), sql`${userId}::bigint`, sql`m.message_id`)} n
    ${PHONES}
    order by n.mobile_devices_id`.execute(db)
  return rows
}

/** The people must be few. The copies of each are in their order. */
export async function listCopiesFor(db: Db, messageId: number, userIds: number[]): Promise<CopyRow[]> {
  return inPlannedTransaction(db, 'by index', async (tx) => {
    const copies: CopyRow[] = []
    for (const [home, own] of groupByHome(tx, userIds, (userId) => userId)) {
      const { rows } = await sql<CopyRow>`
        select ${COLUMNS}
        from unnest(${int8Array(own)}::bigint[]) p(user_id)
        cross join lateral ${copiesFor(home, sql`p.user_id`, sql`${messageId}::bigint`)} n
        ${PHONES}
        order by n.user_id, n.notification_id`.execute(tx)
      copies.push(...rows)
    }
    return copies
  })
}

/** Copies `n` with users `u`: of a few people who are found first, else batch by batch, so that a page ends early. */
function foundBy(db: Db, messageId: number, { search, name, email, status, device_id, platform }: RecipientFilter) {
  const texts = [search, name, email].filter((text) => text !== undefined)
  const ofUsers = [
    ...(search === undefined ? [] : [containsWords(USER_TEXT, toUserSearch(search), 'anywhere')]),
    ...[name, email].filter((text) => text !== undefined).flatMap(byUsersIndex),
    ...(name === undefined ? [] : [sql`u.name ilike ${containing(name)}`]),
    ...(email === undefined ? [] : [sql`u.email ilike ${containing(email)}`]),
  ]
  const conditions = [
    ...ofUsers,
    ...(status === undefined ? [] : [STATUS_CONDITIONS[status]]),
    ...(device_id === undefined ? [] : [sql`d.device_id = ${device_id}`]),
    ...(platform === undefined ? [] : [sql`d.platform = ${platform}`]),
  ]
  const message = sql`${messageId}::bigint`
  const users = sql`join users u on u.user_id = n.user_id`
  const isOne = countHomes(db) === 1
  if (texts.length > 0) {
    const named = (home: number) => sql`
      select n.* from users u cross join lateral ${copiesFor(home, sql`u.user_id`, message)} n
      where ${homeSql(db, 'u.user_id')} = ${home} and ${sql.join(ofUsers, sql` and `)}`
    const copies = isOne
      ? sql`users u cross join lateral ${copiesFor(0, sql`u.user_id`, message)} n`
      : sql`(${unionOfHomes(db, named)}) n ${users}`
    return { copies, conditions, place: sql`u.user_id`, plans: 'by any index' as const }
  }
  if (status === 'opened') {
    const isOpened = (home: number) => sql`r.home = ${home} and r.message_id = ${message} and r.opened_at is not null`
    const opened = (home: number) => sql`
      reactions r cross join lateral ${copiesFor(home, sql`r.user_id`, message)} n`
    const each = (home: number) => sql`select n.* from ${opened(home)} where ${isOpened(home)}`
    // The index gives a page of one home in its order.
    return {
      copies: isOne ? sql`${opened(0)} ${users}` : sql`(${unionOfHomes(db, each)}) n ${users}`,
      conditions: isOne ? [isOpened(0), ...conditions] : conditions,
      place: isOne ? sql`r.user_id` : sql`n.user_id`,
      plans: 'in order' as const,
    }
  }
  return {
    copies: sql`batches b join notifications n on n.home = b.home and n.batch_id = b.batch_id ${users}`,
    conditions: [
      sql`b.home in ${everyHome(db)} and b.message_id = ${message}`,
      ...(status === undefined ? [] : [hasState(...STATES_WITH[status])]),
      ...conditions,
    ],
    place: sql`b.first_user`,
    plans: 'in order' as const,
  }
}

export const STATES_WITH = {
  sent: [COPY.sent, COPY.delivered, COPY.undelivered],
  delivered: [COPY.delivered],
  failed: [COPY.undelivered, COPY.ended],
}

/** It is true if some copy of a batch `b` has one of the states. Without it, a rare state would show every copy as a
 * row. */
export function hasState(...states: number[]): RawBuilder<boolean> {
  const copies = sql`cardinality(b.device_ids)`
  const held = sql`substring(b.facts from 2 * ${copies} + 1 for ${copies})`
  const found = states.map(
    (state) => sql`position(decode(${Buffer.from([state]).toString('hex')}, 'hex') in ${held}) > 0`,
  )
  return sql<boolean>`(${sql.join(found, sql` or `)})`
}

const STATUS_CONDITIONS = {
  sent: sql`n.is_send`,
  delivered: sql`n.is_delivered`,
  opened: sql`n.is_open`,
  failed: sql`n.settled_at is not null and n.is_delivered is not true`,
}
