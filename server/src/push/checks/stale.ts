import type { PushDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import { endWork } from '../ledger/end-work.ts'
import { hasTicket } from '../ledger/ledger.ts'
import type { Plan } from '../ledger/plan.ts'
import type { DueWork } from '../ledger/work.queries.ts'
import { recheckMessages } from './checks.queries.ts'

/**
 * Skips users of stale messages, ends tried copies with `MessageStale`; the others get their present text (ADR 8).
 * Who has an entry and got no push loses the entry (decision B25).
 */
export async function endStale(
  { isStale }: Pick<PushDeps, 'isStale'>,
  tx: Tx,
  plan: Plan,
  due: DueWork[],
): Promise<DueWork[]> {
  const messageIds = new Set(due.filter(({ rechecks }) => rechecks).map(({ messageId }) => messageId))
  if (messageIds.size === 0) return due
  const found = new Map((await recheckMessages(tx, [...messageIds], isStale)).map((one) => [one.message_id, one]))
  return due.flatMap((work): DueWork[] => {
    if (!work.rechecks) return [work]
    const { stale, title, body, data } = must(found.get(work.messageId), 'message of locked work')
    if (!stale) return [{ ...work, title, body, data }]
    plan.voided.push(...untoldOf(plan, work))
    endWork(plan, work, { code: 'MessageStale', reason: 'stale' })
    return []
  })
}

function untoldOf(
  plan: Plan,
  { batchId, messageId, provider, places }: DueWork,
): { userId: number; messageId: number }[] {
  const ledger = plan.ledger(batchId)
  const owners = provider === null ? places : places.map((place) => ledger.facts.owner[place])
  return [...new Set(owners)].flatMap((owner) => {
    const wasTold = [...ledger.facts.owner].some((own, place) => own === owner && hasTicket(ledger, place))
    return wasTold || owner === undefined ? [] : [{ messageId, userId: must(ledger.userIds[owner], 'user of a batch') }]
  })
}
