import type { PushDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { Clock } from '../../platform/shared/clock.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import { raiseAlert } from '../records/alerts.queries.ts'
import type { Claim } from './claim.ts'
import { addCounts } from '../records/counts.queries.ts'
import type { Answered } from './copy-outcomes.ts'

export type LostWork = { requests: number; pushes: number; mayHaveArrived: number }

type Settled = { claim: Claim; answers: Answered[] }

/** The claims that a worker settled recently; a new primary may not have them. */
export type SettledClaims = {
  add(settled: Settled): void
  /** Oldest first; they are removed from memory. */
  take(): Settled[]
  /** How often they were taken. */
  takes(): number
}

const REMEMBERED_MS = 60_000
const REMEMBERED_PUSHES_MAX = 20_000

/** The alert is about no provider, and resuming sending clears it. */
export const WORK_LOST = 'CommittedWorkLost'
const DETAIL =
  'The database lost what it had committed, as after a failover to a server that was behind. Pushes of that time may be sent twice; they are counted as possible duplicates. Other changes of that time may be lost too. Read "After a failover" in the operations page; resuming sending clears this alert.'

/** Their batches are due again without a row of the first push, so they count as possible duplicates (ADR 1). */
export async function countLost(
  tx: Tx,
  { claim, lost, statuses }: { claim: Claim; lost: Answered[]; statuses: Map<number, MessageStatus> },
  now: Date,
): Promise<LostWork> {
  const arrived = lost.flatMap(({ request, outcomes }) =>
    request.filter((_, index) => outcomes[index]?.kind !== 'refused'),
  )
  const byMessage = Map.groupBy(arrived, ({ messageId }) => messageId)
  const counts = Array.from(byMessage, ([messageId, { length }]) => ({ messageId, possible_duplicates: length }))
  await addCounts(
    tx,
    counts.filter(({ messageId }) => statuses.has(messageId)),
    must(claim.number, 'claim of answers'),
  )
  await raiseAlert(tx, { code: WORK_LOST, detail: DETAIL }, now)
  return {
    requests: lost.length,
    pushes: lost.reduce((sum, { request }) => sum + request.length, 0),
    mayHaveArrived: arrived.length,
  }
}

/** It remembers the last minute, up to 20,000 pushes, so that memory stays bounded. */
export function createSettledClaims(clock: Clock): SettledClaims {
  let remembered: (Settled & { at: number; pushes: number })[] = []
  let pushes = 0
  let takes = 0
  const forget = () => {
    const oldest = clock.now() - REMEMBERED_MS
    while (remembered[0] && (remembered[0].at < oldest || pushes > REMEMBERED_PUSHES_MAX))
      pushes -= remembered.shift()?.pushes ?? 0
  }
  return {
    add: (settled) => {
      const own = settled.answers.reduce((sum, { request }) => sum + request.length, 0)
      remembered.push({ ...settled, at: clock.now(), pushes: own })
      pushes += own
      forget()
    },
    take: () => {
      forget()
      const taken = remembered
      ;[remembered, pushes, takes] = [[], 0, takes + 1]
      return taken
    },
    takes: () => takes,
  }
}

export function logLostClaim({ log }: Pick<PushDeps, 'log'>, claim: Claim, lost: LostWork): void {
  log.error({ claim: claim.number, startedAt: claim.startedAt, ...lost }, 'the database lost committed work')
}
