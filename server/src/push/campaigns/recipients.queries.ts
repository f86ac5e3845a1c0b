import { sql, type RawBuilder, type Selectable } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db } from '../../platform/db/connect.ts'
import { countInTime, countOrEstimate, type Counted } from '../../platform/db/count.ts'
import { everyHome, groupByHome, homeSql, toHome, unionOfHomes } from '../records/home.queries.ts'
import { COPY, PLACES } from '../ledger/ledger.ts'
import { copiesFor } from '../ledger/person.queries.ts'
import { inOneMessage, type Source } from '../../platform/db/one-message.ts'
import { containing, containsWords } from '../../platform/lists/pattern.ts'
import { byUsersIndex, USER_TEXT, toUserSearch } from '../../identity/accounts/user-search.queries.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import type { MessageRow } from './campaigns.queries.ts'

type Copy = Selectable<Tables['notifications']>

/** One copy of a message with its device; never a push token. */
export type CopyRow = Copy & { device_id: string; platform: Platform }

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

/**
 * They are in the order of people, then of their copies. A far page passes by many, so what people did with a copy is
 * read for those of the page alone.
 */
export async function listRecipients(
  source: Source,
  messageId: number,
  filter: RecipientFilter,
  page: { perPage: number; offset: number; direction: 'asc' | 'desc' },
): Promise<RecipientRow[]> {
  const { copies, plans } = foundBy(source.db, messageId, filter)
  const way = sql.raw(page.direction)
  const places = sql`
    select n.home, n.batch_id, n.notification_id from ${copies}
    order by n.place ${way}, n.notification_id ${way}
    limit ${page.perPage} offset ${page.offset}`
  const [found] = await inOneMessage(source, [places], { name: 'listRecipients', plans })
  return withPeople(source.db, await readCopies(source, found as CopyPlace[]))
}

type CopyPlace = { home: number; batch_id: number; notification_id: number }

/** In the order of `places`. */
async function readCopies(source: Source, places: CopyPlace[]): Promise<Copy[]> {
  const byHome = [...Map.groupBy(places, ({ home }) => home)].map(([home, own]) => {
    const [batchIds, ids] = [own.map((place) => place.batch_id), own.map((place) => place.notification_id)]
    return sql`
      select * from notifications
      where home = ${home} and batch_id = any(${int8Array(batchIds)}::bigint[])
        and notification_id = any(${int8Array(ids)}::bigint[])`
  })
  const copies = await readEach(source, 'readCopies', byHome)
  const found = new Map(copies.map((copy) => [copy.notification_id, copy]))
  return places.flatMap(({ notification_id: id }) => found.get(id) ?? [])
}

/** Counts the existing rows, to agree with the pages. Until somebody is purged, the counters say the same. */
export async function countRecipients(source: Source, message: MessageRow, filter: RecipientFilter): Promise<Counted> {
  const known = findCounter(message, filter)
  const counted = () => sql`select 1 from ${foundBy(source.db, message.message_id, filter).copies}`
  if (known === undefined) return countOrEstimate(source, counted(), { plans: 'by any index' })
  const existing = await countCopies(source, message.message_id)
  if (existing === message.notifications) return { total: known, isEstimate: false }
  if (filter.status === undefined) return { total: existing ?? known, isEstimate: existing === undefined }
  return countOrEstimate(source, counted(), { plans: 'by any index', estimated: known })
}

function findCounter(message: MessageRow, { status, ...others }: RecipientFilter): number | undefined {
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  return status === undefined ? message.notifications : message[status]
}

/** Does not count the copies of purged people, which have no phone. Gives undefined if counting takes too long. */
async function countCopies(source: Source, messageId: number): Promise<number | undefined> {
  const counting = sql`
    select coalesce(sum(cardinality(array_remove(device_ids, 0))), 0)::int as n from batches
    where home in ${everyHome(source.db)} and message_id = ${messageId}`
  return countInTime(source, counting, { name: 'countCopies' })
}

export async function listUserCopies(db: Db, userId: number, messageIds: number[]): Promise<CopyRow[]> {
  const { rows } = await sql<Copy>`
    select n.*
    from unnest(${int8Array(messageIds)}::bigint[]) m(message_id)
    cross join lateral ${copiesFor(toHome(db, userId), sql`${userId}::bigint`, sql`m.message_id`)} n
    order by n.mobile_devices_id`.execute(db)
  return withPeople(db, rows)
}

