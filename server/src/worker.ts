import type { Deps } from './deps.ts'
import { carryOutDueDecisions } from './administration/cases/decisions.ts'
import { createHandlers, type Handlers } from './handlers.ts'
import { QUEUE_NAMES, type QueueName } from './platform/jobs/queue.ts'
import { startMails } from './identity/mails/send-mails.ts'
import { renderMail } from './marketplace/texts/mails.ts'
import { createWakeSignal } from './platform/jobs/wake-signal.ts'
import { listenForWork } from './platform/jobs/wake-up.ts'
import { workOn } from './platform/jobs/run-jobs.ts'
import { startBadges } from './push/badges/realtime.ts'
import { createContact } from './platform/jobs/contact.ts'
import { createFailureLog } from './push/pipeline/failure-log.ts'
import { createSettledClaims } from './push/pipeline/kept-tickets.ts'
import { startLanes, type LaneSignals } from './push/pipeline/lanes.ts'
import { startAhead } from './push/pipeline/ahead.ts'
import { startPoller } from './push/pipeline/poller.ts'
import { retrySettling } from './push/pipeline/settle.ts'
import { createTurns } from './push/pipeline/turns.ts'

const RECEIPTS_A_RUN = 200_000
export const RECEIPT_RUNS_AT_ONCE = 4
const EVERY_MINUTE = '* * * * *'
const EVERY_TEN_MINUTES = '*/10 * * * *'
const EVERY_NIGHT = '17 3 * * *'
// Whoever has answers in hand after an outage stores them first: they try every half second.
const SWEEP_AFTER_MS = 15_000
const DECISIONS_WITHIN_MS = 120_000
const JOBS_END_WITHIN_MS = 20_000

/** Stopping finishes what is in flight; it takes as long as a request to the provider may. */
export async function startWorker(deps: Deps): Promise<{ stop: () => Promise<void> }> {
  const { queue, log } = deps
  const { until } = deps.lifecycle
  const ending = new AbortController()
  const contact = createContact()
  const steadyMs = Math.min(SWEEP_AFTER_MS, deps.config.PUSH_LEASE_SECONDS * 250)
  const handlers = createHandlers(deps, (home) => contact.hasHomeFor(steadyMs, home))
  const pipelining = { ...deps, db: deps.pipelined }

  const work = <Name extends QueueName>(name: Name, run: Handlers[Name] = handlers[name], atOnce = 1) =>
    workOn(deps, name, (payload, signal) => run(payload, AbortSignal.any([signal, ending.signal]), signal), atOnce)
  await work('coordinate')
  await work('fetch-receipts', createHandlers(pipelining)['fetch-receipts'], RECEIPT_RUNS_AT_ONCE)
  await work('run-export')
  await work('run-bulk-change')
  await work('sweep', async (payload, signal) => {
    if (await contact.steadyFor(steadyMs, signal)) await handlers.sweep(payload, signal)
  })
  await work('account-chores')
  await work('marketplace-chores')
  await work('refresh-insights')
  await work('check-badges')
  await work('retention')
  await scheduleJobs(queue)

  const signals = new Map<string, LaneSignals>()
  const turns = createTurns(deps.providers.length, deps.config.DATABASE_POOL)
  const lanes = deps.providers.map((ofProvider) => {
    const own = { transactional: createWakeSignal(), campaign: createWakeSignal() }
    signals.set(ofProvider.provider.name, own)
    const parts = {
      ...pipelining,
      ...ofProvider,
      turns,
      settled: createSettledClaims(deps.clock),
      failures: createFailureLog(deps, ofProvider.provider.name),
    }
    deps.onServerChange(() => {
      retrySettling(parts).catch((error: unknown) =>
        log.error({ err: error }, 'lately settled claims were not checked'),
      )
    })
    return startLanes(parts, own, ending.signal)
  })
  const badgeSignal = createWakeSignal()
  const badges = startBadges(deps, badgeSignal, ending.signal)
  const aheadSignal = createWakeSignal()
  const ahead = startAhead(pipelining, aheadSignal, ending.signal)
  const mailSignal = createWakeSignal()
  queue.waiting.set('mails', mailSignal.wake)
  const decisionsDue = createWakeSignal()
  queue.waiting.set('desk-decisions', decisionsDue.wake)
  const decisions = deps.loops.run(
    {
      name: 'desk decisions',
      work: decisionsDue,
      signal: ending.signal,
      withinMs: DECISIONS_WITHIN_MS,
      failed: (error) => log.warn({ err: error }, 'decisions could not be carried out; that is tried again'),
    },
    () => carryOutDueDecisions(deps),
  )
  const mails = startMails(deps, renderMail, { work: mailSignal, signal: ending.signal })
  const listener = listenForWork({ url: deps.config.DATABASE_URL, pool: deps.pool, log }, queue.wake)
  const wakes = { lanes: signals, badges: badgeSignal.wake, ahead: aheadSignal.wake }
  const poller = startPoller(deps, { ...wakes, contact, hears: listener.hears }, ending.signal)

  const stop = async () => {
    ending.abort()
    // Each would take the next job, which would end as it began. A job that is on its way here still comes.
    for (const name of QUEUE_NAMES) void queue.boss.offWork(name, { wait: false })
    await Promise.all([
      until('the listener', listener.stop()),
      until('the poller', poller),
      until('badges', badges),
      until('mails', mails),
      ...lanes.map((lane) => until('lanes', lane)),
      until('deciding ahead', ahead),
      until('desk decisions', decisions),
    ])
    await until('jobs', queue.boss.stop({ graceful: true, close: false, timeout: JOBS_END_WITHIN_MS }))
  }
  return { stop }
}

async function scheduleJobs({ boss }: Deps['queue']): Promise<void> {
  await boss.schedule(
    'fetch-receipts',
    EVERY_MINUTE,
    { limit: RECEIPTS_A_RUN, dueOnly: true },
    { singletonKey: 'schedule' },
  )
  for (const name of ['sweep', 'marketplace-chores', 'account-chores', 'refresh-insights'])
    await boss.schedule(name, EVERY_MINUTE, {})
  await boss.schedule('retention', EVERY_TEN_MINUTES, {})
  await boss.schedule('check-badges', EVERY_NIGHT, {})
}
