import type { PushDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { closeBreaker } from '../provider/breaker.ts'
import type { Transition } from '../provider/breaker-rules.ts'
import { restoreDevices } from '../devices/devices.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import {
  findProviderState,
  HALTED_BY_HAND,
  haltProvidersByHand,
  haltUnlessResumed,
  lockProviderStates,
  lockRemovals,
} from '../provider/provider-state.queries.ts'
import type { PausedPlatform } from '../provider/platform-guard.ts'
import { listPausedPlatforms, resumePlatforms } from '../provider/platforms.queries.ts'
import { namesOf, type ProviderInUse } from '../provider/registry.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { hasOpenAlert, raiseAlert, resolveAlert, resolveAlerts } from '../records/alerts.queries.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { resumeAfterHalt } from '../messages/control.ts'
import { WORK_LOST } from './lost-claims.ts'
import { pauseRunningCampaigns } from '../records/messages.queries.ts'
import { listHaltedCampaigns } from '../records/unfinished.queries.ts'

type ResumeDeps = Ground & Pick<PushDeps, 'db' | 'log' | 'providers'>
type HaltDeps = ResumeDeps & Pick<ProviderInUse, 'provider'>

const UNDO_MS = 60 * 60 * 1_000
const PROVIDER_DOWN = 'ProviderUnavailable'
const UNNAMED = 'Unauthorized'
/** The code of a halt after a backup was restored (ADR 17). */
export const RESTORED = 'Restored'
/** The code until a restore has ended: no process starts on such a database. */
export const RESTORING = 'Restoring'

/** Alerts for administrators; a halt that leaves no provider to send by pauses every campaign. */
export async function applyTransition(deps: HaltDeps, transition: Transition | undefined): Promise<void> {
  if (transition === undefined) return
  const now = fromNow(deps.clock)
  const { name: provider } = deps.provider
  if (transition === 'closed') return resolveAlerts(deps.db, { provider, code: PROVIDER_DOWN }, now)
  if (transition === 'halted') return announceHalt(deps)
  if (transition === 'refused') return announceHalt(deps, UNNAMED)
  deps.log.error({ provider }, 'the push provider does not answer; sending waits')
  const detail = 'The push provider does not answer. Sending waits and resumes by itself.'
  await raiseAlert(deps.db, { code: PROVIDER_DOWN, detail, provider }, now)
}

/** If Android was paused for a wrong sender, its phones of the last hour come back. */
export async function announcePauses(deps: HaltDeps, paused: PausedPlatform[]): Promise<void> {
  const { name: provider } = deps.provider
  for (const { platform, code } of paused) {
    if (code === 'MismatchSenderId')
      await restoreDevices(deps, { provider, reason: code }, fromNow(deps.clock, -UNDO_MS))
    const detail = `The push provider refuses our credentials for ${platform}. Sending to ${platform} waits, all else goes on. Correct them, then resume sending.`
    await raiseAlert(deps.db, { code, detail, provider }, fromNow(deps.clock))
    deps.log.error({ provider, platform, code }, 'sending to a platform is paused')
  }
}

/**
 * Too many are gone: the provider halts, and then the devices of the last hour are restored (decision B11). In this
 * order nothing is removed after the restoring, because nothing is removed while the provider is halted.
 */
export async function raiseAlarm(deps: HaltDeps, leftAt: Date): Promise<void> {
  const { name: provider } = deps.provider
  const code = 'DeviceNotRegistered'
  const isHalted = await inTransaction(deps.db, async (tx) => {
    await lockRemovals(tx, provider, 'alone')
    return haltUnlessResumed(tx, provider, { code, now: fromNow(deps.clock), aboutAt: leftAt })
  })
  const restored = await restoreDevices(deps, { provider, reason: code }, fromNow(deps.clock, -UNDO_MS))
  deps.log.error({ restored }, 'too many devices are reported gone; none is removed')
  if (isHalted) await announceHalt(deps, code)
}

export type HandHaltRequest = { providers: string[]; reason: string }

