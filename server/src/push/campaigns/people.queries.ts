import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { blockSql, homeSql, listHomes, peopleOfHomes, toBlock, unionOfHomes } from '../records/home.queries.ts'
import type { Db } from '../../platform/db/connect.ts'
import { inOneMessage, type Source } from '../../platform/db/one-message.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import { containsWords, findReach } from '../../platform/lists/pattern.ts'
import { USER_TEXT, toUserSearch } from '../../identity/accounts/user-search.queries.ts'
import type { Platform, SkipReason } from '../../platform/tables/tables.ts'
import { onlyTestUsers } from '../records/audience.queries.ts'
import type { MessageRow } from './campaigns.queries.ts'
import { hasState, isInState, STATES_WITH } from './recipients.queries.ts'

export const PEOPLE_STATUSES = ['sent', 'delivered', 'opened', 'failed', 'skipped'] as const

/** This many people with an outcome are read to find a name among them. */
export const FEW = 10_000

export type PeopleFilter = {
  /** The name, the address or the username contains it, or it is an id. */
  search?: string | undefined
  status?: (typeof PEOPLE_STATUSES)[number] | undefined
  skip_reason?: SkipReason | undefined
  platform?: Platform | undefined
}

type Walk = { after: number; limit: number }
type DbWalk = Walk & { db: Db }
/**
 * `isFew`: at most `FEW` people have the outcome, so their names are searched. Otherwise people of the name are found
 * first.
 */
type SearchWalk = Walk & { isFew: boolean }
type Ids = RawBuilder<{ user_id: number }>

/** `is_left`: the person is of the audience. Without a copy or a skip they wait, or a stop came first. */
export type PersonRow = {
  user_id: number
  name: string
  email: string
  skip_reason: SkipReason | null
  skipped_at: Date | null
  is_left: boolean
}

/** Finds the next people by id who may fit the filter. Nobody who fits is left out. */
export async function findPeople(
  source: Source,
  message: MessageRow,
  filter: PeopleFilter,
  walk: SearchWalk,
): Promise<number[]> {
  const ids = selectCandidates(message, filter, { ...walk, db: source.db })
  // The planner would read every user with a stock server's settings.
  const [rows] = await inOneMessage(source, [ids], { name: 'findPeople', plans: 'by any index' })
  return (rows as { user_id: number }[]).map((row) => row.user_id)
}

export async function listPeople(source: Source, message: MessageRow, userIds: number[]): Promise<PersonRow[]> {
  const people = sql`
    with skipped as materialized (
      select p.user_id, s.reason, s.created_at
      from unnest(${int8Array(userIds)}::bigint[]) p(user_id)
      join skips s on s.home = ${homeSql(source.db, 'p.user_id')} and s.block = ${sql.raw(blockSql('p.user_id'))}
        and s.message_id = ${message.message_id}
        and p.user_id = any(s.user_ids))
    select u.user_id, u.name, u.email, s.reason as skip_reason, s.created_at as skipped_at,
      ${isLeft(message)} as is_left
    from unnest(${int8Array(userIds)}::bigint[]) p(user_id)
    join users u on u.user_id = p.user_id
    left join skipped s on s.user_id = u.user_id
    order by u.user_id`
  const [rows] = await inOneMessage(source, [people], { name: 'listPeople', plans: 'by index' })
  return rows as PersonRow[]
}

function selectCandidates(message: MessageRow, filter: PeopleFilter, { isFew, ...walk }: SearchWalk & DbWalk): Ids {
  const { search } = filter
  if (search === undefined) return withOutcome(message, filter, walk)
  const holding = withOutcome(message, filter, { ...walk, limit: FEW })
  const few = sql`(${holding}) few join users u on u.user_id = few.user_id`
  return named(isFew ? few : selectAudience(message, walk), search, walk)
}

function withOutcome(message: MessageRow, { status, skip_reason: reason, platform }: PeopleFilter, walk: DbWalk): Ids {
  if (status === 'skipped') return skippedPeople(message, reason, walk)
  if (status === 'opened') return openers(message, walk)
  if (status !== undefined || platform !== undefined)
    return holders(message, { states: status && STATES_WITH[status], platform }, walk)
  return sql`select u.user_id from ${selectAudience(message, walk)} order by u.user_id limit ${walk.limit}`
}

/** Users `u`: of a bulk send by their accounts, of others by its batches. */
function selectAudience(
  { message_id: id, audience, last_user_id: last, created_at: at }: MessageRow,
  { db, after }: DbWalk,
) {
  const batched = (home: number) => sql`
    select named.user_id from ${batchesFrom(home, id, after)} b cross join unnest(b.user_ids) named(user_id)`
  if (audience === 'users')
    return sql`(${unionOfHomes(db, batched)}) batched
      join users u on u.user_id = batched.user_id and u.user_id > ${after}`
  return sql`(select * from users u
    where u.user_id > ${after} and u.user_id <= ${last} and (u.deleted_at is null or u.deleted_at > ${at})
      ${onlyTestUsers({ audience })}) u`
}

// A text without a letter or a digit has no index.
const READ_AT_MOST = 20_000

