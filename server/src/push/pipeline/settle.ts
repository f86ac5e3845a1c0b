import type { PushDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { together } from '../../platform/db/transaction.ts'
import { isLastingFault, removeDevices, type GoneDevice } from '../devices/devices.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import type { PlatformResult } from '../provider/platform-guard.ts'
import type { GoneReport, Verdict } from '../provider/removal-guard.ts'
import { isAboutOnePush } from '../provider/provider.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import type { Ground } from '../../platform/work/work.ts'
import { requestOf, type Claim } from './claim.ts'
import { storeAnswer, toRequestResult, type Answered } from './copy-outcomes.ts'
import { announcePauses, raiseAlarm } from './halt.ts'
import { keepTickets } from './kept-tickets.ts'
import { countLost, logLostClaim, type LostWork, type SettledClaims } from './lost-claims.ts'
import { listMessageStatuses } from '../records/messages.queries.ts'
import { countPushes } from '../records/push-counts.ts'
import { carryOut, planFor } from '../ledger/plan.ts'
import { settleRequests } from '../ledger/requests.queries.ts'

export type SettleDeps = Ground &
  Pick<PushDeps, 'db' | 'log' | 'lifecycle' | 'metrics' | 'providers'> &
  Pick<ProviderInUse, 'provider' | 'removalGuard' | 'platformGuard'> & {
    /** Absent: settled claims are not remembered. */
    settled?: SettledClaims
    /** Reports that the loop is alive while it waits for the database. */
    isAlive?: () => void
  }

/** Transaction 2 of batches, all or nothing. Tickets wait for the database in memory, so that no push is doubled. */
export async function settle(deps: SettleDeps, claim: Claim, answers: Answered[]): Promise<void> {
  const report = readGone(claim, answers)
  const takes = deps.settled?.takes()
  let assessed: Verdict | undefined
  const { verdict, gone, lost } = await keepTickets(deps, claim, answers, async () => {
    assessed ??= await deps.removalGuard.assess({ ...report, gone: report.gone.filter(isMissing) })
    const toRemove = assessed === 'remove' ? report.gone : []
    const settling = { claim, answers, gone: toRemove }
    const missing = await inPlannedTransaction(deps.db, 'by index', (tx) => store(tx, deps, settling))
    return { verdict: assessed, gone: toRemove, lost: missing }
  })
  if (lost) logLostClaim(deps, claim, lost)
  else {
    if (gone.length > 0) deps.metrics.push.devicesGone(deps.provider.name, gone.length)
    deps.settled?.add({ claim, answers })
  }
  // The worker saw another server while this claim was being stored, so it did not look the claim up there.
  if (deps.settled && deps.settled.takes() !== takes) await settleAgain({ ...deps, settled: deps.settled })
  if (verdict === 'alarm') await raiseAlarm(deps, claim.startedAt)
  const about = { leftAt: claim.startedAt, now: fromNow(deps.clock) }
  await announcePauses(deps, await deps.platformGuard.judge(resultsOf(answers), about))
}

/** After a failover: stores tickets that the new server lost once more, and counts claims that it lost. */
export async function settleAgain(deps: SettleDeps & { settled: SettledClaims }): Promise<void> {
  for (const { claim, answers } of deps.settled.take()) {
    const lost = await keepTickets(deps, claim, answers, () =>
      inPlannedTransaction(deps.db, 'by index', (tx) => store(tx, deps, { claim, answers, gone: [] })),
    )
    if (lost) logLostClaim(deps, claim, lost)
  }
}

type Settling = { claim: Claim; answers: Answered[]; gone: GoneDevice[] }

/** Returns what the database lost of their claim, if anything. */
async function store(tx: Tx, deps: SettleDeps, { claim, answers, gone }: Settling): Promise<LostWork | undefined> {
  // Locks devices before batches, as registering a device does.
  await removeDevices(deps, tx, deps.provider.name, gone)
  const now = fromNow(deps.clock)
  const results = answers.map((answer) => toRequestResult(answer, now, deps))
  const batchIds = answers.flatMap(({ request }) => request.map(({ batchId }) => batchId))
  const [statuses, found, plan] = await together(tx, (runner) =>
    Promise.all([
      listMessageStatuses(runner, claim.messageIds),
      settleRequests(runner, { startedAt: claim.startedAt, results, now }),
      planFor(runner, batchIds, now),
    ]),
  )
  const lost = answers.filter(({ request }) => !found.has(requestOf(request)))
  if (lost.length > 0) return countLost(tx, { claim, lost, statuses }, now)
  const seed = must(claim.number, 'claim of answers')
  for (const answer of answers) storeAnswer(deps, plan, answer, statuses)
  const counted = await carryOut(tx, plan, seed)
  await countPushes(tx, counted, { at: now, seed })
  return undefined
}

function isMissing({ reason }: GoneDevice): boolean {
  return reason === 'DeviceNotRegistered'
}

/** The devices that tickets report gone, except those that registered after their push was claimed. */
function readGone({ startedAt }: Claim, answers: Answered[]): GoneReport & { gone: GoneDevice[] } {
  let results = 0
  const gone = answers.flatMap(({ request, outcomes }) =>
    request.flatMap((push, index) => {
      const outcome = outcomes[index]
      if (outcome?.kind === 'accepted') results++
      if (outcome?.kind !== 'refused' || !isLastingFault(outcome.code)) return []
      if (outcome.code === 'DeviceNotRegistered') results++
      return [{ deviceId: push.deviceId, sentAt: startedAt, reason: outcome.code }]
    }),
  )
  return { results, gone, leftAt: startedAt }
}

/** What the provider said of pushes one by one. */
function resultsOf(answers: Answered[]): PlatformResult[] {
  return answers.flatMap(({ request, outcomes }) =>
    request.flatMap(({ push: { platform }, userId }, index): PlatformResult[] => {
      const outcome = outcomes[index]
      if (outcome?.kind === 'accepted') return [{ platform, userId }]
      return outcome?.kind === 'refused' && isAboutOnePush(outcome.code)
        ? [{ platform, userId, code: outcome.code }]
        : []
    }),
  )
}
