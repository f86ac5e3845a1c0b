import type { Db } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { FLUSH_AT, isTooMany, PEOPLE_LEAST, share, WINDOW } from './gone-guard.ts'
import { hasProvenToken, lockPlatform, updatePlatform, type PlatformState } from './platforms.queries.ts'
import { isAboutOnePush, type ErrorCode, type Provider } from './provider.ts'
import { findProviderState, lockRemovals } from './provider-state.queries.ts'

type Rules = Pick<Provider, 'removesMismatched'>

export type PlatformGuard = ReturnType<typeof createPlatformGuard>
/**
 * What a provider said of one push; `code` absent: it was accepted or delivered. `isUnproven`: the provider keeps
 * which tokens are proven, and this one was not.
 */
export type PlatformResult = {
  platform: Platform
  userId: number
  code?: ErrorCode | undefined
  isUnproven?: boolean
}
export type PausedPlatform = { platform: Platform; code: ErrorCode }

/**
 * Decision B13: pauses a platform when most results are refused credentials, or over 30 % of the last 1,000 are of
 * tokens that are not of our app, environment or project.
 */
export function createPlatformGuard(db: Db, { name: provider, ...rules }: Rules & Pick<Provider, 'name'>) {
  const gathered = new Map<Platform, number>()
  /** Gives the platforms that it paused, by their latest results. `leftAt`: when the pushes left. */
  const judge = async (results: PlatformResult[], about: { leftAt: Date; now: Date }): Promise<PausedPlatform[]> => {
    const paused: PausedPlatform[] = []
    for (const [platform, own] of Map.groupBy(results, (result) => result.platform)) {
      const count = (gathered.get(platform) ?? 0) + own.length
      const faults = own.filter(({ code }) => isPlatformFault(rules, platform, code))
      const isGathered = faults.length === 0 && count < FLUSH_AT
      gathered.set(platform, isGathered ? count : 0)
      if (isGathered) continue
      const of = { provider, platform, results: count, latest: own.length }
      const code = await countFaults(db, { ...of, faults, ...about })
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
  /** The part of `results` that came with the faults. */
  latest: number
  faults: PlatformResult[]
  leftAt: Date
  now: Date
}

/** Counted, judged and paused under one lock; removals wait for it, and none follows a pause. */
function countFaults(
  db: Db,
  { provider, platform, results, latest, faults: all, leftAt, now }: Counted,
): Promise<ErrorCode | undefined> {
  return inTransaction(db, async (tx) => {
    await lockRemovals(tx, provider, 'alone')
    const before = await lockPlatform(tx, provider, platform)
    if (before.paused_since !== null || (await findProviderState(tx, provider)).resumed_at > leftAt) return undefined
    const acceptsSome = async () => results > all.length || (await hasProvenToken(tx, { provider, platform }))
    const ofProven = all.filter(({ isUnproven }) => isUnproven !== true)
    // Anybody may register invented tokens, so faults of tokens that were never proven do not count. Where the platform
    // accepts nothing and has no proven token, our key, topic or environment may be wrong: then all count.
    const isOurs = ofProven.length === all.length || !(await acceptsSome())
    const faults = isOurs ? all : ofProven
    const ignored = all.length - faults.length
    const count = (chosen: PlatformResult[]) => share(chosen.length, latest - ignored)
    const refused = faults.filter(({ code }) => code === 'InvalidCredentials')
    const state = rotated(before)
    const counts = {
      ...state,
      people: [...new Set([...state.people, ...faults.map(({ userId }) => userId)])].slice(0, PEOPLE_LEAST),
      results: state.results + Math.min(results - ignored, WINDOW),
      refused: state.refused + count(refused),
      mismatched: state.mismatched + count(faults) - count(refused),
    }
    const code = findVerdict(counts, faults)
    const pause = code && { paused_since: now, paused_code: code }
    await updatePlatform(tx, { provider, platform }, { ...counts, ...pause })
    return code
  })
}

function rotated(state: PlatformState): PlatformState {
  if (state.results < WINDOW / 2) return state
  const { results: earlier_results, refused: earlier_refused, mismatched: earlier_mismatched } = state
  const fresh = { results: 0, refused: 0, mismatched: 0, people: [] }
  return { ...state, ...fresh, earlier_results, earlier_refused, earlier_mismatched }
}

function findVerdict(state: PlatformState, faults: PlatformResult[]): ErrorCode | undefined {
  if (state.people.length < PEOPLE_LEAST) return undefined
  const results = state.results + state.earlier_results
  if ((state.refused + state.earlier_refused) * 2 > results) return 'InvalidCredentials'
  return isTooMany(state.mismatched + state.earlier_mismatched, results) ? findCommonest(faults) : undefined
}

/** Only the latest faults of tokens are known one by one. */
function findCommonest(faults: PlatformResult[]): ErrorCode {
  const byCode = [
    ...Map.groupBy(
      faults.filter(({ code }) => code !== 'InvalidCredentials'),
      ({ code }) => code,
    ),
  ]
  const [commonest] = byCode.toSorted(([, one], [, other]) => other.length - one.length)
  return commonest?.[0] ?? 'MismatchSenderId'
}

/** Whether it may be the fault of a platform's credentials. */
export function isAboutPlatform(code: ErrorCode): boolean {
  return isAboutOnePush(code) && code !== 'DeviceNotRegistered'
}

/** Expo says `MismatchSenderId` of Android alone. */
function isPlatformFault({ removesMismatched }: Rules, platform: Platform, code: ErrorCode | undefined): boolean {
  if (code === undefined || !isAboutPlatform(code)) return false
  return code !== 'MismatchSenderId' || platform === 'android' || removesMismatched !== true
}
