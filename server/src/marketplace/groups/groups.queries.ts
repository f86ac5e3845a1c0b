import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { notBlocked } from '../../identity/blocks/hidden.queries.ts'
import type { PeopleTables } from '../../platform/tables/people-tables.ts'
import { must } from '../../platform/shared/must.ts'

export type Group = Selectable<PeopleTables['groups']>
export type Member = Selectable<PeopleTables['group_members']>

/** A group that is not archived; nobody else changes its memberships until the transaction ends. */
export async function lockGroup(tx: Tx, groupId: number): Promise<Group | undefined> {
  return tx
    .selectFrom('groups')
    .selectAll()
    .where((on) => on.and({ group_id: groupId, status: 'active' }))
    .forUpdate()
    .executeTakeFirst()
}

/** Nobody joins or leaves the groups of these owners until the transaction ends. */
export async function lockGroupsOf(tx: Tx, ownerIds: number[]): Promise<void> {
  await sql`select from groups where owner_id = any(${ownerIds}) order by group_id for update`.execute(tx)
}

export async function insertGroup(tx: Tx, group: Insertable<PeopleTables['groups']>): Promise<Group> {
  return tx.insertInto('groups').values(group).returningAll().executeTakeFirstOrThrow()
}

export async function findMember(tx: Tx, groupId: number, userId: number): Promise<Member | undefined> {
  return tx
    .selectFrom('group_members')
    .selectAll()
    .where((on) => on.and({ group_id: groupId, user_id: userId }))
    .executeTakeFirst()
}

export async function listGroupAdmins(db: Db | Tx, groupId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('group_members')
    .select('user_id')
    .where((on) => on.and({ group_id: groupId, status: 'approved' }))
    .where('role', 'in', ['owner', 'admin'])
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

/** Nothing begins in a group that is archived. */
export async function countMembers(db: Db | Tx, groupId: number, userIds: number[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from group_members m join groups g using (group_id)
    where m.group_id = ${groupId} and m.user_id = any(${userIds}) and m.status = 'approved'
      and g.status = 'active'`.execute(db)
  return must(rows[0], 'count of members').n
}

export async function saveMember(tx: Tx, member: Member): Promise<void> {
  await tx
    .insertInto('group_members')
    .values(member)
    .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet(member))
    .execute()
}

export async function updateGroup(tx: Tx, groupId: number, change: Updateable<PeopleTables['groups']>): Promise<Group> {
  return tx
    .updateTable('groups')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('group_id', '=', groupId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function canMeet(tx: Tx, userId: number, otherId: number): Promise<boolean> {
  const { rows } = await sql`
    select from users u where u.user_id = ${otherId} and u.deleted_at is null and u.status in ('active', 'inactive')
      and ${notBlocked(userId, sql`u.user_id`)}`.execute(tx)
  return rows.length > 0
}

/** Gives the groups of these owners to the administrator, else the member, who has been in each for longest, and to
 * somebody barred last, without the owner's words (ADR 15). */
export async function passOnGroups(tx: Tx, ownerIds: number[]): Promise<void> {
  await sql`
    with heirs as (
      select g.group_id, heir.user_id from groups g
      cross join lateral (
        select m.user_id from group_members m join users u on u.user_id = m.user_id and u.deleted_at is null
        where m.group_id = g.group_id and m.status = 'approved' and m.user_id <> all(${ownerIds})
        order by u.status in ('suspended', 'banned'), m.role = 'admin' desc, m.decided_at, m.user_id limit 1) heir
      where g.owner_id = any(${ownerIds})),
    promoted as (
      update group_members m set role = 'owner' from heirs h where m.group_id = h.group_id and m.user_id = h.user_id)
    update groups g set owner_id = h.user_id, name = 'Group ' || g.group_id, description = null, version = version + 1
      from heirs h
    where g.group_id = h.group_id`.execute(tx)
}

export async function deleteEmptyGroups(tx: Tx, ownerIds: number[]): Promise<void> {
  await sql`
    delete from groups g where owner_id = any(${ownerIds}) and not exists (
      select from group_members m join users u on u.user_id = m.user_id and u.deleted_at is null
      where m.group_id = g.group_id and m.status = 'approved' and m.user_id <> all(${ownerIds}))`.execute(tx)
}
