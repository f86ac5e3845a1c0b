import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { olderThan, toMicros } from '../../platform/db/clock.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import type { PersonRow } from '../../platform/people/person.ts'
import { notBlocked } from '../../identity/blocks/hidden.queries.ts'
import { isVisible } from '../products/visible.queries.ts'
import { selectCards, type Card } from './cards.queries.ts'

export type TimeKeys = [micros: number, id: number]
type LikedRequest = { userId: number; after: TimeKeys | undefined; limit: number }

export type LikedCard = Card & { liked_at: Date; micros: number }

/** The last liked first: what others may see, also when it is reserved, swapped or paused. */
export async function listLiked(db: Db, { userId, after, limit }: LikedRequest): Promise<LikedCard[]> {
  const conditions = [
    sql`i.user_id = ${userId} and ${isVisible('s')} and ${notBlocked(userId, sql`s.user_id`)}`,
    olderThan(sql`i.created_at`, sql`i.product_id`, after),
  ]
  const page = sql`
    select l.product_id, l.listing_id, l.like_count, l.is_listed, i.created_at as liked_at,
      ${toMicros(sql`i.created_at`)} as micros
    from likes i join listings l on l.product_id = i.product_id join products s on s.product_id = i.product_id
    where ${joinWithAnd(conditions)}
    order by i.created_at desc, i.product_id desc limit ${limit}`
  const { rows } = await selectCards(userId, page, sql`l.liked_at desc, l.product_id desc`).execute(db)
  return rows as LikedCard[]
}

/** `mine` and `theirs`: the products of each that the other likes, the last listed first. */
export type MatchRow = PersonRow & { matched_at: Date; micros: number; mine: number[]; theirs: number[] }

/** The last first. Only with accounts in use and not across a block; up to `productLimit` products a side. */
export async function listMatches(
  db: Db,
  { productLimit, ...request }: LikedRequest & { productLimit: number },
): Promise<MatchRow[]> {
  const { userId, limit } = request
  const { rows } = await sql<MatchRow>`
    select m.*, ${selectLiked(sql`${userId}`, sql`m.user_id`, productLimit)} as mine,
      ${selectLiked(sql`m.user_id`, sql`${userId}`, productLimit)} as theirs
    from (
      select * from (
        (${matchesOn('first_user_id', 'second_user_id', request)})
        union all (${matchesOn('second_user_id', 'first_user_id', request)})) both_sides
      order by matched_at desc, user_id desc limit ${limit}) m
    order by m.matched_at desc, m.user_id desc`.execute(db)
  return rows
}

function matchesOn(side: string, other: string, { userId, after, limit }: LikedRequest): RawBuilder<unknown> {
  const otherId = sql.ref(`m.${other}`)
  const conditions = [
    sql`${sql.ref(`m.${side}`)} = ${userId} and ${notBlocked(userId, otherId)}`,
    olderThan(sql`m.created_at`, otherId, after),
  ]
  return sql`
    select u.user_id, u.username, u.name, u.avatar_url, u.city, m.created_at as matched_at,
      ${toMicros(sql`m.created_at`)} as micros
    from matches m join users u on u.user_id = ${otherId}
    where ${joinWithAnd(conditions)} and u.status = 'active' and u.deleted_at is null
    order by m.created_at desc, ${otherId} desc limit ${limit}`
}

function selectLiked(owner: RawBuilder<unknown>, fan: RawBuilder<unknown>, most: number): RawBuilder<number[]> {
  return sql`array(
    select l.product_id from listings l
    where l.user_id = ${owner} and l.is_listed
      and exists (select from likes i where i.user_id = ${fan} and i.product_id = l.product_id)
    order by l.listing_id desc limit ${most})`
}
