import { sql, type Insertable, type Selectable } from 'kysely'
import { restUntilDue } from '../../platform/db/clock.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/schema.ts'

export type Decision = Selectable<Tables['desk_decisions']>
export type NewDecision = Omit<Insertable<Tables['desk_decisions']>, 'request'> & { request: object }

/** Undefined while another decision about the record waits. */
export function insertDecision(tx: Tx, { request, ...decision }: NewDecision): Promise<Decision | undefined> {
  return tx
    .insertInto('desk_decisions')
    .values({ ...decision, request: JSON.stringify(request) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function lockOwnDecision(tx: Tx, decisionId: number, authorId: number): Promise<Decision | undefined> {
  return tx
    .selectFrom('desk_decisions')
    .selectAll()
    .where((on) => on.and({ decision_id: decisionId, decided_by: authorId }))
    .forUpdate()
    .executeTakeFirst()
}

/** Gives a due decision that no other worker has in hand. */
export function lockDueDecision(tx: Tx, now: Date, decisionId?: number): Promise<Decision | undefined> {
  const due = tx
    .selectFrom('desk_decisions')
    .selectAll()
    .where('status', '=', sql.lit('waiting'))
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
  return (decisionId === undefined ? due : due.where('decision_id', '=', decisionId)).executeTakeFirst()
}

/** The words of the request stay in the records that it changed alone (ADR 15). */
export async function endDecision(
  tx: Tx,
  decisionId: number,
  ended: { status: 'done' | 'undone' | 'failed'; error: string | null; ended_at: Date },
): Promise<Decision> {
  return tx
    .updateTable('desk_decisions')
    .set({ ...ended, request: '{}' })
    .where('decision_id', '=', decisionId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** One that still waits is due later. */
export async function putOffDecision(db: Db, decisionId: number, dueAt: Date): Promise<void> {
  await sql`
    update desk_decisions set due_at = ${dueAt} where decision_id = ${decisionId} and status = 'waiting'`.execute(db)
}

export async function restUntilDecision(db: Db, now: number): Promise<number> {
  return restUntilDue(db, 'desk_decisions', now)
}

/** Newest first. */
export function listOwnDecisions(db: Db, authorId: number, since: Date, limit: number): Promise<Decision[]> {
  return db
    .selectFrom('desk_decisions')
    .selectAll()
    .where('decided_by', '=', authorId)
    .where((on) => on.or([on('decided_at', '>=', since), on('status', '=', sql.lit('waiting'))]))
    .orderBy('decided_at', 'desc')
    .orderBy('decision_id', 'desc')
    .limit(limit)
    .execute()
}

export async function deleteOldDecisions(db: Db, before: Date): Promise<void> {
  await sql`delete from desk_decisions where decided_at < ${before} and status <> 'waiting'`.execute(db)
}
