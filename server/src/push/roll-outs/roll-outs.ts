import type { PushDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { callerId, type Work, inWork } from '../../platform/work/work.ts'
import { areOfManyPeople } from '../provider/gone-guard.ts'
import { hasFallback } from '../provider/owners.ts'
import type { Providers } from '../provider/registry.ts'
import { resolveAlerts, raiseAlert } from '../records/alerts.queries.ts'
import { readWayCounts, resetWayCounts, type PairCounts } from '../records/way-counts.queries.ts'
import { isEnough, findTooManyGone, computeRate, type Answered } from './return-rule.ts'
import {
  listRollOuts,
  lockRollOut,
  updateRollOut,
  type RollOut,
  countPhones,
  type PhoneCount,
} from './roll-outs.queries.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { restoreDevices } from '../devices/devices.ts'
import { countGoneLately } from '../devices/removed-devices.queries.ts'

/** Percents of the phones with two addresses. */
export const SHARES = [0, 1, 10, 50, 100] as const
export type Share = (typeof SHARES)[number]

const RETURNED = 'RollOutReturned'

/** `from`: the provider of the fallbacks. `ways`: the provider's own, then that of the fallbacks. */
export type RollOutState = Pick<RollOut, 'provider' | 'returned_at'> & {
  from: string
  share: Share
  changed_at: Date | null
  changed_by: string | null
  phones: number
  phones_native: number
  phones_counted_at: Date
  ways: PairCounts[]
}

type Ground = Pick<PushDeps, 'providers'> & { db: Db | Tx; countPhones: CountPhones }

/** A state for each provider whose phones may have a fallback, in the order of the registry. */
export async function describeRollOuts({ db, providers, ...ground }: Ground): Promise<RollOutState[]> {
  const rollOuts = await listRollOuts(db)
  const counted = await ground.countPhones()
  const counts = await readWayCounts(db)
  const from = providers[0].provider.name
  return listNative(providers).map((provider) => {
    const rollOut = rollOuts.find((one) => one.provider === provider)
    const share = (rollOut?.share ?? 0) as Share
    return {
      provider,
      from,
      share,
      changed_at: rollOut?.changed_at ?? null,
      changed_by: rollOut?.name ?? null,
      returned_at: rollOut?.returned_at ?? null,
      phones: sumBelow(counted, provider, 100),
      phones_native: sumBelow(counted, provider, share),
      phones_counted_at: counted.at,
      ways: [findCounts(counts, provider, from), findCounts(counts, from, provider)],
    }
  })
}

function sumBelow({ counts }: CountedPhones, provider: string, share: number): number {
  const own = counts.filter((one) => one.provider === provider && one.place < share)
  return own.reduce((sum, { phones }) => sum + phones, 0)
}

/** Providers whose phones may have a fallback. */
function listNative(providers: Providers): string[] {
  return providers.flatMap(({ provider }) => (hasFallback(providers, provider) ? [provider.name] : []))
}

/** Gives the counts of copies by `provider` for phones whose other address is of `other`. */
function findCounts(counts: readonly PairCounts[], provider: string, other: string): PairCounts {
  const found = counts.find((one) => one.provider === provider && one.other === other)
  return found ?? { provider, other, accepted: 0, refused: 0, gone: 0, opened: 0 }
}

/** The share holds from the next decision on; what waits stays with its provider. Both ways are counted anew. */
export async function changeShare(
  work: Work,
  providers: Providers,
  { provider, share }: { provider: string; share: Share },
): Promise<void> {
  if (!listNative(providers).includes(provider)) throw errors.notFound('This provider')
  const { tx, now, audit } = work
  const from = providers[0].provider.name
  const before = await lockRollOut(tx, provider, now())
  const { accepted, gone } = findCounts(await readWayCounts(tx), from, provider)
  const earlier = isEnough({ accepted, gone }) ? { earlier_accepted: accepted, earlier_gone: gone } : {}
  const change = { share, changed_at: now(), changed_by: callerId(work), returned_at: null }
  await updateRollOut(tx, provider, { ...change, ...earlier })
  await resetWayCounts(tx, [provider, from])
  await resolveAlerts(tx, { provider, code: RETURNED }, now())
  const shares = { before: { provider, share: before.share }, after: { provider, share }, subjectId: null }
  await audit({ action: 'roll-out.change', entity: 'roll-out', change: shares })
}

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
  const compared = findTooManyGone(own, { now: findCounts(counts, from, provider), earlier })
  if (rollOut.share === 0 || compared === undefined) return
  const since = rollOut.changed_at
  if (!areOfManyPeople(await countGoneLately(tx, { provider, reason: GONE, since, deviceIds: [] }))) return
  await updateRollOut(tx, provider, { share: 0, returned_at: now() })
  const detail =
    `${provider} called ${describe(own)} gone, ${from} ${describe(compared)}. All phones with both addresses are reached by ` +
    `${from} again, and those that ${provider} called gone come back. Find the reason before you begin again.`
  await raiseAlert(tx, { code: RETURNED, detail, provider }, now())
  const change = { before: { provider, share: rollOut.share }, after: { provider, share: 0 } }
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

type CountedPhones = { at: Date; counts: readonly PhoneCount[] }
type CountPhones = () => Promise<CountedPhones>

const KEPT_MS = 60_000

/**
 * Counts phones with two addresses, at most once a minute in a process, because that reads all phones: a second for a
 * million.
 */
export function createPhoneCounts({ db, clock }: Pick<PushDeps, 'db' | 'clock'>): CountPhones {
  let kept: { at: Date; counted: Promise<CountedPhones> } | undefined
  const count = async (at: Date) => ({ at, counts: await countPhones(db, at) })
  return async () => {
    const now = new Date(clock.now())
    if (kept === undefined || now.getTime() - kept.at.getTime() >= KEPT_MS) kept = { at: now, counted: count(now) }
    const own = kept
    try {
      return await own.counted
    } catch (error) {
      if (kept === own) kept = undefined
      throw error
    }
  }
}
