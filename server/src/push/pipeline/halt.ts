import type { PushDeps, Sender } from '../deps.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { THE_SERVICE, type Actor } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { PLATFORMS } from '../../platform/shared/words.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { inWork } from '../../platform/work/work.ts'
import { countGoneLately } from '../devices/removed-devices.queries.ts'
import { restoreDevices } from '../devices/devices.ts'
import { wakeWork } from '../checks/checks.ts'
import { inLedgers } from '../ledger/plan.ts'
import { resumeAfterHalt } from '../messages/control.ts'
import { closeBreaker } from '../provider/breaker.ts'
import type { Transition } from '../provider/breaker-rules.ts'
import { areOfManyPeople, type GoneReport, type Verdict } from '../provider/gone-guard.ts'
import type { PausedPlatform, PlatformResult } from '../provider/platform-guard.ts'
import { listPausedPlatforms, resumePlatforms } from '../provider/platforms.queries.ts'
import {
  findProviderState,
  HALTED_BY_HAND,
  haltProvidersByHand,
  haltUnlessResumed,
  lockProviderStates,
  lockRemovals,
  type ProviderState,
} from '../provider/provider-state.queries.ts'
import { listNames } from '../provider/registry.ts'
import { hasOpenAlert, raiseAlert, resolveAlert, resolveAlerts } from '../records/alerts.queries.ts'
import { eachHome } from '../records/home.queries.ts'
import { pauseRunningCampaigns } from '../records/messages.queries.ts'
import { listHaltedCampaigns, listWaitingFor } from '../records/unfinished.queries.ts'
import { describePause } from '../records/describe-pause.ts'
import { WORK_LOST } from './kept-tickets.ts'

const WORK_A_ROUND = 1_000
const UNDO_MS = 60 * 60 * 1_000
const MASS_GONE = 'DeviceNotRegistered'
const PROVIDER_DOWN = 'ProviderUnavailable'
const UNNAMED = 'Unauthorized'
/** The code of a halt after a backup was restored (ADR 17). */
export const RESTORED = 'Restored'
/** The code until a restore has ended: no process starts on such a database. */
export const RESTORING = 'Restoring'

/** Alerts for administrators; a halt that leaves no provider to send by pauses every campaign. */
export async function applyTransition(sender: Sender, transition: Transition | undefined): Promise<void> {
  if (transition === undefined) return
  const now = fromNow(sender.clock)
  const { name: provider } = sender.provider
  if (transition === 'closed') return resolveAlerts(sender.db, { provider, code: PROVIDER_DOWN }, now)
  if (transition === 'halted') return announceHalt(sender, provider)
  if (transition === 'refused') return announceHalt(sender, provider, UNNAMED)
  sender.log.error({ provider }, 'the push provider does not answer; sending waits')
  const detail = 'The push provider does not answer. Sending waits and resumes by itself.'
  await raiseAlert(sender.db, { code: PROVIDER_DOWN, detail, provider }, now)
}

/** Pauses platforms whose credentials the provider refuses. `leftAt`: when the pushes left. */
export async function judgePlatforms(sender: Sender, results: PlatformResult[], leftAt: Date): Promise<void> {
  await announcePauses(sender, await sender.platformGuard.judge(results, { leftAt, now: fromNow(sender.clock) }))
}

/** If Android was paused for a wrong sender, its phones of the last hour come back. */
async function announcePauses(sender: Sender, paused: PausedPlatform[]): Promise<void> {
  const { name: provider } = sender.provider
  for (const { platform, code } of paused) {
    if (code === 'MismatchSenderId' && sender.provider.removesMismatched)
      await restoreDevices(sender, { provider, reason: code }, fromNow(sender.clock, -UNDO_MS))
    const detail = `${describePause(code, platform)} Sending to ${platform} waits, all else goes on. Correct them, then resume sending.`
    await raiseAlert(sender.db, { code, detail, provider }, fromNow(sender.clock))
    sender.log.error({ provider, platform, code }, 'sending to a platform is paused')
  }
}

