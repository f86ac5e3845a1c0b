import type { Db, Tx } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { deletePlatformPeople, lockPlatform, updatePlatform, type PlatformState } from './platforms.queries.ts'
import type { ErrorCode } from './provider.ts'
import { FLUSH_AT } from './removal-guard.ts'
import { findProviderState, lockRemovals } from './provider-state.queries.ts'

// Decision B13: most of the latest results, or over 30 % of the last 1,000.
const WINDOW = 1_000
const MISMATCHED_LIMIT = 300
/** Fewer people than this pause nothing. */
const PEOPLE_LEAST = 10

/** What a provider said of one push; `code` absent: it was accepted or delivered. */
export type PlatformResult = { platform: Platform; userId: number; code?: ErrorCode | undefined }
export type PausedPlatform = { platform: Platform; code: ErrorCode }

export type PlatformGuard = {
  /** Gives the platforms that it paused, by their latest results. `leftAt`: when the pushes left. */
  judge(results: PlatformResult[], about: { leftAt: Date; now: Date }): Promise<PausedPlatform[]>
}

/** Good results are gathered here first, so that neither a single push nor a campaign writes them. */
export function createPlatformGuard(db: Db, provider: string): PlatformGuard {
  const gathered = new Map<Platform, number>()
  const judge: PlatformGuard['judge'] = async (results, about) => {
    const paused: PausedPlatform[] = []
    for (const [platform, own] of Map.groupBy(results, (result) => result.platform)) {
      const count = (gathered.get(platform) ?? 0) + own.length
      const faults = own.filter(({ code }) => faultOf(platform, code) !== undefined)
      gathered.set(platform, faults.length === 0 && count < FLUSH_AT ? count : 0)
      if (faults.length === 0 && count < FLUSH_AT) continue
      const code = await countFaults(db, { provider, platform, results: Math.min(count, WINDOW), faults, ...about })
      if (code !== undefined) paused.push({ platform, code })
    }
    return paused
  }
  return { judge }
}

type Counted = {
  provider: string
  platform: Platform
  results: number
  faults: PlatformResult[]
  leftAt: Date
  now: Date
}

/** Counted, judged and paused under one lock; removals wait for it, and none follows a pause. */
function countFaults(
  db: Db,
  { provider, platform, results, faults, leftAt, now }: Counted,
): Promise<ErrorCode | undefined> {
  return inTransaction(db, async (tx) => {
    await lockRemovals(tx, provider, 'alone')
    const before = await lockPlatform(tx, provider, platform)
    if (before.paused_since !== null || (await findProviderState(tx, provider)).resumed_at > leftAt) return undefined
    const of = (code: ErrorCode) => faults.filter((fault) => fault.code === code).length
    const state = rotated(before)
    const people = [...new Set([...state.people, ...faults.map(({ userId }) => userId)])].slice(0, PEOPLE_LEAST)
    const counts = {
      ...state,
      people,
      results: state.results + results,
      refused: state.refused + of('InvalidCredentials'),
      mismatched: state.mismatched + of('MismatchSenderId'),
    }
    const code = verdictOf(counts)
    await updatePlatform(
      tx,
      { provider, platform },
      { ...counts, ...(code && { paused_since: now, paused_code: code }) },
    )
    return code
  })
}

function rotated(state: PlatformState): PlatformState {
  if (state.results < WINDOW / 2) return state
  const { results: earlier_results, refused: earlier_refused, mismatched: earlier_mismatched } = state
  return {
    ...state,
    earlier_results,
    earlier_refused,
    earlier_mismatched,
    results: 0,
    refused: 0,
    mismatched: 0,
    people: [],
  }
}

function verdictOf(state: PlatformState): ErrorCode | undefined {
  if (state.people.length < PEOPLE_LEAST) return undefined
  const results = state.results + state.earlier_results
  const mismatched = state.mismatched + state.earlier_mismatched
  if ((state.refused + state.earlier_refused) * 2 > results) return 'InvalidCredentials'
  const isMost = mismatched > MISMATCHED_LIMIT && mismatched > results * (MISMATCHED_LIMIT / WINDOW)
  return isMost ? 'MismatchSenderId' : undefined
}

/** Whether it may be the fault of a platform's credentials. */
export function isAboutPlatform(code: ErrorCode): boolean {
  return code === 'InvalidCredentials' || code === 'MismatchSenderId'
}

/** `MismatchSenderId` is said of Android alone. */
function faultOf(platform: Platform, code: ErrorCode | undefined): ErrorCode | undefined {
  if (code === undefined || !isAboutPlatform(code)) return undefined
  return code === 'MismatchSenderId' && platform !== 'android' ? undefined : code
}

/** What a purge does (ADR 15). */
export async function forgetOnPlatforms(tx: Tx, userIds: number[]): Promise<void> {
  await deletePlatformPeople(tx, userIds)
}
