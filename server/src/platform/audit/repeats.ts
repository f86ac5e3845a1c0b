import { createHash } from 'node:crypto'
import type { Db, Tx } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { fromNow } from '../shared/clock.ts'
import { recordAuditAtOnce, THE_SERVICE, type Actor, type Signing } from './audit.ts'
import { addRepeat, insertRepeat, takeEndedRepeats, type Repeat } from './repeats.queries.ts'

const WINDOW_MS = 10 * 60_000
const ROUND = 100

export type RepeatedCall = { action: string; entity: string; entityId?: number; site?: string }

/** Equal calls of ten minutes are one entry and a count (`toFoldKey`), so that nobody can fill the permanent log. */
export async function recordRepeated(deps: Signing & { db: Db }, actor: Actor, call: RepeatedCall): Promise<void> {
  const { action, entity, entityId } = call
  const key = toFoldKey(actor, call)
  const counted = { target: entityId === undefined ? entity : `${entity} ${entityId}`, entityId }
  const now = fromNow(deps.clock)
  if (await addRepeat(deps.db, key, counted, now)) return
  await inTransaction(deps.db, async (tx) => {
    const ended = await takeEndedRepeats(tx, { key, now, limit: 1 })
    const isFirst = await insertRepeat(tx, {
      fold_key: key,
      actor_id: actor.userId,
      actor_role: actor.role,
      action,
      entity,
      entity_id: entityId ?? null,
      targets: [],
      first_at: now,
      last_at: now,
      ends_at: fromNow(deps.clock, WINDOW_MS),
    })
    // Another process was first.
    if (!isFirst) await addRepeat(tx, key, counted, now)
    await recordCounts(tx, deps, ended)
    if (isFirst)
      await recordAuditAtOnce(tx, deps, actor, { action, entity, ...(entityId !== undefined && { entityId }) })
  })
}

export async function foldRepeats(deps: Signing & { db: Db }): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const ended = await takeEndedRepeats(tx, { key: undefined, now: fromNow(deps.clock), limit: ROUND })
    await recordCounts(tx, deps, ended)
  })
}

async function recordCounts(tx: Tx, deps: Signing, ended: Repeat[]): Promise<void> {
  for (const repeat of ended.filter(({ times }) => times > 0)) {
    const { actor_id: userId, actor_role: role, action, entity, entity_id: entityId, times } = repeat
    const after = { first_at: repeat.first_at, last_at: repeat.last_at, targets: repeat.targets }
    const about = { ...(entity !== null && { entity }), ...(entityId !== null && { entityId }) }
    const change = { after }
    await recordAuditAtOnce(tx, deps, { ...THE_SERVICE, userId, role }, { action, ...about, change, times })
  }
}

function toFoldKey({ userId, role }: Actor, { action, entity, entityId, site }: RepeatedCall): string {
  const alike =
    userId === null
      ? ['nobody', action, entity, entityId ?? null, site ?? null]
      : ['account', userId, action, role !== null && role !== 'user' ? entity : null]
  return createHash('sha256').update(JSON.stringify(alike)).digest('base64url')
}