/** Whether devices that are called gone are removed (decision B11, `gone-guard.ts`). */
export async function assessGone(sender: Sender, report: GoneReport): Promise<Verdict> {
  const verdict = await sender.goneGuard.assess(report)
  if (verdict !== 'alert') return verdict
  const { name: provider } = sender.provider
  const since = fromNow(sender.clock, -UNDO_MS)
  const deviceIds = report.gone.map(({ deviceId }) => deviceId)
  const lately = await countGoneLately(sender.db, { provider, reason: MASS_GONE, since, deviceIds })
  return areOfManyPeople(lately) ? 'alert' : 'remove'
}

/**
 * Too many are gone: the provider halts, and then the devices of the last hour are restored (decision B11). In this
 * order nothing is removed after the restoring, because nothing is removed while the provider is halted.
 */
export async function haltForGoneDevices(sender: Sender, leftAt: Date): Promise<void> {
  const { name: provider } = sender.provider
  const code = MASS_GONE
  const isHalted = await inTransaction(sender.db, async (tx) => {
    await lockRemovals(tx, provider, 'alone')
    return haltUnlessResumed(tx, provider, { code, now: fromNow(sender.clock), aboutAt: leftAt })
  })
  sender.log.error({ provider }, 'too many devices are reported gone; none is removed')
  await bringBack(sender, provider, fromNow(sender.clock))
  if (isHalted) await announceHalt(sender, provider, code)
}

/** Devices of the last hour before the alarm. A failure keeps nobody from being told; the sweep tries again. */
async function bringBack({ log, ...deps }: PushDeps, provider: string, alarmAt: Date): Promise<void> {
  const since = new Date(alarmAt.getTime() - UNDO_MS)
  try {
    const restored = await restoreDevices(deps, { provider, reason: MASS_GONE }, since)
    if (restored > 0) log.error({ provider, restored }, 'devices that were reported gone are restored')
  } catch (error) {
    log.error({ err: error, provider }, 'devices that were reported gone could not be restored')
  }
}

/**
 * The halt lasts until somebody resumes (ADR 4). The switch is committed first, alone: no lock on a campaign delays it.
 */
export async function haltByHand(
  deps: PushDeps,
  by: Actor,
  { providers, reason }: { providers: string[]; reason: string },
): Promise<void> {
  const halted = await inWork(deps, by, async ({ tx, now, audit }) => {
    await lockProviderStates(tx, providers)
    const names = await haltProvidersByHand(tx, providers, { by: by.userId, reason, now: now() })
    const change = { before: null, after: { providers: names, reason }, subjectId: null }
    if (names.length > 0) await audit({ action: 'sending.halt', entity: 'sending', change })
    return names
  })
  for (const provider of halted)
    await announceHalt(deps, provider, HALTED_BY_HAND).catch((error: unknown) =>
      deps.log.error({ err: error, provider }, 'the alert of a halt could not be raised; the sweep will raise it'),
    )
}

/** Raises or resolves the alerts that a process which died could not. Campaigns that no halt holds go on. */
export async function catchUpAlerts(deps: PushDeps): Promise<void> {
  for (const inUse of deps.providers) {
    const { name } = inUse.provider
    const sender = { ...deps, ...inUse }
    const { breaker, breaker_code, breaker_since } = await findProviderState(deps.db, name)
    const code = breaker === 'halted' ? (breaker_code ?? UNNAMED) : PROVIDER_DOWN
    if (breaker === 'closed') await applyTransition(sender, 'closed')
    else if (!(await hasOpenAlert(deps.db, code, name)))
      await applyTransition(sender, breaker === 'halted' ? 'halted' : 'opened')
    if (code === MASS_GONE && breaker_since !== null && breaker_since > fromNow(deps.clock, -UNDO_MS))
      await bringBack(deps, name, breaker_since)
    for (const paused of await listPausedPlatforms(deps.db, name))
      if (!(await hasOpenAlert(deps.db, paused.code, name))) await announcePauses(sender, [paused])
  }
  await resumeCampaigns(deps)
}

/**
 * Resolves their alerts and resumes campaigns that a halt paused; returns the number of campaigns. Absent `providers`:
 * all of the database.
 */
