import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { closeBreaker, haltBreaker } from '../provider/breaker.ts'
import type { Transition } from '../provider/breaker-rules.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { findProviderState, lockProviderStates } from '../provider/provider-state.queries.ts'
import { isConfigurationFault, type ErrorCode } from '../provider/provider.ts'
import { namesOf, type ProviderInUse } from '../provider/registry.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { hasOpenAlert, raiseAlert, resolveAlerts } from '../records/alerts.queries.ts'
import { resumeMessage } from '../messages/control.ts'
import { listHaltedCampaigns, pauseRunningCampaigns } from '../records/messages.queries.ts'

type ResumeDeps = Pick<Deps, 'db' | 'clock' | 'queue' | 'log' | 'providers'>
type HaltDeps = ResumeDeps & Pick<ProviderInUse, 'provider'>

const PROVIDER_DOWN = 'ProviderUnavailable'
const UNNAMED = 'Unauthorized'

/**
 * What follows a change of a provider's breaker: alerts for administrators, and every campaign pauses on a halt that
 * leaves no provider to send by.
 */
export async function applyTransition(deps: HaltDeps, transition: Transition | undefined): Promise<void> {
  if (transition === undefined) return
  const now = fromNow(deps.clock)
  const { name: provider } = deps.provider
  if (transition === 'closed') return resolveAlerts(deps.db, { provider, code: PROVIDER_DOWN }, now)
  if (transition === 'halted') return announceHalt(deps)
  deps.log.error({ provider }, 'the push provider does not answer; sending waits')
  const detail = 'The push provider does not answer. Sending waits and resumes by itself.'
  await raiseAlert(deps.db, { code: PROVIDER_DOWN, detail, provider }, now)
}

/** Halts a provider for `code` until an administrator resumes it; nothing when one has since `aboutAt`. */
export async function haltSending(deps: HaltDeps, code: ErrorCode, aboutAt: Date): Promise<void> {
  if (await haltBreaker(deps, code, aboutAt)) await announceHalt(deps)
}

/** Tells what a process that died could not: breakers that halted, opened or closed without their alert. */
export async function catchUpAlerts(deps: ResumeDeps): Promise<void> {
  for (const { provider } of deps.providers) {
    const { breaker, breaker_code } = await findProviderState(deps.db, provider.name)
    const code = breaker === 'halted' ? (breaker_code ?? UNNAMED) : PROVIDER_DOWN
    if (breaker === 'closed') await applyTransition({ ...deps, provider }, 'closed')
    else if (!(await hasOpenAlert(deps.db, code, provider.name)))
      await applyTransition({ ...deps, provider }, breaker === 'halted' ? 'halted' : 'opened')
  }
}

/**
 * Resumes providers after a halt (undefined: all): their alerts are resolved, and campaigns that a halt paused go on;
 * their number.
 */
export async function resumeSending(deps: ResumeDeps, providers = namesOf(deps.providers)): Promise<number> {
  const halted = await inTransaction(deps.db, async (tx) => {
    const states = await lockAll(deps, tx)
    for (const state of states.filter(({ provider }) => providers.includes(provider))) {
      await closeBreaker(deps, tx, state)
      await resolveAlerts(tx, { provider: state.provider }, fromNow(deps.clock))
    }
    announceAfter(deps.queue, tx)
    return listHaltedCampaigns(tx)
  })
  for (const messageId of halted) await inTransaction(deps.db, (tx) => resumeMessage(deps, tx, messageId))
  return halted.length
}

/** Under the locks that resuming takes too: a halt that was resumed meanwhile pauses nothing any more. */
async function announceHalt(deps: HaltDeps): Promise<void> {
  const now = fromNow(deps.clock)
  const { name: provider } = deps.provider
  await inTransaction(deps.db, async (tx) => {
    const states = await lockAll(deps, tx)
    const own = states.find((state) => state.provider === provider)
    if (own?.breaker !== 'halted') return
    const code = own.breaker_code ?? UNNAMED
    const isLast = states.every(({ breaker }) => breaker === 'halted')
    const paused = isLast ? await pauseRunningCampaigns(tx, code, now) : []
    await raiseAlert(tx, { code, detail: detailOf(code), provider }, now)
    deps.log.error({ provider, code, campaigns: paused.length }, 'sending is halted')
  })
}

async function lockAll({ providers }: Pick<Deps, 'providers'>, tx: Tx) {
  return lockProviderStates(tx, namesOf(providers))
}

function detailOf(code: string): string {
  if (code === 'DeviceNotRegistered')
    return 'Far more devices than usual were reported as gone. Sending is halted and none was removed. Check the provider, then resume sending.'
  return isConfigurationFault(code as ErrorCode)
    ? 'The push provider refuses our credentials. Sending is halted; no device was removed. Correct them, then resume sending.'
    : 'Sending was halted by hand. Resume it when it may go on.'
}
