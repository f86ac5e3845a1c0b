import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { PeopleTables } from '../../platform/tables/people-tables.ts'
import { defineList } from '../../platform/lists/define-list.queries.ts'
import type { PageBounds, PageRows } from '../../platform/lists/pagination.ts'
import { must } from '../../platform/shared/must.ts'

type GroupsFilter = {
  search: string | undefined
  statuses: GroupRow['status'][] | undefined
  visibilities: GroupRow['visibility'][] | undefined
}

export type GroupRow = Selectable<PeopleTables['groups']> & { owner_username: string | null; owner_name: string | null }

export const allGroups = defineList<GroupsFilter, 'created_at', GroupRow>(
  {
    table: 'groups',
    alias: 'g',
    id: 'group_id',
    orders: { created_at: { keys: [sql`g.created_at`] } },
    searched: {
      text: sql`(' ' || g.name || ' ' || coalesce(g.description, ''))`,
      readSearch: ({ search }) => search,
    },
    toConditions: ({ statuses, visibilities }) => [
      statuses && sql`g.status = any(${statuses})`,
      visibilities && sql`g.visibility = any(${visibilities})`,
    ],
  },
  (chosen, order) => sql`
    select g.*, u.username as owner_username, u.name as owner_name
    from (${chosen}) chosen
    join groups g on g.group_id = chosen.group_id
    left join users u on u.user_id = g.owner_id
    order by ${order}`,
)

export type MemberRow = Omit<Selectable<PeopleTables['group_members']>, 'group_id' | 'decided_by'> & {
  username: string
  name: string
}

/** Everybody who is or was in the group. */
export async function listMemberRows(
  db: Db,
  groupId: number,
  { perPage, offset }: PageBounds,
): Promise<PageRows<MemberRow>> {
  const { rows } = await sql<MemberRow>`
    select u.user_id, u.username, u.name, m.role, m.status, m.requested_at, m.decided_at
    from group_members m join users u on u.user_id = m.user_id
    where m.group_id = ${groupId} order by m.user_id limit ${perPage} offset ${offset}`.execute(db)
  const counted = await sql<{ n: number }>`
    select count(*) as n from group_members where group_id = ${groupId}`.execute(db)
  return { rows, total: must(counted.rows[0], 'count of members').n }
}