export async function resumeByHand(deps: PushDeps, by: Actor, providers?: string[]): Promise<number> {
  const names = await inWork(deps, by, async (work) => {
    const states = await lockProviderStates(work.tx)
    const chosen = states.filter(({ provider }) => providers?.includes(provider) ?? true)
    for (const state of chosen) {
      await closeBreaker(work, state)
      await resolveAlerts(work.tx, { provider: state.provider }, work.now())
    }
    const resumed = chosen.map(({ provider }) => provider)
    await resumePlatforms(work.tx, resumed)
    await resolveAlert(work.tx, WORK_LOST, work.now())
    const change = { before: null, after: { providers: resumed }, subjectId: null }
    await work.audit({ action: 'sending.resume', entity: 'sending', change })
    work.announce()
    return resumed
  })
  const inUse = [...new Set([...listNames(deps.providers), ...names])]
  const resumed = await resumeCampaigns(deps, inUse)
  await wakeResumed(deps, inUse).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'pushes to a platform that was resumed still wait; the sweep will send them'),
  )
  return resumed
}

/** What waits for a platform that is not paused is due, after a resume and each minute: a claim may run beside one. */
export async function wakeResumed(deps: PushDeps, providers = listNames(deps.providers)): Promise<void> {
  for (const provider of providers) {
    const paused = (await listPausedPlatforms(deps.db, provider)).map(({ platform }) => platform)
    for (const platform of PLATFORMS.filter((one) => !paused.includes(one)))
      await eachHome(deps.db, (home) => wakePlatform(deps, { home, provider, platform }))
  }
}

/** Wakes in rounds, each in a transaction of its own, which hold up no lane. */
async function wakePlatform(deps: PushDeps, of: { home: number; provider: string; platform: Platform }): Promise<void> {
  const wakeAfter = (after: number) =>
    inLedgers(deps, async (work) => {
      const waiting = await listWaitingFor(work.tx, of, { after, limit: WORK_A_ROUND })
      await wakeWork(work, of.home, waiting)
      return waiting[WORK_A_ROUND - 1]?.workId
    })
  for (let last: number | undefined = 0; last !== undefined;) last = await wakeAfter(last)
}

async function resumeCampaigns(deps: PushDeps, providers = listNames(deps.providers)): Promise<number> {
  let resumed = 0
  // Each in its own transaction: a campaign that is locked for long delays no other.
  for (const messageId of await listHaltedCampaigns(deps.db))
    await inWork(deps, THE_SERVICE, async (work) => {
      const states = await lockProviderStates(work.tx, providers)
      if (states.some(({ breaker }) => breaker !== 'halted') && (await resumeAfterHalt(work, messageId))) resumed++
    })
  return resumed
}

/** Takes the same locks as a resume, so a halt that was resumed meanwhile pauses nothing. */
async function announceHalt(deps: PushDeps, provider: string, because?: string): Promise<void> {
  const now = fromNow(deps.clock)
  await inTransaction(deps.db, async (tx) => {
    const states = await lockProviderStates(tx)
    const own = states.find((state) => state.provider === provider)
    if (own?.breaker !== 'halted') return
    const code = because ?? own.breaker_code ?? UNNAMED
    const names = listNames(deps.providers)
    // A person's command may lack the settings by which the service goes on sending.
    const inUse = code === HALTED_BY_HAND ? states : states.filter((state) => names.includes(state.provider))
    const isLast = inUse.every(({ breaker }) => breaker === 'halted')
    const paused = isLast ? await pauseRunningCampaigns(tx, code, now) : []
    await raiseAlert(tx, { code, detail: describeHalt(code, own.halt_reason, states), provider }, now)
    deps.log.error({ provider, code, campaigns: paused.length }, 'sending is halted')
  })
}

function describeHalt(code: string, reason: string | null, states: ProviderState[]): string {
  if (code === RESTORED)
    return 'The database was restored from a backup. Check the campaigns, stop those that were sent after the backup, then resume sending.'
  if (code === MASS_GONE)
    return (
      'Far more devices than usual were reported as gone. ' +
      'Sending is halted and none was removed. Check the provider, then resume sending.'
    )
  if (code === HALTED_BY_HAND && reason !== null) return `Sending was halted by hand: ${reason}`
  if (code !== UNNAMED) return 'Sending was halted by hand. Resume it when it may go on.'
  const ofProviders = states.filter((state) => state.breaker === 'halted' && state.breaker_code === code)
  const advice = ofProviders.flatMap((state) => (state.halt_reason ? [`${state.provider}: ${state.halt_reason}`] : []))
  const says = advice.length > 0 ? advice.join(' ') : 'The push provider refuses our credentials.'
  return `${says} Sending is halted; no device was removed. Correct them, then resume sending.`
}
