import type { PushDeps } from '../deps.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { isDatabaseUnavailable, isInTheWay, toCoordinator } from '../../platform/db/transaction.ts'
import { sleep, type Clock } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import type { Work } from '../../platform/work/work.ts'
import { raiseAlert } from '../records/alerts.queries.ts'
import { addCounts } from '../records/counts.queries.ts'
import { requireRequestId, type Answered, type Claim, type ClaimedPush } from './claim.ts'

/** What a worker keeps in memory of claims whose answers have come. */
export type Keeping = {
  /** Absent: settled claims are not remembered. */
  settled?: SettledClaims
  /** Reports that the loop is alive while it waits for the database. */
  isAlive?: () => void
  /** Reports that answers are kept, because the database is away. */
  onKept?: () => void
}

/** A push that is accepted before its request is wholly answered. */
export type Ticket = { push: ClaimedPush; ticketId: string }

export type LostWork = { requests: number; pushes: number; mayHaveArrived: number }

type Settled = { claim: Claim; answers: Answered[] }

/** The claims that a worker settled recently; a new primary may not have them. */
export type SettledClaims = {
  add(settled: Settled): void
  /** Oldest first; they are removed from memory. */
  take(): Settled[]
  /** How often they were taken. A worker that waited to take them asks whether another did so meanwhile. */
  takes(): number
}

const RETRY_MS = 500
const BLOCKED_AT_MOST_MS = 120_000
const REMEMBERED_MS = 60_000
const REMEMBERED_PUSHES_MAX = 20_000

/** The alert is about no provider, and resuming sending clears it. */
export const WORK_LOST = 'CommittedWorkLost'
const DETAIL =
  'The database lost what it had committed, as after a failover to a server that was behind. Pushes of that time may be sent twice; they are counted as possible duplicates. Other changes of that time may be lost too. Read "After a failover" in the operations page; resuming sending clears this alert.'

/** Retries `store` while the database is unreachable, and for two minutes after conflicts; otherwise rethrows. */
export async function keepTickets<Stored>(
  { log, lifecycle, isAlive, onKept }: Pick<PushDeps, 'log' | 'lifecycle'> & Keeping,
  { number: claim }: Pick<Claim, 'number'>,
  answers: Answered[],
  store: () => Promise<Stored>,
): Promise<Stored> {
  const accepted = answers.flatMap(({ outcomes }) => outcomes).filter(({ kind }) => kind === 'accepted').length
  const { signal } = lifecycle.givingUp
  let keptSince: number | undefined
  let blockedSince: number | undefined
  const mayRepeat = (error: unknown) => {
    const now = performance.now()
    const isAway = isDatabaseUnavailable(error)
    blockedSince = isAway ? undefined : (blockedSince ?? now)
    const isBlocked = isInTheWay(error) && now - (blockedSince ?? now) <= BLOCKED_AT_MOST_MS
    return !signal.aborted && (isAway || isBlocked)
  }
  // It runs while a statement hangs on a dead link: the process does not wait for it.
  const tell = () => {
    log.error({ claim, accepted }, 'the process stops with tickets that it could not store; they are lost')
  }
  signal.addEventListener('abort', tell)
  try {
    for (;;) {
      try {
        const stored = await store()
        const afterMs = keptSince === undefined ? 0 : Math.round(performance.now() - keptSince)
        if (keptSince !== undefined) log.info({ claim, accepted, afterMs }, 'kept tickets were stored')
        return stored
      } catch (error) {
        const { code = '' } = error as { code?: string }
        if (!mayRepeat(error)) throw error
        if (keptSince === undefined)
          log.warn({ claim, code, accepted }, 'tickets could not be stored yet; they are kept in memory')
        keptSince ??= performance.now()
        isAlive?.()
        if (blockedSince === undefined) onKept?.()
        await sleep(RETRY_MS, signal)
      }
    }
  } finally {
    signal.removeEventListener('abort', tell)
  }
}

/**
 * A round ends as `otherwise` when its answers are kept and the database has several homes: people of other homes do
 * not wait for the server that is away. `kept` has those that go on.
 */
export async function unlessKept<T>(
  sender: Pick<PushDeps, 'db' | 'log'>,
  { otherwise, kept }: { otherwise: T; kept: Set<Promise<unknown>> },
  run: (onKept: () => void) => Promise<T>,
): Promise<T> {
  const away = Promise.withResolvers<undefined>()
  const round = run(() => away.resolve(undefined))
  if (countHomes(sender.db) === 1) return round
  const failed = (error: unknown) => sender.log.error({ err: error }, 'kept answers could not be stored')
  const ended = await Promise.race([round.then((result) => ({ result })), away.promise])
  if (ended !== undefined) return ended.result
  const rest: Promise<unknown> = round.catch(failed).finally(() => kept.delete(rest))
  kept.add(rest)
  return otherwise
}

/** How often a claim that is missing is looked for again. */
export type Looks = { left: number }

/**
 * Where servers commit in two phases, one that ended in between has the claim a moment later. It keeps its batches
 * locked until then, so the look that misses it ends after that, and one more is enough.
 */
export function countLooks({ db }: Pick<PushDeps, 'db'>): Looks {
  return { left: countHomes(db) > 1 ? 1 : 0 }
}

export const NOT_THERE_YET = Object.assign(new Error('The claim is not there yet.'), { code: '55P03' })

/** Their batches are due again without a row of the first push, so they count as possible duplicates (ADR 1). */
export async function countLost(
  { tx, now }: Work,
  { claim, lost, statuses }: { claim: Claim; lost: Answered[]; statuses: Map<number, MessageStatus> },
): Promise<LostWork> {
  const arrived = lost.flatMap(({ request, outcomes }) =>
    request.filter((_, index) => outcomes[index]?.kind !== 'refused'),
  )
  const byMessage = Map.groupBy(arrived, ({ messageId }) => messageId)
  const counts = Array.from(byMessage, ([messageId, { length }]) => ({ messageId, possible_duplicates: length }))
  await addCounts(
    tx,
    claim.home,
    counts.filter(({ messageId }) => statuses.has(messageId)),
    must(claim.number, 'claim of answers'),
  )
  await raiseAlert(toCoordinator(tx), { code: WORK_LOST, detail: DETAIL }, now())
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

/** Gives the tickets of requests that are not among the answers. */
export function sortOut(come: readonly (Answered | Ticket)[]): { answers: Answered[]; tickets: Ticket[] } {
  const answers = come.filter((one) => 'request' in one)
  const answered = new Set(answers.map(({ request }) => requireRequestId(request)))
  const tickets = come.filter((one) => 'ticketId' in one)
  return { answers, tickets: tickets.filter(({ push }) => !answered.has(push.requestId)) }
}

export function toParts(tickets: readonly Ticket[]): Answered[] {
  const byRequest = Map.groupBy(tickets, ({ push }) => push.requestId)
  return Array.from(byRequest.values(), (own) => ({
    request: own.map(({ push }) => push),
    outcomes: own.map(({ ticketId }) => ({ kind: 'accepted', ticketId })),
    wasSent: own.map(() => true),
    health: { kind: 'healthy' },
    isPart: true,
  }))
}

export function logLostClaim({ log }: Pick<PushDeps, 'log'>, claim: Claim, lost: LostWork): void {
  log.error({ claim: claim.number, startedAt: claim.startedAt, ...lost }, 'the database lost committed work')
}
