import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { atMicros, olderThan, toMicros } from '../../platform/db/clock.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import { containsWords, findReach } from '../../platform/lists/pattern.ts'
import type { PersonRow } from '../../platform/people/person.ts'
import type { MemberStatus } from '../../platform/tables/marketplace-tables.ts'
import { notBlocked, selectVisiblePerson } from '../../identity/blocks/hidden.queries.ts'
import type { Group, Member } from './groups.queries.ts'

export type VisibleGroup = Group & {
  /** Null: the account is gone or has blocked the viewer. */
  owner: PersonRow | null
  my_status: MemberStatus | null
  my_role: Member['role'] | null
  /** It is in microseconds, for cursors. */
  at: number
}

export type GroupFilter = {
  viewerId: number
  /** The groups in which the viewer has this membership; absent: those that anyone sees. */
  mine: MemberStatus | undefined
  search: string | undefined
  after: [at: number, groupId: number] | undefined
  limit: number
}

const TEXT = sql<string>`(' ' || g.name || ' ' || coalesce(g.description, ''))`

/**
 * Lists the newest first. Those that anyone sees leave out archived and private ones, and those whose owner is across a
 * block.
 */
export async function listGroups(
  db: Db,
  { viewerId, mine, search, after, limit }: GroupFilter,
): Promise<VisibleGroup[]> {
  const conditions = [
    mine === undefined
      ? sql`g.status = 'active' and g.visibility = 'public' and ${notBlocked(viewerId, sql`g.owner_id`)}`
      : sql`g.group_id in (select group_id from group_members where user_id = ${viewerId} and status = ${mine})`,
    search !== undefined && containsWords(TEXT, search, findReach(search)),
    olderThan(sql`g.created_at`, sql`g.group_id`, after),
  ]
  const page = sql`
    select g.* from groups g where ${joinWithAnd(conditions)}
    order by g.created_at desc, g.group_id desc limit ${limit}`
  const { rows } = await selectVisible(page, viewerId).execute(db)
  return rows
}

/** Private and archived groups are found too. Across a block of its owner, a group is found by those with a
 * membership alone. */
export async function findGroup(db: Db, viewerId: number, groupId: number): Promise<VisibleGroup | undefined> {
  const group = sql`
    select * from groups g where group_id = ${groupId} and (${notBlocked(viewerId, sql`g.owner_id`)} or exists (
      select from group_members m where m.group_id = g.group_id and m.user_id = ${viewerId}))`
  const { rows } = await selectVisible(group, viewerId).execute(db)
  return rows[0]
}

function selectVisible(groups: RawBuilder<unknown>, viewerId: number) {
  return sql<VisibleGroup>`
    select g.*, ${toMicros(sql`g.created_at`)} as at, m.status as my_status, m.role as my_role,
      ${selectVisiblePerson(viewerId, 'o')} as owner
    from (${groups}) g
    left join users o on o.user_id = g.owner_id and o.deleted_at is null
    left join group_members m on m.group_id = g.group_id and m.user_id = ${viewerId}
    order by g.created_at desc, g.group_id desc`
}

export type VisibleMember = PersonRow & {
  role: Member['role']
  requested_at: Date
  decided_at: Date | null
  /** When they asked, in microseconds. */
  at: number
}

type OfGroup<After> = { viewerId: number; groupId: number; after: After | undefined; limit: number }

/** They are in the order of account ids, without those whom a block separates from the viewer. */
export function listMembers(db: Db, { after = 0, ...page }: OfGroup<number>): Promise<VisibleMember[]> {
  return listPeople(db, { ...page, which: sql`m.status = 'approved' and m.user_id > ${after}`, order: sql`m.user_id` })
}

export function listRequests(
  db: Db,
  { after, ...page }: OfGroup<[at: number, userId: number]>,
): Promise<VisibleMember[]> {
  const isAfter =
    after === undefined ? sql`true` : sql`(m.requested_at, m.user_id) > (${atMicros(after[0])}, ${after[1]})`
  const which = sql`m.status = 'pending' and ${isAfter}`
  return listPeople(db, { ...page, which, order: sql`m.requested_at, m.user_id` })
}

type Which = Record<'which' | 'order', RawBuilder<unknown>>

async function listPeople(db: Db, page: Omit<OfGroup<never>, 'after'> & Which): Promise<VisibleMember[]> {
  const { rows } = await sql<VisibleMember>`
    select u.user_id, u.username, u.name, u.avatar_url, u.city, m.role, m.requested_at, m.decided_at,
      ${toMicros(sql`m.requested_at`)} as at
    from group_members m join users u on u.user_id = m.user_id and u.deleted_at is null
    where m.group_id = ${page.groupId} and ${page.which} and ${notBlocked(page.viewerId, sql`m.user_id`)}
    order by ${page.order} limit ${page.limit}`.execute(db)
  return rows
}