/** Until somebody resumes (ADR 4). The switch is committed first, alone: no lock on a campaign delays it. */
export async function haltByHand(
  deps: ResumeDeps & Pick<PushDeps, 'auditKeys'>,
  caller: Actor,
  { providers, reason }: HandHaltRequest,
): Promise<void> {
  const halted = await inTransaction(deps.db, async (tx) => {
    await lockProviderStates(tx, providers)
    const names = await haltProvidersByHand(tx, providers, { by: caller.userId, reason, now: fromNow(deps.clock) })
    const change = { before: null, after: { providers: names, reason }, subjectId: null }
    if (names.length > 0) await recordAudit(tx, deps, caller, { action: 'sending.halt', entity: 'sending', change })
    return names
  })
  for (const { provider } of deps.providers.filter(({ provider: { name } }) => halted.includes(name))) {
    try {
      await announceHalt({ ...deps, provider }, HALTED_BY_HAND)
    } catch (error) {
      deps.log.error(
        { err: error, provider: provider.name },
        'the alert of a halt could not be raised; the sweep will raise it',
      )
    }
  }
}

/** Raises or resolves the alerts that a process which died could not. Campaigns that no halt holds go on. */
export async function catchUpAlerts(deps: ResumeDeps): Promise<void> {
  for (const { provider } of deps.providers) {
    const { breaker, breaker_code } = await findProviderState(deps.db, provider.name)
    const code = breaker === 'halted' ? (breaker_code ?? UNNAMED) : PROVIDER_DOWN
    if (breaker === 'closed') await applyTransition({ ...deps, provider }, 'closed')
    else if (!(await hasOpenAlert(deps.db, code, provider.name)))
      await applyTransition({ ...deps, provider }, breaker === 'halted' ? 'halted' : 'opened')
    for (const { platform, code: why } of await listPausedPlatforms(deps.db, provider.name))
      if (!(await hasOpenAlert(deps.db, why, provider.name)))
        await announcePauses({ ...deps, provider }, [{ platform, code: why }])
  }
  await resumeCampaigns(deps)
}

/** Resolves their alerts and resumes campaigns that a halt paused; returns the number of campaigns. */
export async function resumeSending(deps: ResumeDeps, providers = namesOf(deps.providers)): Promise<number> {
  await inTransaction(deps.db, async (tx) => {
    const states = await lockAll(deps, tx)
    for (const state of states.filter(({ provider }) => providers.includes(provider))) {
      await closeBreaker(deps, tx, state)
      await resolveAlerts(tx, { provider: state.provider }, fromNow(deps.clock))
    }
    await resumePlatforms(tx, providers)
    await resolveAlert(tx, WORK_LOST, fromNow(deps.clock))
    announceAfter(deps.queue, tx)
  })
  return resumeCampaigns(deps)
}

async function resumeCampaigns(deps: ResumeDeps): Promise<number> {
  let resumed = 0
  // Each in its own transaction: a campaign that is locked for long delays no other.
  for (const messageId of await listHaltedCampaigns(deps.db))
    await inTransaction(deps.db, async (tx) => {
      const states = await lockAll(deps, tx)
      if (states.some(({ breaker }) => breaker !== 'halted') && (await resumeAfterHalt(workIn(deps, tx), messageId)))
        resumed++
    })
  return resumed
}

/** Under the same locks as a resume, so a halt that was resumed meanwhile pauses nothing. */
async function announceHalt(deps: HaltDeps, because?: string): Promise<void> {
  const now = fromNow(deps.clock)
  const { name: provider } = deps.provider
  await inTransaction(deps.db, async (tx) => {
    const states = await lockAll(deps, tx)
    const own = states.find((state) => state.provider === provider)
    if (own?.breaker !== 'halted') return
    const code = because ?? own.breaker_code ?? UNNAMED
    const isLast = states.every(({ breaker }) => breaker === 'halted')
    const paused = isLast ? await pauseRunningCampaigns(tx, code, now) : []
    await raiseAlert(tx, { code, detail: detailOf(code, own.halt_reason), provider }, now)
    deps.log.error({ provider, code, campaigns: paused.length }, 'sending is halted')
  })
}

async function lockAll({ providers }: Pick<PushDeps, 'providers'>, tx: Tx) {
  return lockProviderStates(tx, namesOf(providers))
}

function detailOf(code: string, reason: string | null): string {
  if (code === RESTORED)
    return (
      'The database was restored from a backup. ' +
      'Check the campaigns, stop those that were sent after the backup, then resume sending.'
    )
  if (code === 'DeviceNotRegistered')
    return (
      'Far more devices than usual were reported as gone. ' +
      'Sending is halted and none was removed. Check the provider, then resume sending.'
    )
  if (code === HALTED_BY_HAND && reason !== null) return `Sending was halted by hand: ${reason}`
  return code === 'Unauthorized'
    ? 'The push provider refuses our credentials. ' +
        'Sending is halted; no device was removed. Correct them, then resume sending.'
    : 'Sending was halted by hand. Resume it when it may go on.'
}
