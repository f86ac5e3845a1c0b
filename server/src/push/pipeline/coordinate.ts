import type { PushDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { setPlans, withPlans } from '../../platform/db/planner.ts'
import { afterCommit, together } from '../../platform/db/transaction.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import { traced } from '../../platform/tracing/tracing.ts'
import { inWork } from '../../platform/work/work.ts'
import { insertBatches } from '../ledger/ledger.queries.ts'
import { completeMessages, endRest } from '../messages/control.ts'
import { hasOutgrown } from '../messages/staff-send.ts'
import { selectAudiencePage, type AudiencePage } from '../records/audience.queries.ts'
import { groupByHome } from '../records/home.queries.ts'
import { addCounts } from '../records/counts.queries.ts'
import { listTraces, lockMessage, moveCursor, setMessageStatus } from '../records/messages.queries.ts'
import { APPROVAL_NEEDED } from '../records/unfinished.queries.ts'
import { insertSkips } from '../records/skips.queries.ts'

// A transaction makes 100 batches: short enough to stop between two, long enough that commits cost little.
const USERS_PER_PAGE = 5_000

/**
 * Spec: sending rule 5, a transaction a page; the cursor lets no user be taken twice. Ends what waits of a message
 * that was stopped. True: nothing is left to do.
 */
export async function coordinate(deps: PushDeps, messageId: number, signal: AbortSignal): Promise<boolean> {
  const of = deps.tracing.isOn ? await listTraces(deps.db, [messageId]) : []
  return traced(deps.tracing, 'coordinate', { of, attributes: { message_id: messageId } }, async () => {
    while (!signal.aborted) {
      if (!(await coordinatePage(deps, messageId))) continue
      await completeMessages(deps, [messageId])
      return true
    }
    return false
  })
}

function coordinatePage(deps: PushDeps, messageId: number): Promise<boolean> {
  return inWork(deps, THE_SERVICE, async (work) => {
    const { tx } = work
    const message = await lockMessage(tx, messageId)
    if (message?.status === 'stopped') return withPlans(tx, 'by index', () => endRest(work, messageId))
    if (message === undefined || message.audience === 'users' || message.coordinated_at !== null) return true
    // The message is paused: a resume enqueues the coordinator again.
    if (message.status !== 'queued' && message.status !== 'sending') return true
    const now = work.now()
    if (await hasOutgrown(work, message)) {
      await setMessageStatus(tx, messageId, { status: 'paused', pauseReason: APPROVAL_NEEDED, now })
      return true
    }
    const range = { audience: message.audience, after: message.cursor_user_id, last: message.last_user_id }
    const [, page] = await together(tx, (runner) =>
      Promise.all([
        message.audience === 'all' && setPlans(runner, 'by range'),
        selectAudiencePage(runner, range, USERS_PER_PAGE),
      ]),
    )
    // The claim decides about who switched pushes off where their inbox has the message.
    const batched = message.type === 'promotional' ? page : batchEverybody(page)
    await storePage(tx, messageId, batched, now)
    if (batched.eligible.length > 0) work.announce()
    const isEnd = page.selected < USERS_PER_PAGE
    const cursor = isEnd ? message.last_user_id : (page.cursor ?? message.last_user_id)
    await moveCursor(tx, messageId, { cursor, coordinatedAt: isEnd ? now : null, now })
    afterCommit(tx, () => {
      deps.metrics.push.coordinated(page.selected)
      if (isEnd) deps.log.info({ message_id: messageId }, 'a campaign has all its batches')
    })
    return isEnd
  })
}

function batchEverybody(page: AudiencePage): AudiencePage {
  return { ...page, eligible: [...page.eligible, ...page.optedOut].toSorted((a, b) => a - b), optedOut: [] }
}

async function storePage(tx: Tx, messageId: number, page: AudiencePage, now: Date): Promise<void> {
  const { eligible, inactive, optedOut } = page
  const skips = [
    ...inactive.map((userId) => ({ messageId, userId, reason: 'inactive' as const })),
    ...optedOut.map((userId) => ({ messageId, userId, reason: 'opted_out' as const })),
  ]
  const people = [...skips, ...eligible.map((userId) => ({ userId, reason: null }))]
  await together(tx, (runner) =>
    Promise.all([
      setPlans(runner, 'by index'),
      insertBatches(runner, [{ messageId, userIds: eligible, dueAt: now }], now),
      ...groupByHome(tx, skips, ({ userId }) => userId).map(([home, own]) => insertSkips(runner, home, own, now)),
      ...groupByHome(tx, people, ({ userId }) => userId).map(([home, own]) =>
        addCounts(runner, home, [{ messageId, ...countSelected(own) }], messageId),
      ),
    ]),
  )
}

function countSelected(people: readonly { reason: SkipReason | null }[]) {
  return {
    selected: people.length,
    skipped_inactive: people.filter(({ reason }) => reason === 'inactive').length,
    skipped_opted_out: people.filter(({ reason }) => reason === 'opted_out').length,
  }
}
