import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { MarketplaceTables, MemberStatus } from '../../platform/tables/marketplace-tables.ts'

export type Group = Selectable<MarketplaceTables['groups']>
export type Member = Selectable<MarketplaceTables['group_members']>

/** A group that is not archived, with its administrators kept from changing until the transaction ends. */
export async function lockGroup(tx: Tx, groupId: number): Promise<Group | undefined> {
  return tx
    .selectFrom('groups')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('status', '=', 'active')
    .forUpdate()
    .executeTakeFirst()
}

export async function insertGroup(tx: Tx, group: Insertable<MarketplaceTables['groups']>): Promise<Group> {
  return tx.insertInto('groups').values(group).returningAll().executeTakeFirstOrThrow()
}

export async function findMember(tx: Tx, groupId: number, userId: number): Promise<Member | undefined> {
  return tx
    .selectFrom('group_members')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** The owner and the administrators of a group. */
export async function listGroupAdmins(db: Db | Tx, groupId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('group_members')
    .select('user_id')
    .where('group_id', '=', groupId)
    .where('status', '=', 'approved')
    .where('role', 'in', ['owner', 'admin'])
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

/** How many of these people are members of a group. */
export async function countMembers(db: Db | Tx, groupId: number, userIds: number[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from group_members
    where group_id = ${groupId} and user_id = any(${userIds}) and status = 'approved'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Stores a membership, or its new state. */
export async function saveMember(
  tx: Tx,
  member: {
    group_id: number
    user_id: number
    role: Member['role']
    status: MemberStatus
    requested_at: Date
    decided_by: number | null
    decided_at: Date | null
  },
): Promise<void> {
  await tx
    .insertInto('group_members')
    .values(member)
    .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet(member))
    .execute()
}

/** Deletes the groups of these owners in which nobody else is left. */
export async function deleteEmptyGroups(tx: Tx, ownerIds: number[]): Promise<void> {
  await sql`
    delete from groups g where owner_id = any(${ownerIds}) and not exists (
      select 1 from group_members m
      where m.group_id = g.group_id and m.status = 'approved' and m.user_id <> all(${ownerIds}))`.execute(tx)
}
