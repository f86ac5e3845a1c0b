import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { PageBounds } from '../../platform/lists/pagination.ts'
import type { ApprovalStatus } from '../../platform/tables/office-tables.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import { must } from '../../platform/shared/must.ts'

export type Approval = Selectable<Tables['approvals']>
export type NewApproval = Omit<Insertable<Tables['approvals']>, 'request'> & { request: Record<string, unknown> }

/** The hash of a password is needed only until the decision. */
const withoutSecret = sql<string>`request - 'secret'`

/** Undefined when the same waits already. */
export async function insertApproval(tx: Tx, approval: NewApproval): Promise<Approval | undefined> {
  return tx
    .insertInto('approvals')
    .values({ ...approval, request: JSON.stringify(approval.request) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function expireSame(
  tx: Tx,
  { now, ...same }: Pick<Approval, 'kind' | 'record_id' | 'subject_id'> & { now: Date },
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ status: 'expired' })
    .where((on) => on.and({ kind: same.kind, status: 'waiting' }))
    .where('expires_at', '<=', now)
    .where('record_id', 'is not distinct from', same.record_id)
    .where('subject_id', 'is not distinct from', same.subject_id)
    .execute()
}

export async function findWaiting(
  db: Db | Tx,
  { kind, recordId, now }: { kind: Approval['kind']; recordId: number; now: Date },
): Promise<number | null> {
  const waiting = await db
    .selectFrom('approvals')
    .select('approval_id')
    .where((on) => on.and({ kind, record_id: recordId, status: 'waiting' }))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return waiting?.approval_id ?? null
}

export function lockApproval(tx: Tx, approvalId: number): Promise<Approval | undefined> {
  return tx
    .selectFrom('approvals')
    .selectAll()
    .where('approval_id', '=', approvalId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export type Decision = {
  status: 'approved' | 'refused'
  reason: string | null
  result: Record<string, unknown> | null
}

export async function updateDecision(
  tx: Tx,
  { approval_id, ...decision }: Decision & { approval_id: number; decided_by: number; decided_at: Date },
): Promise<void> {
  const result = decision.result === null ? null : JSON.stringify(decision.result)
  await tx
    .updateTable('approvals')
    .set({ ...decision, result, request: withoutSecret })
    .where('approval_id', '=', approval_id)
    .execute()
}

export type Named = { id: number; name: string | null }

/**
 * `named`: the first of the users whom a send names, in its order; null: it names none. Its `request` has the first 500
 * of their ids.
 */
export type ListedApproval = Approval & {
  author_name: string | null
  decider_name: string | null
  subject_name: string | null
  named: Named[] | null
}

export type Filter = { status: ApprovalStatus | undefined; now: Date }

const NAMED_SHOWN = 20

const WITH_PEOPLE = sql`
  select a.approval_id, a.kind, a.pin, a.record_id, a.subject_id, a.status, a.author_id, a.decided_by, a.reason,
    a.result,
    a.created_at, a.expires_at, a.decided_at,
    case when a.request -> 'audience' ? 'userIds'
      then jsonb_set(a.request, '{audience,userIds}', jsonb_path_query_array(a.request, '$.audience.userIds[0 to 499]'))
      else a.request end as request,
    author.name as author_name, decider.name as decider_name, subject.name as subject_name,
    (select json_agg(json_build_object('id', given.id::bigint, 'name', u.name) order by given.place)
      from (select id, place from jsonb_array_elements_text(a.request #> '{audience,userIds}') with ordinality
        as given(id, place)
        limit ${sql.lit(NAMED_SHOWN)}) given
      left join users u on u.user_id = given.id::bigint) as named
  from approvals a left join users author on author.user_id = a.author_id
    left join users decider on decider.user_id = a.decided_by left join users subject on subject.user_id = a.subject_id`

export async function listApprovals(
  db: Db | Tx,
  { perPage, offset, ...filter }: Filter & PageBounds,
): Promise<ListedApproval[]> {
  const { rows } = await sql<ListedApproval>`
    ${WITH_PEOPLE} where ${matches(filter)}
    order by a.created_at desc, a.approval_id desc limit ${perPage} offset ${offset}`.execute(db)
  return rows
}

type ApprovalCount = { n: number; oldest: Date | null; newest: Date | null }

export async function countApprovals(db: Db, filter: Filter): Promise<ApprovalCount> {
  const { rows } = await sql<ApprovalCount>`
    select count(*)::int as n, min(a.created_at) as oldest, max(a.created_at) as newest
    from approvals a where ${matches(filter)}`.execute(db)
  return must(rows[0], 'count of approvals')
}

export async function findApproval(db: Db | Tx, approvalId: number): Promise<ListedApproval | undefined> {
  const { rows } = await sql<ListedApproval>`${WITH_PEOPLE} where a.approval_id = ${approvalId}`.execute(db)
  return rows[0]
}

export async function countNamed(db: Db, approvalId: number): Promise<number | undefined> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(jsonb_array_length(request #> '{audience,userIds}'), 0) as n from approvals
    where approval_id = ${approvalId}`.execute(db)
  return rows[0]?.n
}

export async function listNamed(
  db: Db,
  { approvalId, perPage, offset }: { approvalId: number } & PageBounds,
): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select given.id::bigint as id, u.name
    from (select id, place from approvals a,
      jsonb_array_elements_text(a.request #> '{audience,userIds}') with ordinality g(id, place)
      where a.approval_id = ${approvalId} order by place limit ${perPage} offset ${offset}) given
    left join users u on u.user_id = given.id::bigint order by given.place`.execute(db)
  return rows
}

/** An approval that waits has expired once its time is over, also before its row says so. */
function matches({ status, now }: Filter) {
  if (status === undefined) return sql`true`
  if (status === 'waiting') return sql`a.status = 'waiting' and a.expires_at > ${now}`
  if (status === 'expired') return sql`(a.status = 'expired' or (a.status = 'waiting' and a.expires_at <= ${now}))`
  return sql`a.status = ${status}`
}

export async function forgetSecrets(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('approvals')
    .set({ request: withoutSecret })
    .where('expires_at', '<=', now)
    .where(sql<boolean>`request ? 'secret'`)
    .execute()
}

/** Empties what these people wrote in requests and decisions, and what was written about them (ADR 15). */
export async function emptyWordsOfPeople(tx: Tx, userIds: number[]): Promise<void> {
  const these = sql`any(${userIds}::bigint[])`
  await sql`update approvals set reason = null where decided_by = ${these} and reason is not null`.execute(tx)
  const toThemAlone = sql`jsonb_array_length(request #> '{audience,userIds}') = 1
    and (request #>> '{audience,userIds,0}')::bigint = ${these}`
  await emptyWords(
    tx,
    sql`author_id = ${these} or ${toThemAlone}
      or record_id in (select bulk_id from bulk_items where user_id = ${these})`,
  )
}

/** Nobody can tell any more whom a bulk change that is gone was about. */
export async function forgetGoneBulks(db: Db): Promise<void> {
  await emptyWords(
    db,
    sql`kind = 'bulk' and (reason is not null or request ->> 'reason' is not null)
      and not exists (select from bulk_changes where bulk_id = record_id)`,
  )
}

async function emptyWords(db: Db | Tx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update approvals set reason = null, request = case kind
      when 'send' then request - 'texts' || '{"content": {"title": "", "text": ""}}'
      when 'bulk' then request || '{"reason": null}'
      else request #- '{fields,status_reason}' end
    where ${which}`.execute(db)
}
