import type { PushDeps } from '../deps.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import { restoreDevices } from '../devices/devices.ts'
import type { Providers } from '../provider/registry.ts'
import { raiseAlert } from '../records/alerts.queries.ts'
import { readWayCounts } from '../records/way-counts.queries.ts'
import { findCompared, isTooManyGone, computeRate, type Answered } from './return-rule.ts'
import { findCounts, listNative, RETURNED } from './roll-outs.ts'
import { listRollOuts, lockRollOut, updateRollOut } from './roll-outs.queries.ts'

// Answers to pushes that left before the return may still remove devices.
const RESTORED_FOR_MS = 60 * 60 * 1_000
const GONE = 'DeviceNotRegistered'

/**
 * Ends roll-outs by which too many phones are gone: all are reached by their fallback again, and those that the
 * provider called gone since the last step come back. Safe to run at any time (ADR 26).
 */
export async function returnFromRollOuts(deps: PushDeps): Promise<void> {
  for (const { provider, share } of await listRollOuts(deps.db))
    if (share > 0 && listNative(deps.providers).includes(provider))
      await inWork(deps, THE_SERVICE, (work) => endIfTooManyGone(work, deps, provider))
  const since = fromNow(deps.clock, -RESTORED_FOR_MS)
  for (const { provider, changed_at, returned_at } of await listRollOuts(deps.db))
    if (returned_at !== null && returned_at > since) await bringBack(deps, provider, changed_at)
}

async function endIfTooManyGone(
  { tx, now, audit }: Work,
  { providers, log }: { providers: Providers } & Pick<PushDeps, 'log'>,
  provider: string,
): Promise<void> {
  const from = providers[0].provider.name
  const rollOut = await lockRollOut(tx, provider, now())
  const counts = await readWayCounts(tx)
  const own = findCounts(counts, provider, from)
  const earlier = { accepted: rollOut.earlier_accepted, gone: rollOut.earlier_gone }
  const fallback = { now: findCounts(counts, from, provider), earlier }
  const compared = findCompared(fallback)
  if (rollOut.share === 0 || compared === undefined || !isTooManyGone(own, fallback)) return
  await updateRollOut(tx, provider, { share: 0, returned_at: now() })
  const detail =
    `${provider} called ${describe(own)} gone, ${from} ${describe(compared)}. All phones with both addresses are reached by ` +
    `${from} again, and those that ${provider} called gone come back. Find the reason before you begin again.`
  await raiseAlert(tx, { code: RETURNED, detail, provider }, now())
  const change = { before: { provider, share: rollOut.share }, after: { provider, share: 0 }, subjectId: null }
  await audit({ action: 'roll-out.return', entity: 'roll-out', change })
  log.error({ provider, from, own, compared }, 'a roll-out ended: too many devices are gone')
}

function describe({ accepted, gone }: Answered): string {
  return `${gone} of ${accepted + gone} phones (${(computeRate({ accepted, gone }) * 100).toFixed(1)} %)`
}

async function bringBack(deps: PushDeps, provider: string, since: Date): Promise<void> {
  const restored = await restoreDevices(deps, { provider, reason: GONE, hasFallback: true }, since)
  if (restored > 0) deps.log.warn({ provider, restored }, 'devices that were called gone in a roll-out are restored')
}
