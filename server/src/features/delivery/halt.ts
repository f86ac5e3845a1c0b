import type { Deps } from '../../deps.ts'
import { closeBreaker, haltBreaker } from '../../push/breaker.ts'
import type { Transition } from '../../push/breaker-rules.ts'
import { findProviderState } from '../../push/provider-state.queries.ts'
import { isConfigurationFault, type ErrorCode } from '../../push/provider.ts'
import { fromNow } from '../../shared/clock.ts'
import { raiseAlert, resolveAlerts } from './alerts.queries.ts'
import { resumeMessage } from './control.ts'
import { listHaltedCampaigns, pauseRunningCampaigns } from './messages.queries.ts'

type HaltDeps = Pick<Deps, 'db' | 'clock' | 'queue' | 'log'>

const PROVIDER_DOWN = 'ProviderUnavailable'

/** What follows a change of the breaker: alerts for administrators, and on a halt every campaign pauses. */
export async function applyTransition(deps: HaltDeps, transition: Transition | undefined): Promise<void> {
  if (transition === undefined) return
  const now = fromNow(deps.clock)
  if (transition === 'closed') return resolveAlerts(deps.db, [PROVIDER_DOWN], now)
  if (transition === 'opened') {
    deps.log.error('the push provider does not answer; sending waits')
    return raiseAlert(
      deps.db,
      PROVIDER_DOWN,
      'The push provider does not answer. Sending waits and resumes by itself.',
      now,
    )
  }
  const { breaker_code } = await findProviderState(deps.db)
  await announceHalt(deps, (breaker_code as ErrorCode | null) ?? 'Unauthorized')
}

/** Stops all sending for `code` until an administrator resumes it. */
export async function haltSending(deps: HaltDeps, code: ErrorCode): Promise<void> {
  await haltBreaker(deps, code)
  await announceHalt(deps, code)
}

/** Resumes sending after a halt: campaigns that it paused go on, and its alerts are resolved. */
export async function resumeSending(deps: HaltDeps): Promise<number> {
  await closeBreaker(deps)
  await resolveAlerts(deps.db, 'all', fromNow(deps.clock))
  const halted = await listHaltedCampaigns(deps.db)
  for (const messageId of halted) await resumeMessage(deps, messageId)
  return halted.length
}

async function announceHalt(deps: HaltDeps, code: ErrorCode): Promise<void> {
  const now = fromNow(deps.clock)
  const detail = isConfigurationFault(code)
    ? 'The push provider refuses our credentials. Sending is halted; no device was removed. Correct them, then resume sending.'
    : 'Far more devices than usual were reported as gone. Sending is halted and none was removed. Check the provider, then resume sending.'
  const paused = await pauseRunningCampaigns(deps.db, code, now)
  await raiseAlert(deps.db, code, detail, now)
  deps.log.error({ code, campaigns: paused.length }, 'sending is halted')
}