/** `people`: users `u`. */
function named(people: RawBuilder<unknown>, search: string, { limit }: Walk): Ids {
  const words = toUserSearch(search)
  const reach = findReach(words)
  const id = /^\d{1,15}$/.test(search) ? sql`u.user_id = ${Number(search)}` : sql`false`
  const read =
    reach === 'first_20000' ? sql`(select u.* from ${people} order by u.user_id limit ${READ_AT_MOST}) u` : people
  return sql`
    select u.user_id from ${read} where (${containsWords(USER_TEXT, words, reach)} or ${id})
    order by u.user_id limit ${limit}`
}

function skippedPeople(message: MessageRow, reason: SkipReason | undefined, { db, after, limit }: DbWalk): Ids {
  const { message_id: id, audience, status } = message
  const stored = (home: number) => sql<{ user_id: number }>`
    select user_id from (
      select * from skips where home = ${home} and message_id = ${id} and block >= ${toBlock(after)}) s
      cross join unnest(s.user_ids) user_id
    where user_id > ${after} ${reason === undefined ? sql`` : sql`and s.reason = ${reason}`}
    order by s.block, user_id limit ${limit}`
  const hasOthers = status === 'stopped' && audience !== 'users' && (reason ?? 'stopped') === 'stopped'
  const parts = [
    sql`(${peopleOfHomes(db, limit, stored)})`,
    ...(hasOthers ? leftOut(message, { db, after, limit }) : []),
  ]
  return sql`select user_id from (${sql.join(parts, sql` union all `)}) skipped order by user_id limit ${limit}`
}

/** Whom the stop of a bulk send left out (ADR 7): in a batch without copy and skip, or after all batches. */
function leftOut(message: MessageRow, { db, after, limit }: DbWalk): Ids[] {
  const id = message.message_id
  const reachedIn = (home: number) => sql`greatest(0,
    (select max(user_id) from unnest((
      select user_ids from batches where home = ${home} and message_id = ${id}
      order by first_user desc limit 1)) user_id),
    (select max(user_id) from skips cross join unnest(user_ids) user_id
      where home = ${home} and message_id = ${id} and block = (
        select max(block) from skips where home = ${home} and message_id = ${id})))`
  // Each home was given its batches by itself.
  const reached =
    countHomes(db) === 1
      ? reachedIn(0)
      : sql`(array[${sql.join(listHomes(db).map(reachedIn))}])[1 + ${homeSql(db, 'u.user_id')}]`
  const inBatches = (home: number) => sql<{ user_id: number }>`
    select user_id from ${batchesFrom(home, id, after)} b
    cross join unnest(b.user_ids) with ordinality owner(user_id, place)
    where user_id > ${after}
      and position(set_byte('\\x00', 0, place::int - 1) in substring(b.facts for cardinality(b.device_ids))) = 0
      and not exists (
        select from skips where home = ${home} and block = ${sql.raw(blockSql('user_id'))} and message_id = ${id}
          and user_id = any(user_ids))
    order by b.first_user, user_id limit ${limit}`
  return [
    sql`(${peopleOfHomes(db, limit, inBatches)})`,
    sql`(
      select u.user_id from ${selectAudience(message, { db, after, limit })}
      where u.user_id > ${reached} order by u.user_id limit ${limit})`,
  ]
}

function openers({ message_id: id }: MessageRow, { db, after, limit }: DbWalk): Ids {
  return peopleOfHomes(
    db,
    limit,
    (home) => sql`
      select user_id from reactions
      where home = ${home} and message_id = ${id} and opened_at is not null and user_id > ${after}
      order by user_id limit ${limit}`,
  )
}

type Held = { states: number[] | undefined; platform: Platform | undefined }

function holders({ message_id: id }: MessageRow, { states, platform }: Held, { db, after, limit }: DbWalk): Ids {
  const ofBatch = [
    states && hasState(...states),
    platform && sql`array_to_string(b.words, ',') like ${`% ${platform}%`}`,
  ]
  const [copies, owner] = [sql`cardinality(b.device_ids)`, sql`b.user_ids[1 + get_byte(b.facts, place - 1)]`]
  const conditions = [
    sql`${owner} > ${after}`,
    states && isInState(...states),
    platform && sql`split_part(b.words[get_byte(b.facts, ${copies} + place - 1)], ' ', 2) = ${platform}`,
  ]
  return peopleOfHomes(
    db,
    limit,
    (home) => sql`
      select c.user_id from ${batchesFrom(home, id, after)} b
      cross join lateral (
        select distinct ${owner} as user_id from generate_series(1, ${copies}) place
        where ${joinWithAnd(conditions)}) c
      where ${joinWithAnd(ofBatch)}
      order by b.first_user, c.user_id limit ${limit}`,
  )
}

/** Batches of a message in a home in the order of people, from that of the person on. */
function batchesFrom(home: number, messageId: number, after: number) {
  return sql`(
    select b.* from batches b
    where b.home = ${home} and b.message_id = ${messageId} and b.first_user >= coalesce((
      select max(first_user) from batches
      where home = ${home} and message_id = ${messageId} and first_user <= ${after}), 0))`
}

/** Whether user `u` was in the audience: the page of that person must say the same. */
function isLeft({ audience, status, last_user_id: last, completed_at: at }: MessageRow): RawBuilder<boolean> {
  if (audience === 'users') return sql`true`
  const stayed = status === 'stopped' ? sql`or u.deleted_at > ${at}` : sql``
  return sql`(u.user_id <= ${last} and (u.deleted_at is null ${stayed}) ${onlyTestUsers({ audience })})`
}
