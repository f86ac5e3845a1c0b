import type { PushDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { setPlans, withPlans } from '../../platform/db/planner.ts'
import { afterCommit, together } from '../../platform/db/transaction.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import { traced } from '../../platform/tracing/tracing.ts'
import { inWork } from '../../platform/work/work.ts'
import { insertToldBatches } from '../ledger/ledger.queries.ts'
import { completeMessages, endAtHome } from '../messages/control.ts'
import { hasOutgrown } from '../messages/staff-send.ts'
import { selectAudiencePage, type AudiencePage } from '../records/audience.queries.ts'
import { tellHomesOf } from '../records/home-messages.queries.ts'
import { eachHome } from '../records/home.queries.ts'
import { addCounts } from '../records/counts.queries.ts'
import { findCursor, listTraces, lockMessage, moveCursor, setMessageStatus } from '../records/messages.queries.ts'
import { APPROVAL_NEEDED } from '../records/unfinished.queries.ts'
import { insertSkips } from '../records/skips.queries.ts'

// A transaction makes 100 batches: short enough to stop between two, long enough that commits cost little.
const USERS_PER_PAGE = 5_000

/**
 * Spec: sending rule 5, a transaction a page of a home; its cursor lets no user be taken twice. Ends what waits of a
 * message that was stopped. A home whose server is away holds up no other: it throws at the end, to be tried again.
 * True: nothing is left to do.
 */
export async function coordinate(deps: PushDeps, messageId: number, signal: AbortSignal): Promise<boolean> {
  const of = deps.tracing.isOn ? await listTraces(deps.db, [messageId]) : []
  return traced(deps.tracing, 'coordinate', { of, attributes: { message_id: messageId } }, async () => {
    await eachHome(deps.db, async (home) => {
      while (!signal.aborted && !(await coordinatePage(deps, messageId, home)));
    })
    if (signal.aborted) return false
    await completeMessages(deps, [messageId])
    return true
  })
}

function coordinatePage(deps: PushDeps, messageId: number, home: number): Promise<boolean> {
  return inWork(deps, THE_SERVICE, async (work) => {
    const { tx } = work
    const message = await lockMessage(tx, messageId)
    if (message?.status === 'stopped') return withPlans(tx, 'by index', () => endAtHome(work, messageId, home))
    if (message === undefined || message.audience === 'users' || message.coordinated_at !== null) return true
    // The message is paused: a resume enqueues the coordinator again.
    if (message.status !== 'queued' && message.status !== 'sending') return true
    const now = work.now()
    if (await hasOutgrown(work, message)) {
      await setMessageStatus(tx, messageId, { status: 'paused', pauseReason: APPROVAL_NEEDED, now })
      return true
    }
    const last = message.last_user_id
    const range = { audience: message.audience, home, after: findCursor(message, home), last }
    const [, page] = await together(tx, (runner) =>
      Promise.all([
        message.audience === 'all' && setPlans(runner, 'by range'),
        selectAudiencePage(runner, range, USERS_PER_PAGE),
      ]),
    )
    // The claim decides about who switched pushes off where their inbox has the message.
    const batched = message.type === 'promotional' ? page : batchEverybody(page)
    await storePage(tx, home, { messageId, page: batched, now })
    if (batched.eligible.length > 0) work.announce()
    const isEnd = page.selected < USERS_PER_PAGE
    const moved = await moveCursor(tx, message, { home, cursor: isEnd ? last : (page.cursor ?? last), now })
    afterCommit(tx, () => {
      deps.metrics.push.coordinated(page.selected)
      if (moved.coordinated_at !== null) deps.log.info({ message_id: messageId }, 'a campaign has all its batches')
    })
    return isEnd
  })
}

function batchEverybody(page: AudiencePage): AudiencePage {
  return { ...page, eligible: [...page.eligible, ...page.optedOut].toSorted((a, b) => a - b), optedOut: [] }
}

type Stored = { messageId: number; page: AudiencePage; now: Date }

async function storePage(tx: Tx, home: number, { messageId, page, now }: Stored): Promise<void> {
  const { eligible, inactive, optedOut } = page
  const skips = [
    ...inactive.map((userId) => ({ messageId, userId, reason: 'inactive' as const })),
    ...optedOut.map((userId) => ({ messageId, userId, reason: 'opted_out' as const })),
  ]
  const people = [...skips, ...eligible.map((userId) => ({ userId, reason: null }))]
  if (eligible.length > 0) await tellHomesOf(tx, new Map([[messageId, new Set([home])]]))
  await together(tx, (runner) =>
    Promise.all([
      setPlans(runner, 'by index'),
      insertToldBatches(runner, [{ messageId, userIds: eligible, dueAt: now }], now),
      insertSkips(runner, home, skips, now),
      people.length > 0 && addCounts(runner, home, [{ messageId, ...countSelected(people) }], messageId),
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
