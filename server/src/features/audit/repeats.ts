import { createHash } from 'node:crypto'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fromNow } from '../../shared/clock.ts'
import { recordAudit, THE_SERVICE, type Actor, type AuditDeps, type AuditEntry } from './audit.ts'
import { addRepeat, insertRepeat, takeEndedRepeats, type Repeat } from './repeats.queries.ts'

/** Equal calls within so long are one entry and a count. */
const WINDOW_MS = 10 * 60_000
const ROUND = 100

/** A call that may be repeated at will, and from where: what is alike is counted. */
export type RepeatedEntry = Pick<AuditEntry, 'action' | 'entity' | 'entityId'> & { network?: string }

/**
 * Appends an entry for the first of equal calls and counts the others of the next ten minutes; the count becomes one more
 * entry when that time is over. Alike are calls of one actor with one action on one kind of record (`entity`), and from
 * one network where that is told. So nobody fills a log that is kept for ever.
 */
export async function recordRepeated(deps: AuditDeps & { db: Db }, actor: Actor, entry: RepeatedEntry): Promise<void> {
  const { action, entity, entityId } = entry
  const told = { action, ...(entity !== undefined && { entity }), ...(entityId !== undefined && { entityId }) }
  const key = foldKeyOf(actor, entry)
  const now = fromNow(deps.clock)
  if (await addRepeat(deps.db, key, entityId, now)) return
  await inTransaction(deps.db, async (tx) => {
    const ended = await takeEndedRepeats(tx, { key, now, limit: 1 })
    const isFirst = await insertRepeat(tx, {
      fold_key: key,
      actor_id: actor.userId,
      actor_role: actor.role,
      action,
      entity: entity ?? null,
      first_at: now,
      last_at: now,
      ends_at: fromNow(deps.clock, WINDOW_MS),
    })
    await recordAll(tx, deps, ended)
    if (isFirst) await recordAudit(tx, deps, actor, told)
    // Another process was first, a moment ago.
    else await addRepeat(tx, key, entityId, now)
  })
}

/** Turns every count whose time is over into an entry, at most 100 at once. */
export async function foldRepeats(deps: AuditDeps & { db: Db }): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const ended = await takeEndedRepeats(tx, { key: undefined, now: fromNow(deps.clock), limit: ROUND })
    await recordAll(tx, deps, ended)
  })
}

async function recordAll(tx: Tx, deps: AuditDeps, ended: Repeat[]): Promise<void> {
  for (const repeat of ended.filter(({ times }) => times > 0)) {
    const after = { first_at: repeat.first_at, last_at: repeat.last_at, entity_ids: repeat.entity_ids }
    await recordAudit(
      tx,
      deps,
      { ...THE_SERVICE, userId: repeat.actor_id, role: repeat.actor_role },
      {
        action: repeat.action,
        ...(repeat.entity !== null && { entity: repeat.entity }),
        change: { before: null, after, subjectId: null },
        times: repeat.times,
      },
    )
  }
}

/** Of a failed login the account that was tried tells calls apart; of a signed-in caller the ids are only listed. */
function foldKeyOf(actor: Actor, { action, entity, entityId, network }: RepeatedEntry): string {
  const target = actor.userId === null ? (entityId ?? null) : null
  const alike = [actor.userId, action, entity ?? null, target, network ?? null]
  return createHash('sha256').update(JSON.stringify(alike)).digest('base64url')
}
