import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { closeBreaker, haltBreaker } from '../provider/breaker.ts'
import type { Transition } from '../provider/breaker-rules.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { findProviderState, lockProviderState } from '../provider/provider-state.queries.ts'
import { isConfigurationFault, type ErrorCode } from '../provider/provider.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { hasOpenAlert, raiseAlert, resolveAlerts } from '../records/alerts.queries.ts'
import { resumeMessage } from '../messages/control.ts'
import { listHaltedCampaigns, pauseRunningCampaigns } from '../records/messages.queries.ts'

type HaltDeps = Pick<Deps, 'db' | 'clock' | 'queue' | 'log'>

const PROVIDER_DOWN = 'ProviderUnavailable'
const UNNAMED = 'Unauthorized'

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
  await announceHalt(deps)
}

/** Stops all sending for `code` until an administrator resumes it; nothing when one has since `aboutAt`. */
export async function haltSending(deps: HaltDeps, code: ErrorCode, aboutAt: Date): Promise<void> {
  if (await haltBreaker(deps, code, aboutAt)) await announceHalt(deps)
}

/** Tells what a process that died could not: a breaker that halted, opened or closed without its alert. */
export async function catchUpAlerts(deps: HaltDeps): Promise<void> {
  const { breaker, breaker_code: code } = await findProviderState(deps.db)
  if (breaker === 'closed') return applyTransition(deps, 'closed')
  if (await hasOpenAlert(deps.db, breaker === 'halted' ? (code ?? UNNAMED) : PROVIDER_DOWN)) return
  await applyTransition(deps, breaker === 'halted' ? 'halted' : 'opened')
}

/** Resumes sending after a halt: campaigns that it paused go on, and its alerts are resolved. */
export async function resumeSending(deps: HaltDeps): Promise<number> {
  const halted = await closeBreaker(deps, async (tx) => {
    await resolveAlerts(tx, 'all', fromNow(deps.clock))
    announceAfter(deps.queue, tx)
    return listHaltedCampaigns(tx)
  })
  for (const messageId of halted) await inTransaction(deps.db, (tx) => resumeMessage(deps, tx, messageId))
  return halted.length
}

/** Under the lock that resuming takes too: a halt that was resumed meanwhile pauses nothing any more. */
async function announceHalt(deps: HaltDeps): Promise<void> {
  const now = fromNow(deps.clock)
  await inTransaction(deps.db, async (tx) => {
    const { breaker, breaker_code } = await lockProviderState(tx)
    if (breaker !== 'halted') return
    const code = breaker_code ?? UNNAMED
    const paused = await pauseRunningCampaigns(tx, code, now)
    await raiseAlert(tx, code, detailOf(code), now)
    deps.log.error({ code, campaigns: paused.length }, 'sending is halted')
  })
}

function detailOf(code: string): string {
  if (code === 'DeviceNotRegistered')
    return 'Far more devices than usual were reported as gone. Sending is halted and none was removed. Check the provider, then resume sending.'
  return isConfigurationFault(code as ErrorCode)
    ? 'The push provider refuses our credentials. Sending is halted; no device was removed. Correct them, then resume sending.'
    : 'Sending was halted by hand. Resume it when it may go on.'
}
