import { sql } from 'kysely'
import type { Db, Tx } from '../../server/src/platform/db/connect.ts'
import type { Role } from '../../server/src/platform/tables/tables.ts'

/** True when no account but administrators exists. */
export async function isEmptyOfUsers(db: Db | Tx): Promise<boolean> {
  const found = await db.selectFrom('users').select('user_id').where('role', '=', 'user').limit(1).execute()
  return found.length === 0
}

/** No other process fills the database until the transaction ends. */
export async function lockFilling(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7261990002)`.execute(tx)
}

/** The moderators and administrators to whom past decisions are attributed; none in a database without any. */
export async function findStaff(tx: Tx): Promise<number[]> {
  const found = await tx
    .selectFrom('users')
    .select('user_id')
    .where('role', 'in', ['admin', 'super_admin', 'moderator'])
    .orderBy('user_id')
    .limit(20)
    .execute()
  return found.map(({ user_id }) => user_id)
}

export type StaffMember = { username: string; name: string; role: Role }

/** Administrators of the demonstration; gives their ids in the same order. */
export async function insertStaff(
  tx: Tx,
  staff: readonly StaffMember[],
  { passwordHash, since }: { passwordHash: string; since: Date },
): Promise<number[]> {
  const inserted = await tx
    .insertInto('users')
    .values(
      staff.map((member) => ({
        ...member,
        email: `${member.username}@swapbell.example`,
        password_hash: passwordHash,
        email_verified_at: since,
        created_at: since,
        updated_at: since,
      })),
    )
    .returning('user_id')
    .execute()
  return inserted.map(({ user_id }) => user_id)
}

/** An action of an administrator, as in the audit log. */
export type StaffCall = {
  at: Date
  actor_id: number
  role: Role
  action: string
  entity: string
  entity_id: number
  subject_id: number | null
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** What administrators decided about products, reports and accounts since a moment, in the order in which they did. */
export async function listStaffCalls(tx: Tx, since: Date): Promise<StaffCall[]> {
  const { rows } = await sql<StaffCall>`
    select d.*, u.role from (
      select created_at as at, actor_id, 'product.' || action as action, 'product' as entity, m.product_id as entity_id,
        p.user_id as subject_id, jsonb_build_object('verification', 'pending') as before,
        jsonb_strip_nulls(jsonb_build_object('verification', p.verification, 'reason_code', reason_code, 'message',
          user_message)) as after
      from (select * from moderation_actions where action <> 'remove') m join (select product_id, user_id, verification
        from products) p using (product_id)
      union all
      select resolved_at, resolved_by, case status when 'actioned' then 'report.resolve' else 'report.dismiss' end,
        'report', report_id,
        reporter_id, jsonb_build_object('status', 'in_review'),
        jsonb_build_object('status', status, 'resolution', resolution, 'resolution_note', resolution_note)
      from product_reports where resolved_at is not null
      union all
      select at, actor_id, 'user.update', 'user', entity_id, entity_id, jsonb_build_object('status', from_state),
        jsonb_build_object('status', to_state, 'status_reason', note)
      from state_changes where entity = 'user' and actor = 'administrator') d
    join users u on u.user_id = d.actor_id
    where d.at >= ${since} order by d.at, d.entity, d.entity_id`.execute(tx)
  return rows
}