/** The people must be few. The copies of each are in their order. */
export async function listCopiesFor(source: Source, messageId: number, userIds: number[]): Promise<CopyRow[]> {
  const byHome = [...groupByHome(source.db, userIds, (userId) => userId)].map(
    ([home, own]) => sql`
      select n.*
      from unnest(${int8Array(own)}::bigint[]) p(user_id)
      cross join lateral ${copiesFor(home, sql`p.user_id`, sql`${messageId}::bigint`)} n
      order by n.user_id, n.notification_id`,
  )
  return withPeople(source.db, await readEach(source, 'listCopiesFor', byHome))
}

async function readEach(source: Source, name: string, statements: RawBuilder<unknown>[]): Promise<Copy[]> {
  if (statements.length === 0) return []
  return (await inOneMessage(source, statements, { name, plans: 'by index' })).flat() as Copy[]
}

/** It is a statement of its own, because a Citus would send all people and phones to each home for a join. */
async function withPeople(db: Db, copies: Copy[]): Promise<RecipientRow[]> {
  const ids = int8Array(copies.map((copy) => copy.mobile_devices_id))
  const { rows } = await sql<Omit<RecipientRow, keyof Copy> & { id: number }>`
    select d.id, d.device_id, d.platform, u.name, u.email from mobile_devices d join users u on u.user_id = d.user_id
    where d.id = any(${ids}::bigint[])`.execute(db)
  const phones = new Map(rows.map(({ id, ...phone }) => [id, phone]))
  return copies.flatMap((copy) => {
    const phone = phones.get(copy.mobile_devices_id)
    return phone === undefined ? [] : [{ ...copy, ...phone }]
  })
}

/**
 * Copies `n` with a `place`: of a few people who are found first, else batch by batch, so that a page ends early. Of
 * several homes all copies are read before a phone is looked for among them.
 */
function foundBy(db: Db, messageId: number, { search, name, email, status, device_id, platform }: RecipientFilter) {
  const message = sql`${messageId}::bigint`
  const ofUsers = [
    ...(search === undefined ? [] : [containsWords(USER_TEXT, toUserSearch(search), 'anywhere')]),
    ...[name, email].filter((text) => text !== undefined).flatMap(byUsersIndex),
    ...(name === undefined ? [] : [sql`u.name ilike ${containing(name)}`]),
    ...(email === undefined ? [] : [sql`u.email ilike ${containing(email)}`]),
  ]
  const ofPhones = [
    ...(device_id === undefined ? [] : [sql`d.device_id = ${device_id}`]),
    ...(platform === undefined ? [] : [sql`d.platform = ${platform}`]),
  ]
  const hasStatus = status === undefined ? sql`true` : STATUS_CONDITIONS[status]
  const named = (home: number) => sql`
    select n.*, u.user_id as place from users u cross join lateral ${copiesFor(home, sql`u.user_id`, message)} n
    where ${homeSql(db, 'u.user_id')} = ${home} and ${sql.join(ofUsers, sql` and `)} and ${hasStatus}`
  const opened = (home: number) => sql`
    select n.*, r.user_id as place from reactions r cross join lateral ${copiesFor(home, sql`r.user_id`, message)} n
    where r.home = ${home} and r.message_id = ${message} and r.opened_at is not null`
  const states = status === undefined || status === 'opened' ? undefined : STATES_WITH[status]
  const batched = (homes: RawBuilder<unknown>) => sql`
    select b.home, b.batch_id, b.batch_id * ${PLACES} + place as notification_id,
      b.device_ids[place] as mobile_devices_id, b.first_user as place
    from batches b cross join generate_series(1, cardinality(b.device_ids)) place
    where b.home in ${homes} and b.message_id = ${message} and b.device_ids[place] <> 0
      and ${states ? sql`${hasState(...states)} and ${isInState(...states)}` : sql`true`}`
  const select = () => {
    if (ofUsers.length > 0) return unionOfHomes(db, named)
    if (status === 'opened') return unionOfHomes(db, opened)
    return ofPhones.length > 0 ? unionOfHomes(db, (home) => batched(sql`(${home})`)) : batched(everyHome(db))
  }
  const phones = sql`join mobile_devices d on d.id = n.mobile_devices_id where ${sql.join(ofPhones, sql` and `)}`
  return {
    copies: sql`(${select()}) n ${ofPhones.length > 0 ? phones : sql``}`,
    plans: ofUsers.length > 0 ? ('by any index' as const) : ('in order' as const),
  }
}

export const STATES_WITH = {
  sent: [COPY.sent, COPY.delivered, COPY.undelivered],
  delivered: [COPY.delivered],
  failed: [COPY.undelivered, COPY.ended],
}

/** It is true if the copy at `place` of a batch `b` has one of the states. */
export function isInState(...states: number[]): RawBuilder<boolean> {
  return sql<boolean>`get_byte(b.facts, 2 * cardinality(b.device_ids) + place - 1) = any(${states})`
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
